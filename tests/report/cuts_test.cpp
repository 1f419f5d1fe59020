// The cuts drawn in the trade-off chart hold on all of Z.
// The problem: f = 1/2 |x|^2, g = 1/2 (x_1 - 1)^2 on the ball of radius 2 in the plane, so f* = 1/2, g* = 0, and
//     min over Z of f + mu g = mu / (2 (1 + mu)).
#include "report/cuts.hpp"

#include <gtest/gtest.h>

#include <random>

namespace fcbio::report_test {
namespace {

using report::Cut;
using report::proved_cuts;

Problem plane() {
  const RowMajorMatrix row{{1.0, 0.0}};
  return Problem(squared_norm(Vector::Zero(2)), least_squares(dense_map(row), Vector::Ones(1)),
                 ball(Vector::Zero(2), 2.0));
}

double least(double multiplier) { return 0.5 * multiplier / (1.0 + multiplier); }

/// As a solver would leave it: the bound is low - mu g(reference).
Result proved(double multiplier, const Vector& reference) {
  Result result;
  const double lower = 0.5 * (reference[0] - 1.0) * (reference[0] - 1.0);
  result.certificate.evidence = Evidence::proved;
  result.certificate.upper_lower_bound = least(multiplier) - multiplier * lower;
  result.witness.multiplier = multiplier;
  result.witness.reference = reference;
  result.witness.upper_bound.kind = "dual";
  return result;
}

TEST(Cuts, AreTheMinimumOfTheWeightedSum) {
  const Vector reference{{0.75, 0.25}};
  for (const double multiplier : {0.0, 0.1, 1.0, 20.0, 1e4}) {
    const std::vector<Cut> cuts = proved_cuts(plane(), proved(multiplier, reference));
    ASSERT_EQ(cuts.size(), 2U);
    EXPECT_EQ(cuts[0].multiplier, multiplier);
    EXPECT_LE(cuts[0].value, least(multiplier));
    EXPECT_NEAR(cuts[0].value, least(multiplier), 1e-15 * (1.0 + multiplier));
    EXPECT_EQ(cuts[1].multiplier, 0.0);  // a squared norm knows that it is not negative
    EXPECT_EQ(cuts[1].value, 0.0);
  }
}

TEST(Cuts, HoldAtEveryPointOfTheDomain) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> coordinate(-1.4, 1.4);
  for (const double multiplier : {0.3, 5.0, 300.0}) {
    const Cut cut = proved_cuts(plane(), proved(multiplier, Vector{{0.9, 0.0}}))[0];
    double closest = kInfinity;
    for (int i = 0; i < 2000; ++i) {
      const double a = coordinate(random), b = 0.05 * coordinate(random);
      const double f = 0.5 * (a * a + b * b), g = 0.5 * (a - 1.0) * (a - 1.0);
      EXPECT_GE(f, cut.value - multiplier * g);
      closest = std::min(closest, f - (cut.value - multiplier * g));
    }
    EXPECT_LT(closest, 0.1 * (1.0 + multiplier));  // and they are not idle
  }
}

TEST(Cuts, NothingIsDrawnThatIsNotProved) {
  const Vector reference{{0.75, 0.25}};
  Result result = proved(2.0, reference);
  result.certificate.evidence = Evidence::estimated;
  EXPECT_EQ(proved_cuts(plane(), result).size(), 1U);  // only f >= 0
  result = proved(2.0, reference);
  result.certificate.upper_lower_bound.reset();
  EXPECT_EQ(proved_cuts(plane(), result).size(), 1U);
  result = proved(2.0, reference);
  result.witness.upper_bound.kind = "none";
  EXPECT_EQ(proved_cuts(plane(), result).size(), 1U);
  result = proved(2.0, reference);
  result.witness.reference = Vector();
  EXPECT_EQ(proved_cuts(plane(), result).size(), 1U);
}

}  // namespace
}  // namespace fcbio::report_test
