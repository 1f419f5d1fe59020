// Every set: linear bounds against sampled members and against the truth where it is known, projections by their
// optimality condition, membership.
#include <gtest/gtest.h>

#include "region.hpp"
#include "samples.hpp"

namespace fcbio::verify {
namespace {

using samples::Generator;

std::vector<Number> exact_slope(const Vector& slope) {
  std::vector<Number> numbers;
  for (const double number : slope) numbers.push_back(exact(number));
  return numbers;
}

TEST(Regions, LinearBoundsHoldAtEverySampledMember) {
  Generator random(11);
  for (const std::string& kind : samples::kSets) {
    for (int trial = 0; trial < 40; ++trial) {
      const Index n = 1 + trial % 6;
      const io::SetData set = samples::set(random, kind, n);
      const Vector start = samples::gaussian(random, n);
      const Region region = make_region(set, samples::reals(start));
      const Vector slope = samples::gaussian(random, n);
      const Number bound = linear_lower_bound(region, exact_slope(slope));
      ASSERT_TRUE(std::isfinite(bound.value)) << kind;
      for (int sample = 0; sample < 50; ++sample) {
        const Vector z = samples::member(random, set, start);
        EXPECT_LE(bound.value - bound.error(), slope.dot(z) + 1e-12 * (1 + z.norm())) << kind;
      }
    }
  }
}

/// x = lim P(x - t slope) minimises the linear function, so <slope, x> there must not lie above the bound.
TEST(Regions, LinearBoundsAreAttained) {
  Generator random(12);
  for (const std::string& kind : samples::kSets) {
    if (kind == "whole-space") continue;  // its projection is the identity
    for (int trial = 0; trial < 30; ++trial) {
      const Index n = 1 + trial % 6;
      const io::SetData set = samples::set(random, kind, n);
      const Region region = make_region(set, RealVector(static_cast<std::size_t>(n), 0));
      const Vector slope = samples::gaussian(random, n);
      RealVector x(static_cast<std::size_t>(n), 0);
      for (int step = 0; step < 12; ++step) {
        for (std::size_t j = 0; j < x.size(); ++j) x[j] -= 30 * slope[static_cast<Index>(j)];
        project(region, x);
      }
      const Number bound = linear_lower_bound(region, exact_slope(slope));
      const Real attained = dot(x, samples::reals(slope));
      EXPECT_NEAR(static_cast<double>(attained - bound.value), 0.0, 1e-5 * (1 + slope.norm())) << kind << " " << n;
    }
  }
}

TEST(Regions, BoundsThatAreKnownByHand) {
  io::SetData ball;
  ball.kind = "ball";
  ball.radius = 2;
  ball.center = Vector{{1, 0}};
  EXPECT_EQ(linear_lower_bound(make_region(ball, RealVector{0, 0}), exact_slope(Vector{{3, 4}})).value, 3 - 10);

  io::SetData simplex;
  simplex.kind = "simplex";
  simplex.total = 2;
  EXPECT_EQ(linear_lower_bound(make_region(simplex, RealVector{0, 0, 0}), exact_slope(Vector{{5, -1, 4}})).value,
            -2);

  // The corner where x + y <= 1 cuts the unit circle: (1, 0) for direction (-1, 0).
  io::SetData half;
  half.kind = "halfspace";
  half.coefficients = Vector{{1, 1}};
  half.value = 1;
  half.radius = 1;
  EXPECT_NEAR(static_cast<double>(
                  linear_lower_bound(make_region(half, RealVector{0, 0}), exact_slope(Vector{{-1, -0.2}})).value),
              -1.0, 1e-15);

  // The segment from (1, 1, -1) to (1, 1, 1): x = y = 1, |z| <= sqrt 3; the third row repeats the first two.
  io::SetData line;
  line.kind = "affine";
  line.matrix = RowMajorMatrix{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  line.values = Vector{{1, 1, 2}};
  line.radius = std::sqrt(3.0);
  EXPECT_NEAR(
      static_cast<double>(
          linear_lower_bound(make_region(line, RealVector{0, 0, 0}), exact_slope(Vector{{2, 3, 4}})).value),
      1.0, 1e-14);
  EXPECT_LE(distance(make_region(line, RealVector{0, 0, 0}), RealVector{1, 1, 0.5L}), 1e-18L);
  line.values[2] = 5;  // contradicts the others
  EXPECT_GT(distance(make_region(line, RealVector{0, 0, 0}), RealVector{1, 1, 0.5L}), 1);
}

/// P6 of the literature: x + y <= 1, 4x + 6y <= 5, x, y >= 0; vertices (0,0), (1,0), (1/2,1/2), (0,5/6).
TEST(Regions, IntersectionBoundsAreExactAtTheVerticesOfAPolygon) {
  io::SetData first, second, quadrant, all;
  first.kind = second.kind = "halfspace";
  first.coefficients = Vector{{1, 1}};
  first.value = 1;
  second.coefficients = Vector{{4, 6}};
  second.value = 5;
  first.radius = second.radius = 10;
  quadrant.kind = "box";
  quadrant.lower = Vector::Zero(2);
  quadrant.upper = Vector::Constant(2, kInfinity);
  all.kind = "intersection";
  all.sets = {first, second, quadrant};
  const Region region = make_region(all, RealVector{0, 0});
  Generator random(13);
  for (int trial = 0; trial < 50; ++trial) {
    const Vector slope = samples::gaussian(random, 2);
    const double truth = std::min({0.0, slope[0], 0.5 * slope[0] + 0.5 * slope[1], 5.0 / 6 * slope[1]});
    EXPECT_NEAR(static_cast<double>(linear_lower_bound(region, exact_slope(slope)).value), truth, 1e-14);
  }
}

TEST(Regions, WithoutARadiusNothingIsProved) {
  io::SetData space;
  space.kind = "whole-space";
  const Region region = make_region(space, RealVector{0, 0});
  EXPECT_EQ(linear_lower_bound(region, exact_slope(Vector{{1, 0}})).value, -kRealInfinity);
  EXPECT_EQ(linear_lower_bound(region, exact_slope(Vector{{0, 0}})).value, 0);
  EXPECT_EQ(distance(region, RealVector{1e9L, 0}), 0);
}

TEST(Regions, OpenSidesOfABoxCountUnlessTheSignIsCertain) {
  io::SetData box;
  box.kind = "box";
  box.lower = Vector{{1}};
  box.upper = Vector{{kInfinity}};
  const Region region = make_region(box, RealVector{0});
  EXPECT_EQ(linear_lower_bound(region, exact_slope(Vector{{2}})).value, 2);
  EXPECT_EQ(linear_lower_bound(region, exact_slope(Vector{{-2}})).value, -kRealInfinity);
  const std::vector<Number> unsure = {{1e-25L, 1.0L}};  // the sum cancelled: its sign means nothing
  EXPECT_EQ(linear_lower_bound(region, unsure).value, -kRealInfinity);
}

TEST(Regions, ProjectionsAreNearest) {
  Generator random(14);
  for (const std::string& kind : samples::kSets) {
    if (kind == "whole-space") continue;
    for (int trial = 0; trial < 30; ++trial) {
      const Index n = 1 + trial % 6;
      const io::SetData set = samples::set(random, kind, n);
      const RealVector zero(static_cast<std::size_t>(n), 0);
      const Region region = make_region(set, zero);
      const RealVector far = samples::reals(4 * samples::gaussian(random, n));
      RealVector near = far;
      project(region, near);
      EXPECT_LE(distance(region, near), 1e-15L) << kind;
      for (int sample = 0; sample < 30; ++sample) {  // <far - near, z - near> <= 0 for all members z
        const RealVector z = samples::reals(samples::member(random, set, Vector::Zero(n)));
        Real product = 0;
        for (std::size_t j = 0; j < near.size(); ++j) product += (far[j] - near[j]) * (z[j] - near[j]);
        EXPECT_LE(product, 1e-11L) << kind;
      }
    }
  }
}

TEST(Regions, MembersAreMembersAndOthersAreNot) {
  Generator random(15);
  for (const std::string& kind : samples::kSets) {
    if (kind == "whole-space") continue;
    const io::SetData set = samples::set(random, kind, 4);
    const Region region = make_region(set, RealVector(4, 0));
    for (int sample = 0; sample < 50; ++sample) {
      EXPECT_LE(distance(region, samples::reals(samples::member(random, set, Vector::Zero(4)))), 1e-14L) << kind;
    }
    EXPECT_GT(distance(region, RealVector(4, 100)), 50) << kind;
  }
}

TEST(Regions, RefuseWhatDoesNotFit) {
  io::SetData set;
  set.kind = "torus";
  EXPECT_THROW(make_region(set, RealVector{0}), std::invalid_argument);
  set.kind = "ball";
  set.center = Vector::Zero(3);
  EXPECT_THROW(make_region(set, RealVector{0, 0}), std::invalid_argument);
  set.kind = "product";
  EXPECT_THROW(make_region(set, RealVector{0, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace fcbio::verify
