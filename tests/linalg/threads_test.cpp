// The pool: every shard once, from any number of threads and callers; and products with the same bits for all.
#include "fcbio/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>

#include "fcbio/error.hpp"
#include "linalg/samples.hpp"
#include "linalg/shards.hpp"

namespace fcbio {
namespace {

class Threads : public ::testing::Test {
 protected:
  void TearDown() override { set_thread_count(1); }
};

TEST_F(Threads, RunEveryShardExactlyOnce) {
  for (const int threads : {1, 2, 3, 5}) {
    set_thread_count(threads);
    EXPECT_EQ(thread_count(), threads);
    for (const Index shards : {0, 1, 2, 7, 64, 1000}) {
      for (int repeat = 0; repeat < 50; ++repeat) {
        // Plain numbers, not atomics: two shards at one place, or a return before the end, is a race that the
        // thread sanitizer reports.
        std::vector<int> hits(static_cast<std::size_t>(shards), 0);
        run_shards(shards, [&hits](Index shard) { ++hits[static_cast<std::size_t>(shard)]; });
        ASSERT_EQ(hits, std::vector<int>(static_cast<std::size_t>(shards), 1));
      }
    }
  }
}

TEST_F(Threads, ReallyRunSideBySide) {
  set_thread_count(3);
  // Each of three shards waits for the two others: with fewer than three threads this would never end.
  std::atomic<int> arrived{0};
  std::atomic<bool> together{true};
  run_shards(3, [&](Index) {
    arrived.fetch_add(1);
    for (long look = 0; arrived.load() < 3; ++look) {
      if (look > 100000000) {
        together = false;
        return;
      }
      std::this_thread::yield();
    }
  });
  EXPECT_TRUE(together);
}

TEST_F(Threads, RunNestedCallsInline) {
  set_thread_count(3);
  std::vector<std::atomic<int>> hits(64);
  run_shards(8, [&hits](Index outer) {
    run_shards(8, [&hits, outer](Index inner) { ++hits[static_cast<std::size_t>(8 * outer + inner)]; });
  });
  for (const auto& hit : hits) EXPECT_EQ(hit.load(), 1);
}

TEST_F(Threads, ServeSeveralCallers) {
  set_thread_count(3);
  constexpr int kCallers = 4;
  std::vector<long> sums(kCallers, 0);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&sum = sums[static_cast<std::size_t>(caller)]] {
      for (int repeat = 0; repeat < 300; ++repeat) {
        long part[16] = {};
        run_shards(16, [&part](Index shard) { part[shard] = shard; });
        for (const long value : part) sum += value;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const long sum : sums) EXPECT_EQ(sum, 300 * 120);
}

TEST_F(Threads, RefuseNonsenseAndChangesDuringARun) {
  for (const int bad : {0, -3, 1025}) {
    try {
      set_thread_count(bad);
      FAIL() << "accepted " << bad;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()), "set_thread_count: expected 1 to 1024 threads, found " +
                                               std::to_string(bad) + "; give a number of threads in that range");
    }
  }
  set_thread_count(2);
  std::atomic<int> refused{0};
  run_shards(2, [&refused](Index) {
    try {
      set_thread_count(3);
    } catch (const InvalidArgument&) {
      ++refused;
    }
  });
  EXPECT_EQ(refused.load(), 2);
  EXPECT_EQ(thread_count(), 2);
}

TEST(Shards, CoverTheRangeInOrder) {
  for (const Index length : {1, 5, 63, 64, 1000, 1023}) {
    for (const Index shards : {1, 2, 7, 64}) {
      for (const Index grain : {1, 8}) {
        EXPECT_EQ(shard_begin(length, shards, 0, grain), 0);
        EXPECT_EQ(shard_begin(length, shards, shards, grain), length);
        for (Index shard = 0; shard < shards; ++shard) {
          const Index begin = shard_begin(length, shards, shard, grain);
          EXPECT_LE(begin, shard_begin(length, shards, shard + 1, grain));
          EXPECT_TRUE(begin % grain == 0 || begin == length);
        }
      }
    }
  }
}

bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

struct Shape {
  Index rows;
  Index cols;
  double density;
};

TEST_F(Threads, DoNotChangeTheBitsOfProducts) {
  // All have several shards in both products (but for the single line).
  for (const auto& [rows, cols, density] : {Shape{400, 729, 1.0}, Shape{5000, 100, 1.0}, Shape{100, 5000, 1.0},
                                            Shape{1100, 1300, 0.2}, Shape{1, 200000, 1.0}}) {
    const Eigen::MatrixXd matrix = samples::thinned(rows, cols, density, 21);
    const Vector x = samples::vector(cols, 22);
    const Vector y = samples::vector(rows, 23);
    for (const samples::Storage storage : samples::kStorages) {
      SCOPED_TRACE(samples::name(storage) + " " + std::to_string(rows) + " x " + std::to_string(cols));
      const LinearMapPtr map = samples::map(storage, matrix);
      set_thread_count(1);
      Vector reference_image(rows);
      Vector reference_gradient = Vector::Ones(cols);
      map->apply(x, reference_image);
      map->add_transpose(0.3, y, reference_gradient);
      for (const int threads : {1, 2, 3, 5}) {
        set_thread_count(threads);
        for (int repeat = 0; repeat < 10; ++repeat) {
          Vector image(rows);
          Vector gradient = Vector::Ones(cols);
          map->apply(x, image);
          map->add_transpose(0.3, y, gradient);
          ASSERT_TRUE(same_bits(image, reference_image)) << threads << " threads";
          ASSERT_TRUE(same_bits(gradient, reference_gradient)) << threads << " threads";
        }
      }
    }
  }
}

TEST_F(Threads, DoNotChangeTheBitsOfTheNormBound) {
  const Eigen::MatrixXd matrix = samples::dense(500, 300, 5);
  for (const samples::Storage storage : samples::kStorages) {
    const NormBound one = samples::map(storage, matrix)->norm_bound();
    set_thread_count(3);
    const NormBound three = samples::map(storage, matrix)->norm_bound();
    set_thread_count(1);
    EXPECT_EQ(one.squared, three.squared);
    EXPECT_EQ(one.passes, three.passes);
  }
}

TEST_F(Threads, MayCallProductsOfOneMapAtTheSameTime) {
  // Callers that meet inside a product: catches hidden state.
  const Eigen::MatrixXd matrix = samples::dense(300, 500, 31);
  const LinearMapPtr map = dense_map(matrix);
  const Vector x = samples::vector(500, 32);
  Vector reference(300);
  map->apply(x, reference);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> callers;
  for (int& count : wrong) {
    callers.emplace_back([&] {
      Vector image(300);
      for (int repeat = 0; repeat < 200; ++repeat) {
        map->apply(x, image);
        if (!same_bits(image, reference)) ++count;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace fcbio
