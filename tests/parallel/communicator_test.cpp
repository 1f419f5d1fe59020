// What all ranks of a job go by, and sums over shards.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <random>

#include "parallel/decisions.hpp"
#include "parallel/shard_sum.hpp"
#include "support/thread_ranks.hpp"

namespace fcbio::parallel {
namespace {

using testing::run_ranks;

TEST(Ranks, BringNumbersTogetherInTheirOrder) {
  run_ranks(3, [](Communicator& ranks) {
    const std::vector<int> mine(static_cast<std::size_t>(ranks.rank()), ranks.rank());
    EXPECT_EQ(brought_by_all(ranks, mine), (std::vector<int>{1, 2, 2}));
    EXPECT_EQ(said_by_all(ranks, 10 * ranks.rank()), (std::vector<int>{0, 10, 20}));
    EXPECT_TRUE(any(ranks, ranks.rank() == 2));
    EXPECT_FALSE(any(ranks, false));
  });
}

TEST(Ranks, AFailureOfOneIsThrownOnAll) {
  std::atomic<int> threw = 0;
  run_ranks(4, [&](Communicator& ranks) {
    try {
      together(ranks, [&] {
        if (ranks.rank() >= 2) throw std::runtime_error("no file " + std::to_string(ranks.rank()));
      });
    } catch (const SharedFailure& failure) {
      EXPECT_STREQ(failure.what(), "rank 2 of 4: no file 2");
      ++threw;
    }
  });
  EXPECT_EQ(threw, 4);
}

TEST(Ranks, AFailureOfAllIsToldAsItIs) {
  run_ranks(2, [&](Communicator& ranks) {
    try {
      together(ranks, [] { throw std::bad_alloc(); });
      FAIL();
    } catch (const SharedFailure& failure) {
      EXPECT_STREQ(failure.what(), "not enough memory for this problem");
    }
  });
}

TEST(Ranks, AloneTheExceptionItselfComesOut) {
  EXPECT_THROW(together(alone(), [] { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_FALSE(alone().is_job());
}

TEST(Ranks, StatesGoFromEachToTheNextAndToAll) {
  run_ranks(5, [](Communicator& ranks) {
    std::int64_t state = 1;
    in_turns(ranks, mutable_bytes_of(&state, 1), [&] { state = 3 * state + ranks.rank(); });
    std::int64_t expected = 1;
    for (int rank = 0; rank < 5; ++rank) expected = 3 * expected + rank;
    EXPECT_EQ(state, expected);
  });
}

TEST(Ranks, BringPartsToTheFirstAndGetThemBack) {
  run_ranks(3, [](Communicator& ranks) {
    const std::string own(static_cast<std::size_t>(5 * ranks.rank()), static_cast<char>('a' + ranks.rank()));
    const std::vector<std::string> all = brought_to_first(ranks, own);
    EXPECT_EQ(all, ranks.rank() == 0 ? (std::vector<std::string>{"", "bbbbb", "cccccccccc"})
                                     : std::vector<std::string>{});
    EXPECT_EQ(handed_out(ranks, all), own);
  });
  EXPECT_EQ(brought_to_first(alone(), "own"), std::vector<std::string>{"own"});
  EXPECT_EQ(handed_out(alone(), {"own"}), "own");
}

TEST(Ranks, RaiseFlagsForAll) {
  EXPECT_EQ(raised_by_any(5), 5);
  run_ranks(3, [](Communicator& ranks) {
    const SharedDecisions shared(ranks);
    EXPECT_EQ(raised_by_any(static_cast<std::uint8_t>(ranks.rank() == 0 ? 0 : 1 << 2 * ranks.rank())), 4 | 16);
    EXPECT_EQ(raised_by_any(0), 0);
  });
}

TEST(Ranks, SeeTheClockOfTheFirstAndTheInterruptOfAny) {
  run_ranks(3, [](Communicator& ranks) {
    EXPECT_EQ(agreed({7.0, false}).seconds, 7.0) << "without shared decisions everybody has a clock";
    const SharedDecisions shared(ranks);
    const Look look = agreed({static_cast<double>(ranks.rank()), ranks.rank() == 1});
    EXPECT_EQ(look.seconds, 0.0);
    EXPECT_TRUE(look.interrupted);
    EXPECT_FALSE(agreed({0.0, false}).interrupted);
  });
}

TEST(ShardRuns, AreNeighboursAndCoverAll) {
  for (const Index shards : {1, 5, 24}) {
    for (const int ranks : {1, 2, 3, 4, 7, 30}) {
      Index next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const ShardRun run = shards_of(rank, ranks, shards);
        EXPECT_EQ(run.first, next);
        EXPECT_LE(run.end - run.first, (shards + ranks - 1) / ranks);
        next = run.end;
      }
      EXPECT_EQ(next, shards);
    }
  }
}

/// Numbers whose sum depends on the order of additions.
Vector awkward(Index shard, Index size) {
  std::mt19937_64 random(static_cast<std::uint64_t>(shard) + 1);
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
  std::uniform_int_distribution<int> exponent(-40, 40);
  Vector numbers(size);
  for (double& number : numbers) number = std::ldexp(mantissa(random), exponent(random));
  return numbers;
}

TEST(ShardSums, HaveTheSameBitsForAnyNumberOfRanks) {
  for (const Index shards : {1, 2, 7, 24, 48}) {
    for (const Index size : {1, 3, 100}) {
      Vector first;
      for (const int count : {1, 2, 3, 4, 5, 9, 30}) {
        std::mutex guard;
        run_ranks(count, [&](Communicator& ranks) {
          const ShardSum sum(ranks, shards);
          Vector total(size);
          for (int repeat = 0; repeat < 2; ++repeat)
            sum.add_up([size](Index shard, VectorOut out) { out = awkward(shard, size); }, total);
          const std::scoped_lock lock(guard);
          if (first.size() == 0) first = total;
          EXPECT_EQ(std::memcmp(first.data(), total.data(), sizeof(double) * static_cast<std::size_t>(size)), 0)
              << shards << " shards on " << count << " ranks, rank " << ranks.rank();
        });
      }
    }
  }
}

TEST(ShardSums, GatherAColumnForEveryShard) {
  run_ranks(4, [](Communicator& ranks) {
    const ShardSum sum(ranks, 3);  // one rank has none
    const Eigen::MatrixXd all = sum.gather(2, [](Index shard, VectorOut column) {
      column << static_cast<double>(shard), -static_cast<double>(shard);
    });
    for (Index shard = 0; shard < 3; ++shard) {
      EXPECT_EQ(all(0, shard), static_cast<double>(shard));
      EXPECT_EQ(all(1, shard), -static_cast<double>(shard));
    }
  });
}

}  // namespace
}  // namespace fcbio::parallel
