// Archives and the frames of a solve, without a solver.
#include "core/checkpoints.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "parallel/decisions.hpp"
#include "support/thread_ranks.hpp"

namespace fcbio {
namespace {

struct Everything {
  double number = 0.0;
  int count = 0;
  bool flag = false;
  Level level = Level::upper;
  std::string text;
  Vector vector;
  RowMajorMatrix matrix;
  std::vector<bool> flags;
  std::vector<Vector> vectors;
  std::optional<Vector> maybe;
  PerLevel<double> pair;
  std::array<std::int64_t, 2> two{};
  void archive(Archive& archive) {
    archive(number, count, flag, level, text, vector, matrix, flags, vectors, maybe, pair, two);
  }
};

Everything sample() {
  return {-0.0,
          7,
          true,
          Level::lower,
          std::string("a\0b", 3),
          Vector{{1.0, kInfinity, 4.9e-324}},
          RowMajorMatrix{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}},
          {true, false, true},
          {Vector(), Vector{{2.0}}},
          Vector{{kUnknown}},
          {1.0, 2.0},
          {-1, std::numeric_limits<std::int64_t>::max()}};
}

TEST(Archive, GivesBackEveryBit) {
  Everything first = sample();
  Archive saved;
  saved(first);
  Everything second;
  second.vectors.resize(9);
  Archive reading(saved.written());
  reading(second);
  EXPECT_TRUE(reading.is_exhausted());
  Archive again;
  again(second);
  EXPECT_EQ(again.written(), saved.written());
  EXPECT_TRUE(std::signbit(second.number));
  EXPECT_EQ(second.matrix(1, 0), 4.0);
  EXPECT_TRUE(std::isnan((*second.maybe)[0]));

  Everything without = sample();
  without.maybe.reset();
  Archive other;
  other(without);
  Archive(other.written())(second);
  EXPECT_FALSE(second.maybe);
}

TEST(Archive, WhatEndsTooEarlyIsRefused) {
  Everything first = sample();
  Archive saved;
  saved(first);
  for (std::size_t size = 0; size < saved.written().size(); ++size) {
    Everything second;
    Archive reading(std::string_view(saved.written()).substr(0, size));
    EXPECT_THROW(reading(second), ArchiveError) << size;
  }
}

TEST(Archive, SizesWithoutEndAreRefusedBeforeMemoryIsTaken) {
  Archive saved;
  Index rows = std::numeric_limits<Index>::max() / 2, cols = 3;
  saved(rows, cols);
  Vector vector;
  EXPECT_THROW(Archive(saved.written())(vector), ArchiveError);
  RowMajorMatrix matrix;
  EXPECT_THROW(Archive(saved.written())(matrix), ArchiveError);
  std::vector<double> list;
  EXPECT_THROW(Archive(saved.written())(list), ArchiveError);
  std::string text;
  EXPECT_THROW(Archive(saved.written())(text), ArchiveError);
}

/// Counts to 10 in each of 3 rounds; adds up what it counted.
struct Counting {
  std::int64_t sum = 0;
  void run(Monitor& monitor) {
    std::int64_t round = 0;
    const Frame outer(monitor, [&](Archive& archive) { archive(round, sum); });
    for (; round < 3; ++round)
      if (!count(monitor, round)) return;
  }
  bool count(Monitor& monitor, std::int64_t round) {
    std::int64_t k = 0;
    const Frame inner(monitor, [&](Archive& archive) { archive(k); });
    for (; k < 10; ++k) {
      monitor.safe_point();
      if (!monitor.may_iterate(1)) return false;
      sum += round * k;
      monitor.work().lower_passes += 1;
      monitor.iteration_done({});
    }
    return true;
  }
};

class InterruptedAfter final : public Observer {
 public:
  InterruptedAfter(std::int64_t iterations, std::atomic<bool>* interrupt)
      : iterations_(iterations), interrupt_(interrupt) {}
  bool on_progress(const Progress& progress) override {
    if (interrupt_ != nullptr && progress.work->iterations == iterations_) *interrupt_ = true;
    return true;
  }

 private:
  const std::int64_t iterations_;
  std::atomic<bool>* const interrupt_;
};

TEST(Checkpoints, LoopsGoOnWhereTheyWere) {
  std::vector<std::string> states;
  Monitor whole;
  Checkpoints keeper(0.0, [&](std::string_view state) { states.emplace_back(state); });
  whole.keep(keeper);
  Counting counting;
  counting.run(whole);
  EXPECT_EQ(counting.sum, 135);
  ASSERT_EQ(states.size(), 30U);
  for (const std::string& state : states) {
    Monitor monitor;
    Checkpoints checkpoints(kInfinity, [](std::string_view) { FAIL() << "not asked for"; });
    monitor.keep(checkpoints);
    checkpoints.go_on_from(state);
    EXPECT_TRUE(monitor.is_resuming());
    Counting other;
    other.run(monitor);
    EXPECT_FALSE(monitor.is_resuming());
    EXPECT_EQ(other.sum, 135);
    EXPECT_EQ(monitor.work().iterations, 30);
    EXPECT_EQ(monitor.work().lower_passes, 30);
  }
}

TEST(Checkpoints, AStoppedSolveHasALastSnapshot) {
  std::string state;
  Checkpoints keeper(kInfinity, [&](std::string_view last) { state = last; });
  EXPECT_FALSE(keeper.store_last()) << "nothing was begun";
  Monitor stopped(Limits{.iterations = 17});
  stopped.keep(keeper);
  Counting().run(stopped);
  EXPECT_EQ(stopped.why(), Status::iteration_limit);
  EXPECT_TRUE(state.empty());
  EXPECT_TRUE(keeper.store_last());
  Monitor monitor;
  Checkpoints checkpoints(kInfinity, [](std::string_view) {});
  monitor.keep(checkpoints);
  checkpoints.go_on_from(state);
  Counting rest;
  rest.run(monitor);
  EXPECT_EQ(rest.sum, 135);
}

TEST(Checkpoints, RanksTakeAndStoreThemAtTheSameSafePoints) {
  testing::run_ranks(3, [](parallel::Communicator& ranks) {
    const parallel::SharedDecisions shared(ranks);
    int stored = 0;
    Checkpoints due_on_one(ranks.rank() == 1 ? 0.0 : kInfinity, [&](std::string_view) { ++stored; });
    Monitor monitor;
    monitor.keep(due_on_one);
    Counting().run(monitor);
    EXPECT_EQ(stored, 30);

    // Interrupted on one rank: the last snapshot of all is of the safe point before they stop.
    std::string state;
    std::atomic<bool> interrupt = false;
    Checkpoints keeper(kInfinity, [&](std::string_view last) { state = last; });
    Monitor stopped(Limits{}, &interrupt);
    InterruptedAfter watch(17, ranks.rank() == 2 ? &interrupt : nullptr);
    stopped.add_observer(watch);
    stopped.keep(keeper);
    Counting().run(stopped);
    EXPECT_EQ(stopped.why(), Status::interrupted);
    EXPECT_TRUE(keeper.store_last());
    Monitor again(Limits{.iterations = 0});
    Checkpoints checkpoints(kInfinity, [](std::string_view) {});
    again.keep(checkpoints);
    checkpoints.go_on_from(state);
    Counting().run(again);
    EXPECT_EQ(again.work().iterations, 17);
  });
}

TEST(Checkpoints, TheClockGoesOnAndLimitsCountFromTheBeginning) {
  std::vector<std::string> states;
  Monitor first;
  first.charge_before(100.0);
  Checkpoints keeper(0.0, [&](std::string_view state) { states.emplace_back(state); });
  first.keep(keeper);
  Counting().run(first);
  Monitor second(Limits{.iterations = 20});
  Checkpoints checkpoints(kInfinity, [](std::string_view) {});
  second.keep(checkpoints);
  checkpoints.go_on_from(states[12]);
  Counting().run(second);
  EXPECT_EQ(second.work().iterations, 20);
  EXPECT_GE(second.seconds(), 100.0);
}

TEST(Checkpoints, OtherStatesAreRefused) {
  Checkpoints checkpoints(kInfinity, [](std::string_view) {});
  EXPECT_THROW(checkpoints.go_on_from(""), ArchiveError);
  EXPECT_THROW(checkpoints.go_on_from(std::string(8, '\0')), ArchiveError);
}

}  // namespace
}  // namespace fcbio
