// Honest certificates pass; every single lie is found, and found in the line it is about.
#include "checker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "known_problems.hpp"

namespace fcbio::verify {
namespace {

using known::Known;

VerifyReport run(const Known& known) { return verify(known.problem, known.claims, known::kFingerprint); }

Outcome outcome(const VerifyReport& report, const std::string& line) {
  const Line* found = report.find(line);
  EXPECT_NE(found, nullptr) << line;
  return found == nullptr ? Outcome::assumed : found->outcome;
}

/// Every known problem after `lie` changed its claims must fail in `line`.
template <class Lie>
void expect_caught(const std::string& line, Lie lie) {
  for (Known known : known::all()) {
    lie(known);
    const VerifyReport report = run(known);
    EXPECT_FALSE(report.all_hold) << known.name;
    EXPECT_EQ(outcome(report, line), Outcome::failed) << known.name << "\n" << to_text(report);
  }
}

TEST(Checker, AcceptsHonestCertificates) {
  for (const Known& known : known::all()) {
    const VerifyReport report = run(known);
    EXPECT_TRUE(report.all_hold) << known.name << "\n" << to_text(report);
    for (const char* line :
         {"problem fingerprint", "x", "x in Z", "upper_value", "lower_value", "lower_lower_bound", "lower_gap",
          "upper_lower_bound", "upper_excess", "evidence", "status"}) {
      EXPECT_EQ(outcome(report, line), Outcome::ok) << known.name << ": " << line;
    }
  }
}

TEST(Checker, FindsAnotherProblem) {
  expect_caught("problem fingerprint", [](Known& known) { known.claims.fingerprint = "fedcba9876543210"; });
}

TEST(Checker, FindsPointsThatAreNone) {
  expect_caught("x", [](Known& known) { known.claims.x.push_back(0); });
  expect_caught("x", [](Known& known) { known.claims.x[0] = std::numeric_limits<double>::quiet_NaN(); });
  expect_caught("lower_gap", [](Known& known) { known.claims.x.clear(); });
}

TEST(Checker, FindsPointsOutsideTheDomain) {
  expect_caught("x in Z", [](Known& known) { known.claims.x[0] -= 3; });
  Known on_edge = known::mitsos_barton_31();
  on_edge.claims.x = {1 + 1e-7};
  EXPECT_EQ(outcome(run(on_edge), "x in Z"), Outcome::failed);
  on_edge.claims.x = {1 + 1e-9};
  EXPECT_EQ(outcome(run(on_edge), "x in Z"), Outcome::ok);
}

TEST(Checker, FindsWrongValues) {
  expect_caught("upper_value", [](Known& known) { *known.claims.upper_value += 1e-6; });
  expect_caught("lower_value", [](Known& known) { *known.claims.lower_value -= 1e-6; });
  expect_caught("lower_value",
                [](Known& known) { known.claims.lower_value = std::numeric_limits<double>::quiet_NaN(); });
}

TEST(Checker, FindsBoundsThatClaimTooMuch) {
  expect_caught("lower_lower_bound", [](Known& known) { *known.claims.lower_lower_bound += 1e-12; });
  expect_caught("lower_gap", [](Known& known) { *known.claims.lower_gap -= 1e-12; });
  expect_caught("upper_lower_bound", [](Known& known) { *known.claims.upper_lower_bound += 1e-10; });
  expect_caught("upper_excess", [](Known& known) { *known.claims.upper_excess -= 1e-10; });
  expect_caught("upper_excess", [](Known& known) { known.claims.upper_excess = -kInfinity; });
}

/// f* - f(x) is at least the shortfall: not more than the proved bound of f* minus f(x), and not negative.
TEST(Checker, FindsShortfallsThatClaimTooMuch) {
  expect_caught("shortfall", [](Known& known) { known.claims.shortfall = -1e-9; });
  expect_caught("shortfall", [](Known& known) { known.claims.shortfall = std::numeric_limits<double>::quiet_NaN(); });
  expect_caught("shortfall", [](Known& known) {
    known.claims.shortfall = std::max(0.0, -*known.claims.upper_excess) + 1e-10;
  });
  for (Known known : known::all()) {
    known.claims.shortfall = std::max(0.0, -*known.claims.upper_excess);
    EXPECT_EQ(outcome(run(known), "shortfall"), Outcome::ok) << known.name;
  }
}

/// A relative accuracy is in units of what was proved.
TEST(Checker, FindsRelativeAccuraciesThatAreNotReached) {
  for (Known known : known::all()) {
    const double scale = std::abs(*known.claims.upper_value);
    if (!(scale > 0.0)) continue;
    known.claims.upper_accuracy = 0.0;
    known.claims.upper_relative = 0.5;
    *known.claims.upper_excess = 0.1 * scale;
    EXPECT_TRUE(run(known).all_hold) << known.name << "\n" << to_text(run(known));
    known.claims.upper_relative = 0.05;
    EXPECT_EQ(outcome(run(known), "status"), Outcome::failed) << known.name;
    known.claims.upper_relative = 0.0;
    EXPECT_EQ(outcome(run(known), "status"), Outcome::failed) << known.name;
  }
}

TEST(Checker, AcceptsBoundsThatClaimLess) {
  for (Known known : known::all()) {
    *known.claims.lower_lower_bound -= 1e-7;
    *known.claims.lower_gap += 1e-7;
    *known.claims.upper_lower_bound -= 1e-7;
    *known.claims.upper_excess += 1e-7;
    EXPECT_TRUE(run(known).all_hold) << known.name;
  }
}

TEST(Checker, FindsBadMultipliers) {
  expect_caught("upper_lower_bound", [](Known& known) { known.claims.multiplier *= -1; });
  expect_caught("upper_excess", [](Known& known) { known.claims.multiplier = kInfinity; });
  expect_caught("upper_lower_bound", [](Known& known) { known.claims.multiplier /= 2; });
}

TEST(Checker, HugeMultipliersBuyNoSlack) {
  expect_caught("upper_lower_bound", [](Known& known) {
    known.claims.multiplier = 1e30;
    *known.claims.upper_lower_bound += 100;
  });
}

/// min -y s.t. y minimises -y over [-1, 1]: y* = 1, f* = -1.  With mu = 1e30 the slope of f is lost in that of mu
/// g and plain arithmetic "proves" f* >= 0.
TEST(Checker, RoundingProvesNothing) {
  Known known = known::mitsos_barton_31();
  known.problem.upper = {known::linear(Vector{{-1}})};
  known::claim(known, {1}, -1, -1, -1, -1);
  EXPECT_EQ(outcome(run(known), "upper_lower_bound"), Outcome::ok);
  known.claims.multiplier = 1e30;
  known.claims.upper_lower_bound = -0.5;
  EXPECT_EQ(outcome(run(known), "upper_lower_bound"), Outcome::failed);
}

TEST(Checker, FindsReferencesThatAreNoPointsOfTheDomain) {
  expect_caught("upper_lower_bound", [](Known& known) { known.claims.reference[0] -= 3; });
  expect_caught("upper_excess", [](Known& known) { known.claims.reference.clear(); });
  // However little it is outside: without a proof that it is in Z, its g proves nothing.
  Known known = known::mitsos_barton_31();
  known.claims.reference = {1 + 5e-9};
  EXPECT_EQ(outcome(run(known), "upper_lower_bound"), Outcome::failed);
  known.claims.reference = {std::nextafter(1.0, 2.0)};
  EXPECT_EQ(outcome(run(known), "upper_lower_bound"), Outcome::failed);
  known.claims.reference = {1};
  EXPECT_EQ(outcome(run(known), "upper_lower_bound"), Outcome::ok);
}

TEST(Checker, FindsDualsThatDoNotProveTheBound) {
  Known norm = known::minimum_norm();
  norm.claims.upper_bound.lower_duals[0][0] *= 1.01;
  EXPECT_EQ(outcome(run(norm), "upper_lower_bound"), Outcome::failed);

  Known franke = known::franke_53();
  franke.claims.lower_bound.lower_duals[0][0] = -0.999;
  EXPECT_EQ(outcome(run(franke), "lower_lower_bound"), Outcome::failed);
  EXPECT_EQ(outcome(run(franke), "upper_lower_bound"), Outcome::ok);
  franke = known::franke_53();
  franke.claims.upper_bound.upper_duals[0][0] = 0.999;
  EXPECT_EQ(outcome(run(franke), "upper_excess"), Outcome::failed);

  Known logistic = known::logistic_line();
  logistic.claims.lower_bound.lower_duals[0] = {-0.51, 0.5};
  EXPECT_EQ(outcome(run(logistic), "lower_gap"), Outcome::failed);

  Known ties = known::simplex_with_ties();
  ties.claims.upper_bound.point = {1, 0, 0};
  EXPECT_EQ(outcome(run(ties), "upper_lower_bound"), Outcome::failed);
}

TEST(Checker, SaysWhatIsWrongWithAWitness) {
  using testing::HasSubstr;
  Known known = known::minimum_norm();
  known.claims.upper_bound.point.clear();
  EXPECT_THAT(run(known).find("upper_excess")->note, HasSubstr("witness point: expected 2 numbers, found 0"));
  known = known::minimum_norm();
  known.claims.upper_bound.lower_duals = {};
  EXPECT_THAT(run(known).find("upper_excess")->note, HasSubstr("expected 1 dual vectors, one per term, found 0"));
  known = known::minimum_norm();
  known.claims.multiplier = -1;
  EXPECT_THAT(run(known).find("upper_excess")->note, HasSubstr("expected a finite number >= 0, found -1"));
  known = known::minimum_norm();
  known.claims.upper_bound.kind = "none";
  EXPECT_THAT(run(known).find("upper_excess")->note, HasSubstr("holds no witness"));
  known = known::minimum_norm();
  known.claims.upper_bound.kind = "oath";
  EXPECT_THAT(run(known).find("upper_excess")->note, HasSubstr("found 'oath'"));
  known = known::mitsos_barton_31();
  known.claims.lower_bound.kind = "known";
  EXPECT_THAT(run(known).find("lower_gap")->note, HasSubstr("tell one with lower_bound"));
}

TEST(Checker, EvidenceProvedNeedsEveryBound) {
  for (auto member :
       {&Claims::upper_excess, &Claims::lower_gap, &Claims::upper_lower_bound, &Claims::lower_lower_bound}) {
    expect_caught("evidence", [member](Known& known) { (known.claims.*member).reset(); });
  }
  expect_caught("evidence", [](Known& known) { *known.claims.lower_gap -= 1e-9; });
  expect_caught("evidence", [](Known& known) { known.claims.evidence = "sworn"; });
}

TEST(Checker, NullBoundsAreNotClaimed) {
  for (Known known : known::all()) {
    known.claims.upper_excess.reset();
    known.claims.upper_lower_bound.reset();
    known.claims.upper_bound.kind = "none";
    known.claims.evidence = "estimated";
    known.claims.status = "converged";
    const VerifyReport report = run(known);
    EXPECT_TRUE(report.all_hold) << to_text(report);
    EXPECT_EQ(outcome(report, "upper_excess"), Outcome::not_claimed);
    known.claims.status = "certified";
    EXPECT_EQ(outcome(run(known), "status"), Outcome::failed) << known.name;
  }
}

TEST(Checker, StatusMustFollowFromTheGaps) {
  expect_caught("status", [](Known& known) { *known.claims.upper_excess = 2e-6; });
  expect_caught("status", [](Known& known) { *known.claims.lower_gap = 2e-6; });
  expect_caught("status", [](Known& known) { known.claims.upper_lower_bound.reset(); });
  expect_caught("status", [](Known& known) { *known.claims.lower_lower_bound += 1e-9; });
  expect_caught("status", [](Known& known) { known.claims.status = "brilliant"; });
  expect_caught("status", [](Known& known) { known.claims.lower_accuracy = 0; });
  expect_caught("status", [](Known& known) {
    known.claims.status = "converged";
    known.claims.evidence = "none";
    known.claims.lower_gap.reset();
  });
  // A gap above the accuracy is fine where nothing is said about the accuracy.
  for (Known known : known::all()) {
    *known.claims.upper_excess = 2;
    known.claims.status = "iteration_limit";
    EXPECT_TRUE(run(known).all_hold) << known.name;
  }
}

TEST(Checker, ListsWhatItTakesOnTrust) {
  // min x^2/2 s.t. x minimises (x - 1)^2/2 over R, a solution within 2 of the start 0: x* = 1, f* = 1/2, g* = 0.
  Known known = known::start_of("line", 1);
  known.problem.upper = {known::squared_norm(Vector{{0}})};
  known.problem.lower = {known::squared_norm(Vector{{1}})};
  known.problem.lower[0].lower_bound = 0.0;
  known.problem.domain.kind = data::WholeSpace{2};
  known::claim(known, {1}, 0.5, 0, 0.5 - 0.9e-6, 0);
  known.claims.lower_bound.kind = "known";
  known.claims.multiplier = 1048576;
  known.claims.upper_bound.upper_duals = known.claims.upper_bound.lower_duals = {{}};
  known.claims.upper_bound.point = {1048576.0 / 1048577};
  const VerifyReport report = run(known);
  EXPECT_TRUE(report.all_hold) << to_text(report);
  EXPECT_EQ(outcome(report, "radius"), Outcome::assumed);
  EXPECT_EQ(outcome(report, "lower_bound"), Outcome::assumed);

  known.problem.lower[0].lower_bound = 0.5;  // a lie that x itself refutes
  EXPECT_EQ(outcome(run(known), "premises"), Outcome::failed);
  known.problem.lower[0].lower_bound = 0.0;
  known.problem.domain.kind = data::WholeSpace{};  // without a radius the slope, not exactly 0, proves nothing
  EXPECT_EQ(outcome(run(known), "upper_lower_bound"), Outcome::failed);
}

TEST(Checker, FindsQuadraticsThatAreNotConvex) {
  Known known = known::franke_53();
  data::Matrix& q = std::get<data::Quadratic>(known.problem.upper[0].kind).matrix;
  q.matrix = RowMajorMatrix{{2, 0}, {0, -2}};
  EXPECT_EQ(outcome(run(known), "convexity"), Outcome::failed);
  q.matrix = RowMajorMatrix{{2, 1}, {0, 2}};
  EXPECT_EQ(outcome(run(known), "convexity"), Outcome::failed);
  EXPECT_EQ(outcome(run(known::toy()), "convexity"), Outcome::ok);  // singular, still convex
}

TEST(Report, ShowsEveryLineAndTheVerdict) {
  Known known = known::simplex_with_ties();
  EXPECT_THAT(to_text(run(known)), testing::EndsWith("verified: all 11 claims hold\n"));
  *known.claims.lower_gap -= 1e-3;
  const std::string text = to_text(run(known));
  EXPECT_THAT(text, testing::EndsWith("NOT verified: 3 of 11 claims failed\n"));  // gap, evidence, status
  EXPECT_THAT(text,
              testing::ContainsRegex("lower_gap +-0.00099[0-9]* .*FAILED: claims 0.001 more than is proved"));
}

}  // namespace
}  // namespace fcbio::verify
