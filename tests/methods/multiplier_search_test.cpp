// The search for a multiplier, on models of how g at the minimiser depends on it.
#include "solver/multiplier_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace fcbio {
namespace {

using Side = MultiplierSearch::Side;

constexpr Accuracy kAccuracy{1e-6, 1e-6};
constexpr double kReference = 4e-7, kMost = 9.9e-7;  // g^ and c_hi, g_lb = 0

MultiplierSearch begun(const Accuracy& accuracy = kAccuracy) {
  MultiplierSearch search(accuracy, true);
  search.begin(kReference, kMost, 0.0);
  return search;
}

/// Multipliers tried until g lies between g^ and c_hi, when every trial is solved exactly.
template <class LowerAt>
int trials(double mu, const LowerAt& lower_at) {
  MultiplierSearch search = begun();
  for (int trial = 1; trial <= 100; ++trial) {
    const double g = lower_at(mu);
    if (g >= kReference && g <= kMost) return trial;
    mu = search.next(g > kMost ? Side::too_small : Side::too_large, mu, g);
  }
  return 1000;
}

TEST(MultiplierSearch, FindsAPowerLawWithinAFewTrials) {
  for (const double power : {0.5, 1.0, 2.0})
    for (const double first : {1e-4, 1.0, 1e4, 1e9})
      EXPECT_LE(trials(first, [&](double mu) { return 1e-2 * std::pow(mu, -power); }), 12)
          << power << ' ' << first;
}

TEST(MultiplierSearch, AJumpClosesTheBracketAndMakesTheJudgeStricter) {
  MultiplierSearch search = begun();
  double mu = 1.0;
  for (int trial = 0; trial < 60; ++trial) {
    const double g = mu < 30.0 ? 1e-2 : 1e-9;
    mu = search.next(g > kMost ? Side::too_small : Side::too_large, mu, g);
    ASSERT_TRUE(mu > 0.0 && std::isfinite(mu));
  }
  EXPECT_NEAR(std::log(mu / 30.0), 0.0, 0.3);
  const double g = 2e-6, gap = 0.2 * mu * (g - kMost);  // decided for a fresh search, no longer for this one
  EXPECT_EQ(begun().judge(mu, g, gap, kReference), Side::too_small);
  EXPECT_EQ(search.judge(mu, g, gap, kReference), Side::open);
}

TEST(MultiplierSearch, ASideIsDecidedByTheGap) {
  const MultiplierSearch search = begun();
  const double mu = 10.0, g = 2e-6, apart = mu * (g - kMost);
  EXPECT_EQ(search.judge(mu, g, 0.29 * apart, kReference), Side::too_small);
  EXPECT_EQ(search.judge(mu, g, 0.31 * apart, kReference), Side::open);
  EXPECT_EQ(search.judge(mu, kMost * (1.0 + 1e-9), 0.0, kReference),
            Side::too_small);  // solved, if near the limit
  // Feasible: with a multiplier that is not wasteful there is nothing to come back from.
  EXPECT_EQ(search.judge(mu, kReference, 0.0, kReference), Side::open);
  EXPECT_EQ(search.judge(1e3, kReference, 0.0, kReference), Side::too_large);
  MultiplierSearch for_engines_that_do_not_mind = search;
  for_engines_that_do_not_mind.mind_large(false);
  EXPECT_EQ(for_engines_that_do_not_mind.judge(1e3, kReference, 0.0, kReference), Side::open);
}

TEST(MultiplierSearch, TightModeWantsToComeNearTheLimit) {
  const MultiplierSearch search = begun({1e-6, 1e-6, true});
  const double met = kReference + 0.9 * (kMost - kReference);
  EXPECT_EQ(search.judge(10.0, kReference, 0.0, met), Side::too_large);
  EXPECT_EQ(search.judge(10.0, kReference, 1.0, met), Side::open);
}

TEST(MultiplierSearch, WhenStuckOnlyAnOpenBracketHelps) {
  MultiplierSearch search = begun();
  EXPECT_EQ(search.when_stuck(1.0, 2e-6), Side::too_small);
  EXPECT_EQ(search.when_stuck(1.0, kReference), Side::too_large);
  search.next(Side::too_small, 1.0, 2e-6);
  search.next(Side::too_large, 1.1, 0.0);
  EXPECT_EQ(search.when_stuck(1.05, kReference), Side::open);
}

}  // namespace
}  // namespace fcbio
