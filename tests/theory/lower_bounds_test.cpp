// The instances of Theorems 5.1 and 5.2: where the minimiser lies, what is left after T gradients, and what is
// wrong with the instances as printed.
#include "theory/lower_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fcbio/point.hpp"
#include "theory/chains.hpp"

namespace fcbio::theory {
namespace {

// Restricted to the first k coordinates the smooth chain is the chain of length k.
double restricted_minimum(Index k, double smoothness, double scale) {
  return k == 0 ? 0.0 : SmoothChain(k, smoothness, scale).minimum();
}

TEST(LowerBounds, TheSmoothChainLeavesExactlyWhatTheTheoremSays) {
  for (std::int64_t queries : {0, 1, 2, 10, 100, 1000}) {
    for (double radius : {0.5, 1.0, 3.0}) {
      const Index q = 2 * queries + 1;
      const double scale = radius * std::sqrt(3.0 / static_cast<double>(q + 1));
      const SmoothChain chain(q, 1.0, scale);
      EXPECT_LE(chain.minimizer().norm(), radius);
      const double left = restricted_minimum(queries, 1.0, scale) - chain.minimum();
      EXPECT_NEAR(left / error_after(Family::smooth, radius, queries), 1.0, 1e-9);
      const BoundInstance instance = bound_instance(Family::smooth, Level::upper, radius, queries);
      EXPECT_EQ(instance.upper_optimum, chain.minimum());
      EXPECT_EQ(instance.lower_optimum, 0.0);
    }
  }
}

// h_{2T+1,L,D} as printed: |x*|^2 = D^2 q (2q+1) / (6 (q+1)), about D^2 q/3, which is outside the ball from T = 2
// on; and what T gradients leave is L D^2 / (16 (T+1)), not 3 L D^2 / (32 (T+1)^2).
TEST(LowerBounds, ThePrintedSmoothChainHasItsMinimiserOutsideTheBall) {
  const double radius = 1.0;
  for (std::int64_t queries : {1, 2, 10, 100, 1000}) {
    const auto q = static_cast<double>(2 * queries + 1);
    const SmoothChain printed(2 * queries + 1, 1.0, radius);
    EXPECT_NEAR(printed.minimizer().squaredNorm(), q * (2.0 * q + 1.0) / (6.0 * (q + 1.0)), 1e-9 * q);
    EXPECT_EQ(printed.minimizer().norm() > radius, queries >= 2);
    EXPECT_NEAR(restricted_minimum(queries, 1.0, radius) - printed.minimum(),
                1.0 / (16.0 * static_cast<double>(queries + 1)), 1e-12);
  }
  EXPECT_NEAR(SmoothChain(2001, 1.0, 1.0).minimizer().norm(), std::sqrt(2001.0 / 3.0), 0.01);
}

// r_{T,C,D} as printed has T coordinates: T gradients may touch them all, and then nothing is left to prove.  With
// one coordinate more, every point that T gradients allow has max_j x_j >= 0, so r >= 0.
TEST(LowerBounds, TheLipschitzChainNeedsOneCoordinateMoreThanPrinted) {
  for (Index queries : {1, 4, 25}) {
    const LipschitzChain printed(queries, 1.0, 1.0), longer(queries + 1, 1.0, 1.0);
    Vector x = Vector::Zero(queries), gradient(queries);
    for (Index k = 0; k < queries; ++k) {  // a zero-respecting walk: -1/sqrt(T) wherever a gradient pointed
      printed.evaluate(x, &gradient);
      for (Index j = 0; j < queries; ++j)
        if (gradient[j] != 0.0) x[j] = -1.0 / std::sqrt(static_cast<double>(queries));
    }
    EXPECT_NEAR(printed.evaluate(x, nullptr), printed.minimum(), 1e-14);  // T gradients: solved
    Vector y = Vector::Zero(queries + 1), direction(queries + 1);
    for (Index k = 0; k < queries; ++k) {
      longer.evaluate(y, &direction);
      for (Index j = 0; j <= queries; ++j)
        if (direction[j] != 0.0) y[j] = -1.0 / std::sqrt(static_cast<double>(queries + 1));
    }
    EXPECT_EQ(y[queries], 0.0);
    EXPECT_GE(longer.evaluate(y, nullptr), 0.0);
    EXPECT_DOUBLE_EQ(-longer.minimum(), error_after(Family::lipschitz, 1.0, queries));
  }
}

TEST(LowerBounds, LeastQueriesIsTheFirstNumberThatIsNotExcluded) {
  for (Family family : {Family::smooth, Family::lipschitz}) {
    EXPECT_EQ(least_queries(family, 1.0, error_after(family, 1.0, 0)), 0);
    for (std::int64_t queries : {1, 2, 3, 17, 1000, 123456}) {
      const double error = error_after(family, 0.7, queries);
      EXPECT_EQ(least_queries(family, 0.7, error), queries);
      EXPECT_EQ(least_queries(family, 0.7, std::nextafter(error, 0.0)), queries + 1);
    }
  }
  EXPECT_EQ(least_queries(Family::smooth, 1.0, 1e-6), 306);  // sqrt(93750) - 1 = 305.2
}

TEST(LowerBounds, EitherLevelMayBeTheChainAndItsGradientsAreCounted) {
  for (Family family : {Family::smooth, Family::lipschitz}) {
    for (Level chain : kLevels) {
      const BoundInstance instance = bound_instance(family, chain, 1.0, 3);
      EXPECT_LT(chain == Level::upper ? instance.upper_optimum : instance.lower_optimum, 0.0);
      EXPECT_EQ(chain == Level::upper ? instance.lower_optimum : instance.upper_optimum, 0.0);
      Point point(instance.problem);
      for (Level level : kLevels) {
        const Function& function = instance.problem.function(level);
        PartVectors duals = function.make_duals();
        Vector gradient(point.x.size());
        EXPECT_EQ(function.value(point.x, point.images_of(level)), 0.0);
        function.gradient(point.x, point.images_of(level), duals, gradient);
        EXPECT_EQ(gradient.norm() > 0.0, level == chain);
      }
      EXPECT_EQ(*instance.gradients, 1);
    }
  }
}

TEST(FittedExponent, IsTheSlope) {
  EXPECT_NEAR(fitted_exponent({1e-1, 1e-2, 1e-3}, {3.0, 300.0, 30000.0}), -2.0, 1e-12);
}

}  // namespace
}  // namespace fcbio::theory
