// Sets tell what they are, with their own numbers.
#include <gtest/gtest.h>

#include "sets/support.hpp"

namespace fcbio::test {
namespace {

TEST(Shape, CarriesTheNumbersOfTheSet) {
  const Vector c = vec({1.0, -2.0}), high = vec({3.0, kInfinity});
  const ConvexSetPtr round = ball(c, 3.0);
  const auto ball_shape = std::get<BallShape>(round->shape());
  EXPECT_EQ(*ball_shape.centre, c);
  EXPECT_EQ(ball_shape.radius, 3.0);
  const ConvexSetPtr cube = box(c, high);
  const auto box_shape = std::get<BoxShape>(cube->shape());
  EXPECT_EQ(*box_shape.lower, c);
  EXPECT_EQ(*box_shape.upper, high);
  EXPECT_EQ(std::get<SimplexShape>(simplex(4, 2.5)->shape()).total, 2.5);
  const ConvexSetPtr diamond = l1_ball(c, 0.5);
  const auto diamond_shape = std::get<L1BallShape>(diamond->shape());
  EXPECT_EQ(*diamond_shape.centre, c);
  EXPECT_EQ(diamond_shape.radius, 0.5);
  EXPECT_TRUE(std::holds_alternative<WholeSpaceShape>(whole_space(c, 1.0)->shape()));
  EXPECT_EQ(std::get<NonnegativeBallShape>(nonnegative_ball(3, 1.5)->shape()).radius, 1.5);
}

TEST(Shape, OfOtherSetsIsNotTold) {
  EXPECT_TRUE(std::holds_alternative<std::monostate>(halfspace(vec({1.0, 1.0}), 0.5, 1.0)->shape()));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(product({simplex(2), simplex(3)})->shape()));
  EXPECT_TRUE(
      std::holds_alternative<std::monostate>(intersection({simplex(2), ball(vec({0.0, 0.0}), 1.0)})->shape()));
}

}  // namespace
}  // namespace fcbio::test
