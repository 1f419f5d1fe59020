// The instances of Theorems 4.1 and 4.2, and the watch that judges methods on them.
#include "theory/hard_instances.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fcbio/method.hpp"

namespace fcbio::theory {
namespace {

TEST(HardInstance, HasTheOptimumOfTheTheorems) {
  for (std::int64_t queries : {1, 3, 10, 100}) {
    const HardInstance smooth = hard_instance(Family::smooth, queries);
    const double t = static_cast<double>(queries);
    EXPECT_NEAR(smooth.upper_optimum, (t + 1.0) / (24.0 * (2.0 * t + 1.0)), 1e-15);
    EXPECT_GE(smooth.upper_optimum, smooth.guaranteed_distance);
    EXPECT_LE((smooth.solution - smooth.problem.start()).norm(), 1.0);
    const HardInstance lipschitz = hard_instance(Family::lipschitz, queries);
    EXPECT_NEAR(smooth.lower_gap_left, 1.0 / (16.0 * (t + 1.0) * (2.0 * t + 1.0)), 1e-16);
    EXPECT_NEAR(lipschitz.lower_gap_left, 0.5 / (1.0 + std::sqrt(2.0 * t)), 1e-15);
    for (const HardInstance* instance : {&smooth, &lipschitz}) {
      EXPECT_NEAR(0.5 * instance->solution.tail(queries).squaredNorm(), instance->upper_optimum, 1e-15);
      EXPECT_GE(instance->upper_optimum, instance->guaranteed_distance);
      EXPECT_NEAR(instance->lower_value(instance->solution), instance->lower_optimum, 1e-15);
      EXPECT_EQ(instance->watch->queries(), 0);  // that was not a query
    }
    EXPECT_NEAR(lipschitz.upper_optimum, 0.25, 1e-15);
    EXPECT_NEAR(lipschitz.solution.norm(), 1.0, 1e-14);
  }
}

TEST(HardInstance, CanBeMovedToAnyStart) {
  const Vector start = Vector::LinSpaced(8, -1.0, 3.0);
  const HardInstance moved = hard_instance(Family::smooth, 4, start), plain = hard_instance(Family::smooth, 4);
  EXPECT_NEAR(moved.upper_optimum, plain.upper_optimum, 1e-15);
  EXPECT_EQ(moved.lower_optimum, plain.lower_optimum);
  EXPECT_TRUE(moved.solution.isApprox(start + plain.solution));
  const Result result = solve(moved.problem, {.method = "fcbio-sm", .limits = {.iterations = 4}});
  EXPECT_FALSE(moved.watch->violation());
  EXPECT_LE(result.upper_value, 1e-25);  // (1 + b) x - b x is not exactly x where x is not 0
}

TEST(QueryWatch, SeesACoordinateThatNoGradientTouched) {
  QueryWatch watch(Vector::Zero(3), 4.0, 10);
  const Vector first{{1.0, 0.0, 0.0}};
  watch.queried(Level::lower, Vector::Zero(3), 0.0, &first);
  EXPECT_EQ(watch.touched(), 1);
  watch.queried(Level::upper, Vector{{2.0, 0.0, 0.0}}, 5.0, nullptr);
  EXPECT_FALSE(watch.violation());
  watch.queried(Level::upper, Vector{{2.0, 0.0, 1e-300}}, 7.0, nullptr);
  ASSERT_TRUE(watch.violation());
  EXPECT_EQ(watch.violation()->query, 3);
  EXPECT_EQ(watch.violation()->coordinate, 2);
  EXPECT_EQ(watch.largest_upper_change(), 3.0);  // 7 against f(x_0) = 4
}

TEST(QueryWatch, StopsAtTheLimitAndClosesAfterIt) {
  QueryWatch watch(Vector::Zero(2), 0.0, 2);
  const Vector gradient{{1.0, 0.0}};
  watch.queried(Level::lower, Vector::Zero(2), 0.0, &gradient);
  EXPECT_FALSE(watch.stop()->load());
  watch.queried(Level::upper, Vector::Zero(2), 0.0, &gradient);  // gradients of f do not count
  EXPECT_FALSE(watch.stop()->load());
  watch.queried(Level::lower, Vector::Zero(2), 0.0, &gradient);
  EXPECT_TRUE(watch.stop()->load());
  EXPECT_FALSE(watch.closed());
  watch.queried(Level::upper, Vector::Zero(2), 0.0, nullptr);  // still within T
  EXPECT_EQ(watch.queries(), 4);
  const Vector late{{0.0, 1.0}};
  watch.queried(Level::lower, Vector{{1.0, 0.0}}, 0.0, &late);  // T + 1: its point counts, its answer does not
  EXPECT_TRUE(watch.closed());
  EXPECT_EQ(watch.queries(), 5);
  EXPECT_EQ(watch.gradients(Level::lower), 2);
  EXPECT_EQ(watch.touched(), 1);
  EXPECT_FALSE(watch.violation());
  watch.queried(Level::upper, Vector::Ones(2), 9.0, nullptr);
  EXPECT_EQ(watch.queries(), 5);
  EXPECT_EQ(watch.largest_upper_change(), 0.0);
  EXPECT_FALSE(watch.violation());
}

TEST(QueryWatch, ThePointAfterTheLastAnswerIsStillJudged) {
  QueryWatch watch(Vector::Zero(2), 0.0, 1);
  const Vector gradient{{1.0, 0.0}};
  watch.queried(Level::lower, Vector::Zero(2), 0.0, &gradient);
  watch.queried(Level::lower, Vector{{1.0, 1.0}}, 0.0, &gradient);
  ASSERT_TRUE(watch.violation());
  EXPECT_EQ(watch.violation()->query, 2);
  EXPECT_EQ(watch.violation()->coordinate, 1);
}

}  // namespace
}  // namespace fcbio::theory
