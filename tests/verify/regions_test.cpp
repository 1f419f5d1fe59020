// Every set: linear bounds against sampled members and against the truth where it is known, whatever the witness;
// membership.
#include <gtest/gtest.h>

#include "membership.hpp"
#include "region.hpp"
#include "samples.hpp"
#include "solver_side.hpp"

namespace fcbio::verify {
namespace {

using samples::Generator;

std::vector<Number> exact_slope(const Vector& slope) {
  std::vector<Number> numbers;
  for (const double number : slope) numbers.push_back(exact(number));
  return numbers;
}

Number bound_of(const Region& region, const std::vector<Number>& slope, const ClaimedSetBound& witness = {}) {
  std::string wrong;
  const Number bound = linear_lower_bound(region, slope, witness, wrong);
  EXPECT_EQ(wrong, "");
  return bound;
}

/// With the witness for this slope and with one for another: both must be true.
TEST(Regions, LinearBoundsHoldAtEverySampledMember) {
  Generator random(11);
  for (const std::string& kind : samples::kSets) {
    for (int trial = 0; trial < 40; ++trial) {
      const Index n = 1 + trial % 6;
      const data::Set set = samples::set(random, kind, n);
      const Vector start = samples::gaussian(random, n);
      const Region region = make_region(set, samples::reals(start));
      const Vector slope = samples::gaussian(random, n);
      const auto solver = samples::solver_problem(set, start);
      double claimed = 0.0;
      const Number bound =
          bound_of(region, exact_slope(slope), samples::witness_for(solver->domain(), slope, &claimed));
      const Number other = bound_of(region, exact_slope(slope),
                                    samples::witness_for(solver->domain(), samples::gaussian(random, n)));
      ASSERT_TRUE(std::isfinite(bound.value)) << kind;
      EXPECT_LE(Real{claimed}, bound.value - bound.error()) << kind;  // the contract: what is claimed is accepted
      for (int sample = 0; sample < 50; ++sample) {
        const Vector z = samples::member(random, set, start);
        EXPECT_LE(bound.value - bound.error(), slope.dot(z) + 1e-12 * (1 + z.norm())) << kind;
        EXPECT_LE(other.value - other.error(), slope.dot(z) + 1e-12 * (1 + z.norm())) << kind;
      }
    }
  }
}

/// x = lim P(x - t slope) minimises the linear function, so <slope, x> there must not lie above the bound.
TEST(Regions, LinearBoundsAreAttained) {
  Generator random(12);
  for (const std::string& kind : samples::kSets) {
    if (kind == "whole-space" || kind == "orthant") continue;  // projections that know nothing of the told radius
    for (int trial = 0; trial < 30; ++trial) {
      const Index n = 1 + trial % 6;
      const data::Set set = samples::set(random, kind, n);
      const Region region = make_region(set, RealVector(static_cast<std::size_t>(n), 0));
      const auto solver = samples::solver_problem(set, Vector::Zero(n));
      const Vector slope = samples::gaussian(random, n);
      Vector x = Vector::Zero(n);
      Scratch scratch;
      for (int step = 0; step < 12; ++step) {
        x -= 30 * slope;
        solver->domain().project(x, scratch);
      }
      const Number bound = bound_of(region, exact_slope(slope), samples::witness_for(solver->domain(), slope));
      EXPECT_NEAR(slope.dot(x) - static_cast<double>(bound.value), 0.0, 1e-5 * (1 + slope.norm()))
          << kind << " " << n;
    }
  }
}

/// Rows imply sides, open sides count by the told radius, and no weight may lie on an open side.
TEST(Regions, BoundsOfPolyhedraThatAreKnownByHand) {
  const auto bound = [](const data::Set& set, const Vector& slope, const std::vector<double>& y) {
    std::string wrong;
    ClaimedSetBound witness;
    witness.multipliers = y;
    const Region region = make_region(set, RealVector(static_cast<std::size_t>(slope.size()), 0));
    return linear_lower_bound(region, exact_slope(slope), witness, wrong).value;
  };
  const RowMajorMatrix ones = RowMajorMatrix::Ones(1, 2);
  const Vector zero = Vector::Zero(2), open = Vector::Constant(2, kInfinity);
  const Vector none = Vector::Constant(1, -kInfinity), two = Vector::Constant(1, 2.0);
  const data::Set plan{data::Polyhedron{{ones}, none, two, zero, open}};  // x >= 0, x_1 + x_2 <= 2
  EXPECT_EQ(bound(plan, Vector{{-1, -1}}, {-1}), -2);
  EXPECT_NEAR(static_cast<double>(bound(plan, Vector{{-1, -1}}, {})), -4, 1e-15);  // the implied sides
  EXPECT_EQ(bound(plan, Vector{{-1, -1}}, {1}), -kRealInfinity);
  const data::Set cover{data::Polyhedron{{ones}, two, open.head(1), zero, open}};  // x_1 + x_2 >= 2
  EXPECT_EQ(bound(cover, Vector{{1, 1}}, {1}), -kRealInfinity);  // 1 - 1 is 0 but for rounding: any sign
  EXPECT_EQ(bound(cover, Vector{{-3, -4}}, {0}), -kRealInfinity);
  const data::Set told{data::Polyhedron{{ones}, two, open.head(1), zero, open, 10.0}};
  EXPECT_EQ(bound(told, Vector{{-3, -4}}, {0}), -50);
  EXPECT_EQ(bound(told, Vector{{1, 1}}, {1}), 2);
}

/// The segment x_1 + x_2 = 1, told as two inequalities: tight rows are read as equations.
TEST(Regions, MembersOfSetsWithoutInteriorAreProved) {
  const RowMajorMatrix rows{{1, 1, 0}, {-1, -1, 0}, {1, 0, 1}};
  const Vector open = Vector::Constant(3, -kInfinity), upper{{1, -1, 1.5}};
  const data::Set set{data::Polyhedron{{rows}, open, upper, Vector::Zero(3), Vector::Ones(3)}, 3};
  const Region region = make_region(set, RealVector(3, 0));
  const auto solver = samples::solver_problem(set, Vector::Zero(3));
  Vector x{{0.3, 0.7 + 1e-15, 0.2}};
  const double off = solver->domain().settle(x);
  EXPECT_LE(off, 1e-13);
  EXPECT_LE(proved_distance(region, samples::reals(x)), Real{off});
  EXPECT_EQ(proved_distance(region, RealVector{0.3L, 0.8L, 0.2L}), kRealInfinity);
}

TEST(Regions, BoundsThatAreKnownByHand) {
  const data::Set ball{data::Ball{2, Vector{{1, 0}}}};
  EXPECT_EQ(bound_of(make_region(ball, RealVector{0, 0}), exact_slope(Vector{{3, 4}})).value, 3 - 10);

  const data::Set simplex{data::Simplex{2}};
  EXPECT_EQ(bound_of(make_region(simplex, RealVector{0, 0, 0}), exact_slope(Vector{{5, -1, 4}})).value, -2);

  // The corner where x + y <= 1 cuts the unit circle: (1, 0) for direction (-1, 0).
  const data::Set half{data::Halfspace{Vector{{1, 1}}, 1, 1}};
  const Vector direction{{-1, -0.2}};
  const ClaimedSetBound half_witness =
      samples::witness_for(samples::solver_problem(half, Vector::Zero(2))->domain(), direction);
  EXPECT_NEAR(static_cast<double>(
                  bound_of(make_region(half, RealVector{0, 0}), exact_slope(direction), half_witness).value),
              -1.0, 1e-15);
  // Without a multiplier it is the bound of the ball.
  EXPECT_NEAR(static_cast<double>(bound_of(make_region(half, RealVector{0, 0}), exact_slope(direction)).value),
              -direction.norm(), 1e-15);

  // The segment from (1, 1, -1) to (1, 1, 1): x = y = 1, |z| <= sqrt 3; the third row repeats the first two.
  data::Set line{data::Affine{RowMajorMatrix{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, Vector{{1, 1, 2}}, std::sqrt(3.0)}};
  const Vector way{{2, 3, 4}};
  const ClaimedSetBound line_witness =
      samples::witness_for(samples::solver_problem(line, Vector::Zero(3))->domain(), way);
  EXPECT_NEAR(
      static_cast<double>(bound_of(make_region(line, RealVector{0, 0, 0}), exact_slope(way), line_witness).value),
      1.0, 1e-14);
  EXPECT_LE(proved_distance(make_region(line, RealVector{0, 0, 0}), RealVector{1, 1, 0.5L}), 1e-18L);
  std::get<data::Affine>(line.kind).values[2] = 5;  // contradicts the others
  EXPECT_EQ(proved_distance(make_region(line, RealVector{0, 0, 0}), RealVector{1, 1, 0.5L}), kRealInfinity);
  EXPECT_FALSE(violation(make_region(line, RealVector{0, 0, 0}), RealVector{1, 1, 0.5L}).tolerable());
}

/// P6 of the literature: x + y <= 1, 4x + 6y <= 5, x, y >= 0; vertices (0,0), (1,0), (1/2,1/2), (0,5/6).
TEST(Regions, IntersectionBoundsAreExactAtTheVerticesOfAPolygon) {
  const data::Set first{data::Halfspace{Vector{{1, 1}}, 1, 10}}, second{data::Halfspace{Vector{{4, 6}}, 5, 10}};
  const data::Set quadrant{data::Box{Vector::Zero(2), Vector::Constant(2, kInfinity)}};
  const data::Set all{data::Intersection{{first, second, quadrant}}};
  const Region region = make_region(all, RealVector{0, 0});
  const auto solver = samples::solver_problem(all, Vector::Zero(2));
  Generator random(13);
  for (int trial = 0; trial < 50; ++trial) {
    const Vector slope = samples::gaussian(random, 2);
    const double truth = std::min({0.0, slope[0], 0.5 * slope[0] + 0.5 * slope[1], 5.0 / 6 * slope[1]});
    const ClaimedSetBound witness = samples::witness_for(solver->domain(), slope);
    EXPECT_NEAR(static_cast<double>(bound_of(region, exact_slope(slope), witness).value), truth, 1e-11);
  }
}

TEST(Regions, WithoutARadiusNothingIsProved) {
  const data::Set space{data::WholeSpace{}};
  const Region region = make_region(space, RealVector{0, 0});
  EXPECT_EQ(bound_of(region, exact_slope(Vector{{1, 0}})).value, -kRealInfinity);
  EXPECT_EQ(bound_of(region, exact_slope(Vector{{0, 0}})).value, 0);
  EXPECT_EQ(proved_distance(region, RealVector{1e9L, 0}), 0);
}

TEST(Regions, OpenSidesOfABoxCountUnlessTheSignIsCertain) {
  const data::Set box{data::Box{Vector{{1}}, Vector{{kInfinity}}}};
  const Region region = make_region(box, RealVector{0});
  EXPECT_EQ(bound_of(region, exact_slope(Vector{{2}})).value, 2);
  EXPECT_EQ(bound_of(region, exact_slope(Vector{{-2}})).value, -kRealInfinity);
  const std::vector<Number> unsure = {{1e-25L, 1.0L}};  // the sum cancelled: its sign means nothing
  EXPECT_EQ(bound_of(region, unsure).value, -kRealInfinity);
}

TEST(Regions, AWitnessThatDoesNotFitProvesNothing) {
  const auto refused = [](const data::Set& set, const ClaimedSetBound& witness) {
    std::string wrong;
    const Number bound =
        linear_lower_bound(make_region(set, RealVector{0, 0}), exact_slope(Vector{{1, 0}}), witness, wrong);
    EXPECT_EQ(bound.value, -kRealInfinity);
    return wrong;
  };
  const data::Set half{data::Halfspace{Vector{{1, 1}}, 0, 1}};
  EXPECT_EQ(refused(half, {{-1}, {}, {}}), "witness of a halfspace: expected one finite multiplier >= 0");
  EXPECT_EQ(refused(half, {{1, 2}, {}, {}}), "witness of a halfspace: expected one finite multiplier >= 0");
  EXPECT_EQ(refused(half, {{kInfinity}, {}, {}}), "witness of a halfspace: expected one finite multiplier >= 0");
  const data::Set both{data::Intersection{{half, half}}};
  EXPECT_NE(refused(both, {}), "");
  EXPECT_NE(refused(both, {{}, {{}, {}}, {}}), "");
  EXPECT_NE(refused(both, {{}, {{}, {1}}, {}}), "");
  EXPECT_NE(refused(both, {{}, {{}, {1, kInfinity}}, {}}), "");
  EXPECT_NE(refused(both, {{}, {{}, {1, 0}}, {{}}}), "");
}

/// Sampled members, settled by the solver, are members for the checker: proved, and at most as far as the solver
/// says.
TEST(Regions, MembersAreMembersAndOthersAreNot) {
  Generator random(15);
  for (const std::string& kind : samples::kSets) {
    for (int trial = 0; trial < 60; ++trial) {
      const Index n = 1 + trial % 6;
      const data::Set set = samples::set(random, kind, n);
      const Region region = make_region(set, RealVector(static_cast<std::size_t>(n), 0));
      const auto solver = samples::solver_problem(set, Vector::Zero(n));
      Vector x = samples::member(random, set, Vector::Zero(n));
      const Vector before = x;
      const double off = solver->domain().settle(x);
      EXPECT_LE(off, 1e-13) << kind;
      EXPECT_LE((x - before).norm(), kind == "polyhedron" ? 1e-10 : 1e-13) << kind;
      EXPECT_LE(proved_distance(region, samples::reals(x)), Real{off}) << kind;
      EXPECT_TRUE(violation(region, samples::reals(x)).tolerable()) << kind;
      if (kind == "whole-space" || kind == "orthant") continue;
      const RealVector far(static_cast<std::size_t>(n), 100);
      EXPECT_GT(proved_distance(region, far), 50) << kind;
      EXPECT_GT(violation(region, far).off, 1) << kind;
    }
  }
}

TEST(Regions, RefuseWhatDoesNotFit) {
  EXPECT_THROW(make_region({data::Ball{1, Vector::Zero(3)}}, RealVector{0, 0}), std::invalid_argument);
  EXPECT_THROW(make_region({data::Product{}}, RealVector{0, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace fcbio::verify
