// How deep a point lies inside of a set: the ball of that radius about it is in the set, and no larger one.
#include <gtest/gtest.h>

#include "fcbio/user_set.hpp"
#include "sets/support.hpp"

namespace fcbio::test {
namespace {

TEST(Depth, IsTheRadiusOfTheLargestBallInside) {
  Random random(11);
  const Index n = 5;
  const Vector centre = random.vector(n);
  Vector lower = Vector::Constant(n, -1.0), upper = Vector::Constant(n, 2.0);
  lower[1] = -kInfinity;
  upper[3] = kInfinity;
  for (const ConvexSetPtr& set : {ball(centre, 2.0), box(lower, upper), l1_ball(centre, 3.0),
                                  nonnegative_ball(n, 4.0), whole_space(centre, 2.5)}) {
    SCOPED_TRACE(set->name());
    ASSERT_TRUE(set->depth(centre));
    const bool is_space = set->name() == "whole-space";
    int inside = 0;
    for (int trial = 0; trial < 200; ++trial) {
      const Vector point = set->name() == "nonnegative-ball" ? Vector(random.vector(n).cwiseAbs())
                                                             : Vector(centre + 0.7 * random.vector(n));
      const double depth = set->depth(point).value();
      if (is_space) {
        EXPECT_NEAR(depth, 2.5 - (point - centre).norm(), 1e-7);
        continue;
      }
      if (depth < 0.0) {
        EXPECT_GT(set->violation(point), -1e-7);
        continue;
      }
      ++inside;
      double least = kInfinity;  // distance to the outside, seen along many directions
      for (int k = 0; k < 50; ++k) {
        const Vector direction = random.vector(n).normalized();
        EXPECT_EQ(set->violation(point + depth * direction), 0.0);
      }
      for (Index j = 0; j < n; ++j)
        for (const double sign : {-1.0, 1.0}) {
          const Vector there = point + sign * (depth + 1e-6) * Vector::Unit(n, j);
          if (set->violation(there) > 0.0) least = depth;
        }
      const Vector outwards = (point - centre).cwiseSign() / std::sqrt(static_cast<double>(n));
      const Vector radial =
          set->name() == "l1-ball"
              ? outwards
              : Vector((point - (set->name() == "ball" ? centre : Vector::Zero(n))).normalized());
      if (set->violation(point + (depth + 1e-6) * radial) > 0.0) least = depth;
      EXPECT_EQ(least, depth);
    }
    EXPECT_TRUE(is_space || inside > 10);
  }
  EXPECT_EQ(whole_space(centre, std::nullopt)->depth(centre), kInfinity);
}

TEST(Depth, IsNotKnownOfSetsWithEquationsOrWithoutDescription) {
  EXPECT_FALSE(simplex(3)->depth(Vector::Constant(3, 1.0 / 3.0)));
  EXPECT_FALSE(box(vec({0.0, 1.0}), vec({1.0, 1.0}))->depth(vec({0.5, 1.0})));  // one side has no width
  EXPECT_FALSE(affine_subspace(RowMajorMatrix{{1.0, 1.0}}, vec({1.0}), 2.0)->depth(vec({0.5, 0.5})));
  UserSet own;
  own.dimension = 2;
  own.radius = 1.0;
  own.project = [](VectorOut x) { x /= std::max(1.0, x.norm()); };
  EXPECT_FALSE(user_set(own)->depth(Vector::Zero(2)));
}

TEST(ProjectWhereBounded, IsTheProjectionButForTheToldBall) {
  Random random(5);
  for (const Example& example : examples()) {
    Scratch scratch;
    const Vector x = random.vector(example.set->dimension(), 10.0);
    Vector bounded = x;
    example.set->project_where_bounded(bounded, scratch);
    Vector centre = bounded;
    const bool told = std::holds_alternative<WholeSpaceShape>(example.set->shape());
    if (!told) {
      EXPECT_EQ(bounded, projected(*example.set, x)) << example.label;
    } else if (const auto radius = example.set->enclosing_ball(centre)) {
      EXPECT_LE((bounded - projected(*ball(centre, *radius), x)).norm(), 1e-13 * (1.0 + x.norm()));
      EXPECT_EQ(projected(*example.set, x), x);
    } else {
      EXPECT_EQ(bounded, x);
    }
  }
}

}  // namespace
}  // namespace fcbio::test
