// Piecewise linear levels over balls, whose minimisers lie on the sphere: the interior-point method has to walk along it,
// and must not creep.
#include <gtest/gtest.h>

#include <random>

#include "fcbio/method.hpp"

namespace fcbio {
namespace {

TEST(Spheres, PiecewiseLinearLevelsTakeFewSteps) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    const Index n = 6;
    RowMajorMatrix pieces(5, n);
    for (Index i = 0; i < pieces.rows(); ++i)
      for (Index j = 0; j < n; ++j)
        pieces(i, j) = (uniform(random) < 0.6 ? uniform(random) : 0.0) + (i == j ? 1.0 : 0.0);
    const Vector slope = Vector::NullaryExpr(n, [&] { return normal(random); });
    for (const Function& upper : {squared_norm(Vector::Zero(n)), linear(slope)}) {
      const Problem problem(upper, max_affine(dense_map(pieces), Vector::Ones(5)), ball(Vector::Zero(n), 3.0));
      const Result result = solve(problem, {.values = {{"engine", "interior-point"}}, .accuracy = {1e-4, 1e-4}});
      EXPECT_EQ(result.status, Status::certified) << seed << ": " << result.message;
      EXPECT_LE(result.work.iterations, 160) << seed;
      EXPECT_LE(problem.domain().violation(result.x), 1e-12) << seed;
    }
  }
}

TEST(Spheres, HingesWithAnL1NormOverABall) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const Index m = 60, n = 20;
  const RowMajorMatrix rows = RowMajorMatrix::NullaryExpr(m, n, [&] { return normal(random); });
  const Vector labels = Vector::NullaryExpr(m, [&] { return normal(random) > 0.0 ? 1.0 : -1.0; });
  for (const double radius : {0.05, 0.3, 5.0}) {
    const Problem problem(l1_norm(Vector::Zero(n)), hinge(dense_map(rows), labels), ball(Vector::Zero(n), radius));
    const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
    EXPECT_EQ(result.status, Status::certified) << radius << ": " << result.message;
    EXPECT_EQ(result.engine, "interior-point") << radius;
    EXPECT_LE(result.work.iterations, 200) << radius;
  }
}

}  // namespace
}  // namespace fcbio
