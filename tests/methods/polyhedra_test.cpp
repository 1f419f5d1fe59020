// Lexicographic linear programmes and least squares over polyhedra, end to end: certified with true bounds, thin and
// degenerate ones included; empty and unbounded ones refused with their reason.
#include <gtest/gtest.h>

#include <random>

#include "fcbio/error.hpp"
#include "fcbio/method.hpp"

namespace fcbio {
namespace {

/// Max x1 + x2 on x1 + x2 + x3 <= 1, 0 <= x <= 1; of these the largest x1: (1, 0, 0).
Problem by_hand() {
  return Problem(linear(Vector{{-1.0, 0.0, 0.0}}), linear(Vector{{-1.0, -1.0, 0.0}}),
                 polyhedron(RowMajorMatrix{{1.0, 1.0, 1.0}}, Vector::Constant(1, -kInfinity), Vector::Ones(1),
                            Vector::Zero(3), Vector::Ones(3)));
}

TEST(Polyhedra, ALinearProgrammeByHand) {
  for (const double eps : {1e-3, 1e-6, 1e-9}) {
    const Result result = solve(by_hand(), {.accuracy = {eps, eps}});
    ASSERT_EQ(result.status, Status::certified) << result.message;
    EXPECT_EQ(result.engine, "interior-point");
    EXPECT_NEAR(result.upper_value, -1.0, 2.0 * eps);
    EXPECT_NEAR(result.lower_value, -1.0, eps);
    EXPECT_LE(*result.certificate.upper_lower_bound, -1.0);
    EXPECT_LE(*result.certificate.lower_lower_bound, -1.0);
    EXPECT_LE(result.work.iterations, 60);
  }
}

// x2 - x4 <= -1 with 0 <= x <= 1 leaves x2 = 0 and x4 = 1 only: no interior, and what is left is solved all the same.
TEST(Polyhedra, WithoutInterior) {
  const RowMajorMatrix rows{{0.0, 1.0, 0.0, -1.0}, {1.0, 0.0, -1.0, 0.0}};
  const Problem problem(
      linear(Vector{{1.0, 0.0, -1.0, 1.0}}), linear(Vector{{0.0, 0.0, -1.0, 0.0}}),
      polyhedron(rows, Vector::Constant(2, -kInfinity), Vector{{-1.0, 0.0}}, Vector::Zero(4), Vector::Ones(4)));
  const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
  ASSERT_EQ(result.status, Status::certified) << result.message;
  EXPECT_NEAR(result.lower_value, -1.0, 1e-6);
  EXPECT_NEAR(result.upper_value, 0.0, 2e-6);
}

// The planted point is optimal for g by complementarity, so g* is known; every third programme has equations.
TEST(Polyhedra, RandomProgrammesAreCertifiedWithTrueBounds) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    const Index n = 2 + static_cast<Index>(seed), m = 1 + static_cast<Index>(seed * 11 % 47);
    const RowMajorMatrix a = RowMajorMatrix::NullaryExpr(m, n, [&] { return normal(random); });
    const Vector x = Vector::NullaryExpr(n, [&] { return uniform(random) < 0.3 ? 0.0 : uniform(random); });
    Vector low = Vector::Constant(m, -kInfinity), high = a * x, g = Vector::Zero(n);
    for (Index i = 0; i < m; ++i) {
      if (seed % 3 == 0 && i < n / 3) low[i] = high[i];
      if (uniform(random) < 0.4 && i < n / 2)
        g -= uniform(random) * a.row(i).transpose();  // this row is tight, and pays
      else if (low[i] != high[i])
        high[i] += uniform(random);
    }
    for (Index j = 0; j < n; ++j)
      if (x[j] == 0.0) g[j] += uniform(random);
    const Vector f = Vector::NullaryExpr(n, [&] { return normal(random); });
    const Problem problem(linear(f), linear(g), polyhedron(a, low, high, Vector::Zero(n), Vector::Ones(n)));
    const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
    ASSERT_EQ(result.status, Status::certified) << seed << ": " << result.message;
    EXPECT_LE(*result.certificate.lower_lower_bound, g.dot(x) + 1e-12) << seed;
    EXPECT_NEAR(result.lower_value, g.dot(x), 1e-6) << seed;
    EXPECT_LE(*result.certificate.upper_lower_bound, f.dot(x) + 1e-12) << seed;  // x is a minimiser of g
  }
}

TEST(Polyhedra, AnUnboundedProgrammeIsToldWithItsRay) {
  // -x1 - x2 falls along (1, 1), which x1 - 2 x2 <= 1 and x2 - 2 x1 <= 1 allow, and no coordinate alone.
  const Problem problem(squared_norm(Vector::Zero(2)), linear(Vector::Constant(2, -1.0)),
                        polyhedron(RowMajorMatrix{{1.0, -2.0}, {-2.0, 1.0}}, Vector::Constant(2, -kInfinity),
                                   Vector::Ones(2), Vector::Zero(2), Vector::Constant(2, kInfinity), 10.0));
  try {
    solve(problem, {});
    FAIL() << "expected a refusal";
  } catch (const InvalidArgument& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("falls without end along a ray"), std::string::npos)
        << refusal.what();
  }
}

}  // namespace
}  // namespace fcbio
