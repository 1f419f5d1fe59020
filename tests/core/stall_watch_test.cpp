#include "core/stall_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace fcbio {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The step at which a run with this gap stalls; 0: not within `most` steps.
template <class Gap>
std::int64_t stalls_at(StallWatch watch, std::int64_t most, const Gap& gap) {
  for (std::int64_t step = 1; step <= most; ++step)
    if (watch.stalls(gap(static_cast<double>(step)))) return step;
  return 0;
}

TEST(StallWatch, CountsStepsWithoutProgress) {
  StallWatch watch({.most_idle = 3});
  EXPECT_FALSE(watch.stalls(5.0, 1.0));  // the first gap is progress
  EXPECT_EQ(watch.idle(), 0);
  EXPECT_FALSE(watch.stalls(5.0, 0.995));  // not noticeably closer
  EXPECT_EQ(watch.idle(), 1);
  EXPECT_FALSE(watch.stalls(5.0, 0.989));
  EXPECT_EQ(watch.idle(), 0);
  EXPECT_FALSE(watch.stalls(4.0, 2.0));  // a lower value is progress, whatever the gap
  EXPECT_EQ(watch.idle(), 0);
  for (int step = 1; step <= 3; ++step) EXPECT_FALSE(watch.stalls(4.0, 2.0)) << step;
  EXPECT_TRUE(watch.stalls(4.0, 2.0));
}

TEST(StallWatch, ALastDigitIsNoProgress) {
  StallWatch watch({.most_idle = 0}, 1.0);
  EXPECT_TRUE(watch.stalls(1.0 - kEpsilon, kInfinity));
  StallWatch again({.most_idle = 0}, 1.0);
  EXPECT_FALSE(again.stalls(1.0 - 16.0 * kEpsilon, kInfinity));
}

TEST(StallWatch, WithoutAFirstValueTheFirstOneIsNoProgress) {
  StallWatch watch({.most_idle = 0});
  EXPECT_TRUE(watch.stalls(1.0, kInfinity));
}

TEST(StallWatch, GapsThatSayNothingAreNoProgress) {
  for (const double nothing : {kInfinity, kUnknown, 0.0, -1.0}) {
    StallWatch watch({.most_idle = 2});
    EXPECT_FALSE(watch.stalls(nothing));
    EXPECT_FALSE(watch.stalls(nothing));
    EXPECT_TRUE(watch.stalls(nothing)) << nothing;
  }
}

TEST(StallWatch, AGapThatMustHalve) {
  StallWatch watch({.closer = 0.5, .most_idle = 1});
  EXPECT_FALSE(watch.stalls(8.0));
  EXPECT_FALSE(watch.stalls(4.0));  // exactly
  EXPECT_EQ(watch.idle(), 0);
  EXPECT_FALSE(watch.stalls(2.1));
  EXPECT_TRUE(watch.stalls(2.1));
}

TEST(StallWatch, WaitsLongerWhenTold) {
  StallWatch watch({.most_idle = 2});
  EXPECT_EQ(stalls_at(watch, 100, [](double) { return kUnknown; }), 3);
  watch.wait_longer(5);
  EXPECT_EQ(stalls_at(watch, 100, [](double) { return kUnknown; }), 11);
}

TEST(StallWatch, ASecondHalfWithoutProgress) {
  const StallRules rules{.long_run = 100};
  EXPECT_EQ(stalls_at(StallWatch(rules), 1000, [](double) { return 1.0; }), 100);  // too short to tell before
  const auto until_80 = [](double step) { return std::pow(0.9, std::min(step, 80.0)); };
  EXPECT_EQ(stalls_at(StallWatch(rules), 1000, until_80), 160);
}

/// Steps until a gap that falls like steps^-power is judged to creep; -1: it reaches the aim before.
std::int64_t steps_of(double power, double aim) {
  StallWatch watch({.most_idle = 300, .aim = aim});
  for (std::int64_t step = 1; step < 3'000'000; ++step) {
    const double gap = std::pow(static_cast<double>(step), -power);
    if (gap <= aim) return -1;
    if (watch.stalls(1.0 + gap, gap)) return step;
  }
  return 0;
}

TEST(StallWatch, GivesUpOnlyWhatTakesMoreThanTenMillionSteps) {
  EXPECT_EQ(steps_of(1.0, 1e-6), -1);
  EXPECT_EQ(steps_of(2.0, 1e-9), -1);
  EXPECT_EQ(steps_of(0.5, 1e-3), -1);
  EXPECT_GT(steps_of(0.5, 1e-6), 0);  // 1e12 steps
  EXPECT_LT(steps_of(0.5, 1e-6), 5'000);
  EXPECT_GT(steps_of(0.1, 1e-3), 0);
  EXPECT_LT(steps_of(0.1, 1e-3), 5'000);
}

TEST(StallWatch, WithoutAnAimNothingCreeps) {
  EXPECT_EQ(stalls_at(StallWatch({.most_idle = 100000}), 20000, [](double step) { return 1.0 / std::sqrt(step); }),
            0);
}

TEST(StallWatch, OutlastsALongPlateauInTheMiddle) {
  StallWatch watch({.most_idle = 300, .aim = 1e-9});
  double value = 2.0;
  for (int step = 1; step <= 3000; ++step) {
    value -= 1e-6;  // the value moves, the bound waits
    ASSERT_FALSE(watch.stalls(value, 1e-3)) << step;
  }
}

}  // namespace
}  // namespace fcbio
