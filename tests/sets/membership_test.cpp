// Proofs of membership: what settle() returns is at least the true distance, and what it calls inside is inside.
#include "sets/membership.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fcbio/set.hpp"

namespace fcbio {
namespace {

/// x = 1 and x + t y = 1 + t: the point (1, 1), at an angle of t.  (1, 1 + d) has the residual t d and the
/// distance d.
TEST(Membership, NearlyParallelEquationsCostTheirAngle) {
  for (const double angle : {0.5, 0x1p-10, 0x1p-20, 0x1p-30, 0x1p-36}) {
    const ConvexSetPtr set =
        affine_subspace(RowMajorMatrix{{1.0, 0.0}, {1.0, angle}}, Vector{{1.0, 1.0 + angle}}, 10.0);
    const double offset = 0x1p-14;
    Vector x{{1.0, 1.0 + offset}};
    const double distance = set->settle(x);
    EXPECT_GE(distance, offset) << angle;
    EXPECT_LE(distance, 4.0 * offset) << angle;
    EXPECT_EQ(x, (Vector{{1.0, 1.0 + offset}})) << angle;
  }
}

TEST(Membership, DependentEquationsCountOnlyWhereTheyAreExact) {
  Vector x{{0.25, 0.75, 0.0}};
  const RowMajorMatrix exact{{1.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {2.0, 2.0, -0.5}};
  EXPECT_LE(affine_subspace(exact, Vector{{1.0, 0.0, 2.0}}, 10.0)->settle(x), 1e-15);
  // The third row is the first but for its last bits: what it means is decided by rounding.
  const RowMajorMatrix rounded{{0.1, 0.2, 0.0}, {0.0, 0.0, 1.0}, {0.1 / 3.0, 0.2 / 3.0, 0.0}};
  const Vector values{{0.1 * 0.25 + 0.2 * 0.75, 0.0, (0.1 * 0.25 + 0.2 * 0.75) / 3.0}};
  const double distance = affine_subspace(rounded, values, 10.0)->settle(x);
  EXPECT_GT(distance, 1e-3);  // infinite, or a distance that is worth nothing
}

TEST(Membership, PointsOnTheRimOfAThinCapAreMovedInside) {
  for (const double rim : {1e-1, 1e-3, 1e-5}) {
    const Vector normal = Vector{{3.0, -4.0, 0.0}} / 7.0;
    const double radius = 1e4, height = -radius * std::sqrt(1.0 - rim * rim);
    const ConvexSetPtr set = halfspace(normal, height * normal.norm(), radius);
    Vector x{{1.0, 2.0, 3.0}};
    Scratch scratch;
    x *= 1e6;
    set->project(x, scratch);
    const Vector before = x;
    ASSERT_EQ(set->settle(x), 0.0) << rim;
    long double inner = 0, square = 0;
    for (Index j = 0; j < 3; ++j) {
      inner += static_cast<long double>(normal[j]) * x[j];
      square += static_cast<long double>(x[j]) * x[j];
    }
    EXPECT_LE(inner, static_cast<long double>(height * normal.norm())) << rim;
    EXPECT_LE(square, static_cast<long double>(radius) * radius) << rim;
    EXPECT_LE((x - before).norm(), 1e-14 / (rim * rim) * rim * radius) << rim;  // eps R / height of the way across
  }
}

TEST(Membership, ABallFarAwayKeepsItsPoints) {
  const Vector centre = Vector::Constant(4, 1e8);
  const ConvexSetPtr set = ball(centre, 1.0);
  Vector x = centre + Vector{{1.0, 1.0, 1.0, 1.0}};
  Scratch scratch;
  set->project(x, scratch);
  EXPECT_EQ(set->settle(x), 0.0);
  EXPECT_LE((x - centre).cast<long double>().norm(), 1.0L);
  EXPECT_GE((x - centre).norm(), 1.0 - 1e-6);
}

TEST(Membership, SetsThatOnlyTouchProveNothing) {
  const ConvexSetPtr set = intersection({ball(Vector{{-1.0, 0.0}}, 1.0), ball(Vector{{1.0, 0.0}}, 1.0)});
  Vector x{{0.0, 1e-9}};
  EXPECT_EQ(set->settle(x), kInfinity);
}

TEST(Membership, WedgesHaveAnInterior) {
  for (const double angle : {0.3, 1e-2, 1e-4}) {
    const ConvexSetPtr set = intersection({halfspace(Vector{{std::sin(angle), std::cos(angle)}}, 0.0, 4.0),
                                           halfspace(Vector{{std::sin(angle), -std::cos(angle)}}, 0.0, 4.0)});
    Vector inside(2);
    ASSERT_TRUE(set->interior_point(inside)) << angle;
    EXPECT_GT(sets::membership_of(*set)->room(inside), 0.2 * 4.0 * angle / (1.0 + angle)) << angle;
    Vector apex = Vector::Zero(2);
    EXPECT_EQ(set->settle(apex), 0.0) << angle;
    EXPECT_LE(apex.norm(), 1e-13 / angle) << angle;
  }
}

/// A box that fixes a coordinate, cut by an equation: the fixed coordinate stays, the others make up for the
/// equation.
TEST(Membership, FixedCoordinatesStay) {
  const ConvexSetPtr set = intersection({box(Vector{{2.0, -1.0, -1.0}}, Vector{{2.0, 1.0, 1.0}}),
                                         affine_subspace(RowMajorMatrix{{1.0, 1.0, 1.0}}, Vector{{2.5}}, 10.0)});
  Vector x{{2.0, 0.25, 0.25 + 0x1p-50}};
  const double distance = set->settle(x);
  EXPECT_EQ(x[0], 2.0);
  EXPECT_GE(distance, 0x1p-50 / std::sqrt(2.0));
  EXPECT_LE(distance, 4.0 * 0x1p-50);
}

}  // namespace
}  // namespace fcbio
