// What the certified drivers share: the segment, the proof attempt, and what observers are told.
#include <gtest/gtest.h>

#include "solver/skeleton/feasible_segment.hpp"
#include "solver/skeleton/ledger_progress.hpp"
#include "solver/skeleton/proof_attempt.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

/// f = 1/2 |x - e|^2 and g = 1/2 |x|^2, on data that is the identity, so that points carry images.
struct Setting {
  Problem problem;
  Monitor monitor;
  Oracle oracle;
  explicit Setting(ConvexSetPtr domain = ball(Vector::Zero(2), 4.0), Limits limits = {})
      : problem(least_squares(dense_map(RowMajorMatrix(RowMajorMatrix::Identity(2, 2))), Vector::Unit(2, 0)),
                least_squares(dense_map(RowMajorMatrix(RowMajorMatrix::Identity(2, 2))), Vector::Zero(2)),
                std::move(domain)),
        monitor(limits),
        oracle(problem, monitor) {}

  Point at(double x) {
    Point point(problem);
    point.x = Vector{{x, 0.0}};
    for (Level level : kLevels) oracle.update_images(level, point);
    return point;
  }
  static double g(double x) { return 0.5 * x * x; }
};

constexpr FeasibleSegment::Rules kFine{60, 1e-15};

TEST(FeasibleSegment, FindsTheLastFeasiblePointAtNoCost) {
  Setting setting;
  FeasibleSegment segment(setting.oracle);
  const Point inside = setting.at(0.1), outside = setting.at(1.5);
  const std::int64_t passes = setting.monitor.work().passes();
  const double most = Setting::g(0.7);
  const auto found = segment.search({inside, Setting::g(0.1)}, {outside, Setting::g(1.5)}, most, kFine);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->point.x[0], 0.7, 1e-12);
  EXPECT_LE(found->lower, most);
  EXPECT_NEAR(found->lower, most, 1e-12);
  EXPECT_NEAR(found->upper, 0.5 * 0.3 * 0.3, 1e-12);
  EXPECT_EQ(found->point.images_of(Level::upper)[0], found->point.x);
  EXPECT_EQ(found->point.images_of(Level::lower)[0], found->point.x);
  EXPECT_EQ(setting.monitor.work().passes(), passes);
}

TEST(FeasibleSegment, EndsAsSoonAsItsRulesAllow) {
  Setting setting;
  FeasibleSegment segment(setting.oracle);
  const Point inside = setting.at(0.1), outside = setting.at(1.5);
  const FeasibleSegment::End in{inside, Setting::g(0.1)}, out{outside, Setting::g(1.5)};
  const double most = Setting::g(0.7);
  EXPECT_FALSE(segment.search(in, out, most, {0, 0.0}));
  EXPECT_FALSE(segment.search(in, out, most, {30, 1.0}));
  const auto one = segment.search(in, out, most, {1, 0.0});
  ASSERT_TRUE(one);  // g is convex: where the chord meets the limit it is below
  EXPECT_LT(one->lower, most);
  const auto near = segment.search(in, out, most, {60, 0.0, 0.1 * most});
  ASSERT_TRUE(near);
  EXPECT_GE(near->lower, 0.9 * most);
  EXPECT_LT(near->lower, most);  // far from the accuracy of 60 trials
}

TEST(FeasibleSegment, NothingBeyondTheInnerEnd) {
  Setting setting;
  FeasibleSegment segment(setting.oracle);
  const Point inside = setting.at(0.7), outside = setting.at(1.5);
  EXPECT_FALSE(segment.search({inside, Setting::g(0.7)}, {outside, Setting::g(1.5)}, Setting::g(0.7), {30, 1e-9}));
}

TEST(FeasibleSegment, IsNotSearchedWhereValuesCostPasses) {
  UserFunction user;
  user.dimension = 2;
  user.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x;
    return 0.5 * x.squaredNorm();
  };
  const Problem problem(squared_norm(Vector::Ones(2)), user_function(user), ball(Vector::Zero(2), 4.0));
  Monitor monitor;
  Oracle oracle(problem, monitor);
  Point inside(problem), outside(problem);
  outside.x = Vector::Ones(2);
  EXPECT_FALSE(FeasibleSegment(oracle).search({inside, 0.0}, {outside, 1.0}, 0.5, kFine));
  EXPECT_EQ(monitor.work().passes(), 0);
}

/// A ledger that knows the solution x = 0 of Setting, f* = 1/2, by the bound that belongs to it, or nearly so.
void tell_solution(Setting& setting, Ledger& ledger) {
  Point origin = setting.at(0.0);
  ledger.set_candidate(origin.x, setting.oracle.value(Level::upper, origin),
                       setting.oracle.value(Level::lower, origin));
  ledger.offer_reference(origin.x, 0.0);
  ledger.offer_lower_bound(0.0, {Vector::Zero(2)});
  // f + mu g is least at x = e / (1 + mu), with duals x - e and x, and f* >= low = 1/2 mu / (1 + mu).
  constexpr double kMultiplier = 1e4;
  const Vector x = Vector::Unit(2, 0) / (1.0 + kMultiplier);
  ledger.offer_cut(kMultiplier, 0.5 * kMultiplier / (1.0 + kMultiplier), {Vector(x - Vector::Unit(2, 0))}, {x});
}

TEST(ProofAttempt, SucceedsWhereTheProofDoes) {
  Setting setting;
  Ledger ledger(setting.problem);
  tell_solution(setting, ledger);
  ProofAttempt enough({1e-3, 1e-3}, setting.oracle, ledger, 0.9);
  EXPECT_TRUE(enough.upper_is_ready());
  EXPECT_TRUE(enough.succeeds());
  EXPECT_EQ(enough.share(), 0.999);
}

TEST(ProofAttempt, EveryFailureAsksForMoreUntilItIsHopeless) {
  Setting setting;
  Ledger ledger(setting.problem);
  tell_solution(setting, ledger);
  ProofAttempt attempt({1e-6, 1e-3}, setting.oracle, ledger, 0.9);  // the excess is about 5e-5
  EXPECT_FALSE(attempt.upper_is_ready());
  double share = attempt.share();
  int failures = 0;
  for (; !attempt.is_hopeless(); ++failures) {
    EXPECT_FALSE(attempt.succeeds());
    EXPECT_DOUBLE_EQ(attempt.share(), 0.9 * share);
    share = attempt.share();
  }
  EXPECT_EQ(failures, 7);  // 0.999 * 0.9^7 < 1/2
  attempt.start_again();
  EXPECT_EQ(attempt.share(), 0.999);
  EXPECT_FALSE(attempt.is_hopeless());
}

TEST(ProofAttempt, TheShareDecidesWhenItIsReady) {
  Setting setting;
  Ledger ledger(setting.problem);
  tell_solution(setting, ledger);
  const double excess = ledger.candidate_upper() - ledger.upper_lower_bound();
  ProofAttempt attempt({.upper = excess / 0.95, .lower = 1e-3, .tight = true}, setting.oracle, ledger, 0.9);
  EXPECT_TRUE(attempt.upper_is_ready());
  EXPECT_FALSE(attempt.succeeds());  // of tightness the ledger knows nothing
  EXPECT_FALSE(attempt.upper_is_ready());
}

TEST(ProofAttempt, WithoutPassesTheProofAtTheEndMustDo) {
  Setting setting(ball(Vector::Zero(2), 4.0), Limits{.passes = 0});
  Ledger ledger(setting.problem);
  ProofAttempt attempt({1e-12, 1e-12}, setting.oracle, ledger, 0.9);
  EXPECT_TRUE(attempt.succeeds());
  EXPECT_EQ(setting.monitor.why(), Status::work_limit);
}

TEST(LedgerProgress, NumbersThatDoNotExistYetAreNaN) {
  const Problem problem(linear(Vector::Ones(2)), linear(Vector::Ones(2)), ball(Vector::Zero(2), 1.0));
  Ledger ledger(problem);
  const Progress before = progress_of(ledger, "round", 3);
  EXPECT_EQ(before.phase, "round");
  EXPECT_EQ(before.round, 3);
  for (const double number : {before.upper_value, before.lower_value, before.level, before.bracket_low,
                              before.bracket_high, before.upper_excess, before.lower_gap})
    EXPECT_TRUE(std::isnan(number));
  ledger.set_candidate(Vector::Zero(2), 5.0, 2.0);
  EXPECT_TRUE(std::isnan(progress_of(ledger, "round").upper_excess));
  EXPECT_EQ(progress_of(ledger, "round").bracket_high, 5.0);
  ledger.offer_lower_bound(0.5, {Vector()});
  EXPECT_EQ(progress_of(ledger, "round").lower_gap, 1.5);
}

}  // namespace
}  // namespace fcbio
