// Scopes of threads: every shard once, from any number of threads and callers; products with the same bits for all;
// and nobody else's affair.
#include "fcbio/threads.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include "fcbio/error.hpp"
#include "linalg/samples.hpp"
#include "linalg/shards.hpp"

namespace fcbio {
namespace {

TEST(Threads, RunEveryShardExactlyOnce) {
  for (const int threads : {1, 2, 3, 5}) {
    const ThreadScope scope(threads);
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

TEST(Threads, ReallyRunSideBySide) {
  const ThreadScope scope(3);
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

TEST(Threads, RunNestedCallsInline) {
  const ThreadScope scope(3);
  std::vector<std::atomic<int>> hits(64);
  run_shards(8, [&hits](Index outer) {
    run_shards(8, [&hits, outer](Index inner) { ++hits[static_cast<std::size_t>(8 * outer + inner)]; });
  });
  for (const auto& hit : hits) EXPECT_EQ(hit.load(), 1);
}

TEST(Threads, ServeSeveralCallers) {
  constexpr int kCallers = 4;
  std::vector<long> sums(kCallers, 0);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&sum = sums[static_cast<std::size_t>(caller)]] {
      const ThreadScope scope(3);
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

TEST(Threads, RefuseNonsense) {
  for (const int bad : {0, -3, 1025}) {
    try {
      const ThreadScope scope(bad);
      FAIL() << "accepted " << bad;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()), "threads: expected 1 to 1024 threads, found " + std::to_string(bad) +
                                               "; give a number of threads in that range");
    }
    EXPECT_EQ(thread_count(), 1);
  }
}

TEST(Threads, ScopesNest) {
  const ThreadScope outer(3);
  {
    const ThreadScope inner(2);
    EXPECT_EQ(thread_count(), 2);
    const ThreadScope innermost(1);
    EXPECT_EQ(thread_count(), 1);
  }
  EXPECT_EQ(thread_count(), 3);
  const ThreadScope same(3);
  EXPECT_EQ(thread_count(), 3);
}

/// How many threads, the caller's included, meet in one job of `shards` shards.
int threads_that_meet(int shards) {
  std::atomic<int> arrived{0}, most{0};
  run_shards(shards, [&](Index) {
    int now = arrived.fetch_add(1) + 1;
    for (int look = 0; look < 2000 && now < shards; ++look) {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      now = arrived.load();
    }
    for (int seen = most.load(); seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    arrived.fetch_sub(1);
  });
  return most.load();
}

TEST(Threads, OfOneCallerDoNotReachAnother) {
  // Two callers at the same time, in scopes of their own, and a third without: each has its own number of threads,
  // whatever the others do.
  std::atomic<int> ready{0};
  const auto in_step = [&ready] {
    ++ready;
    while (ready.load() < 3) std::this_thread::yield();
  };
  std::array<int, 3> met{};
  std::thread two([&] {
    const ThreadScope scope(2);
    in_step();
    met[0] = threads_that_meet(2);
  });
  std::thread three([&] {
    const ThreadScope scope(3);
    in_step();
    met[1] = threads_that_meet(3);
  });
  std::thread none([&] {
    in_step();
    EXPECT_EQ(thread_count(), 1);
    met[2] = threads_that_meet(1);
  });
  for (std::thread* caller : {&two, &three, &none}) caller->join();
  EXPECT_EQ(met, (std::array<int, 3>{2, 3, 1}));
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

TEST(Threads, DoNotChangeTheBitsOfProducts) {
  // All have several shards in both products (but for the single line).
  for (const auto& [rows, cols, density] : {Shape{400, 729, 1.0}, Shape{5000, 100, 1.0}, Shape{100, 5000, 1.0},
                                            Shape{1100, 1300, 0.2}, Shape{1, 200000, 1.0}}) {
    const Eigen::MatrixXd matrix = samples::thinned(rows, cols, density, 21);
    const Vector x = samples::vector(cols, 22);
    const Vector y = samples::vector(rows, 23);
    for (const samples::Storage storage : samples::kStorages) {
      SCOPED_TRACE(samples::name(storage) + " " + std::to_string(rows) + " x " + std::to_string(cols));
      const LinearMapPtr map = samples::map(storage, matrix);
      Vector reference_image(rows);
      Vector reference_gradient = Vector::Ones(cols);
      map->apply(x, reference_image);
      map->add_transpose(0.3, y, reference_gradient);
      for (const int threads : {1, 2, 3, 5}) {
        const ThreadScope scope(threads);
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

TEST(Threads, DoNotChangeTheBitsOfTheNormBound) {
  const Eigen::MatrixXd matrix = samples::dense(500, 300, 5);
  for (const samples::Storage storage : samples::kStorages) {
    const NormBound one = samples::map(storage, matrix)->norm_bound();
    const ThreadScope scope(3);
    const NormBound three = samples::map(storage, matrix)->norm_bound();
    EXPECT_EQ(one.squared, three.squared);
    EXPECT_EQ(one.passes, three.passes);
  }
}

TEST(Threads, MayCallProductsOfOneMapAtTheSameTime) {
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
