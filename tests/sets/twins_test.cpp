// Projections and linear minima against slow, obvious twins, and against answers worked out by hand.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <numeric>

#include "sets/support.hpp"

namespace fcbio::test {
namespace {

/// Sorts, and takes the last k for which the k-th largest entry stays positive.
Vector simplex_by_sorting(const Vector& x, double total) {
  std::vector<double> sorted(x.data(), x.data() + x.size());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0.0;
  double tau = 0.0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - total) / static_cast<double>(k + 1);
    if (sorted[k] > candidate) tau = candidate;
  }
  return (x.array() - tau).max(0.0);
}

TEST(Ball, KnownAnswers) {
  const ConvexSetPtr set = ball(vec({1.0, 1.0}), 5.0);
  EXPECT_TRUE(projected(*set, vec({7.0, 9.0})).isApprox(vec({4.0, 5.0}), 1e-15));
  EXPECT_EQ(projected(*set, vec({2.0, -1.0})), vec({2.0, -1.0}));  // inside: not a bit changed
  EXPECT_DOUBLE_EQ(lower_bound(*set, vec({3.0, 4.0})), 7.0 - 25.0);
  EXPECT_DOUBLE_EQ(set->violation(vec({7.0, 9.0})), 5.0);
}

TEST(Box, KnownAnswersWithOpenSides) {
  const ConvexSetPtr set = box(vec({0.0, -kInfinity, -1.0}), vec({kInfinity, 2.0, 1.0}));
  EXPECT_EQ(projected(*set, vec({-3.0, 5.0, 0.5})), vec({0.0, 2.0, 0.5}));
  EXPECT_EQ(lower_bound(*set, vec({2.0, -3.0, -4.0})), 0.0 - 6.0 - 4.0);
  EXPECT_EQ(lower_bound(*set, vec({-1e-300, 0.0, 0.0})), -kInfinity);
  EXPECT_EQ(lower_bound(*set, vec({0.0, 1e-300, 0.0})), -kInfinity);
  EXPECT_EQ(lower_bound(*set, vec({0.0, 0.0, 3.0})), -3.0);  // zero times an open side is zero
  Vector vertex(3);
  EXPECT_FALSE(set->minimize_linear(vec({-1.0, 0.0, 0.0}), vertex));
  EXPECT_TRUE(set->minimize_linear(vec({0.0, 0.0, 3.0}), vertex));
  EXPECT_EQ(vertex, vec({0.0, 0.0, -1.0}));
  EXPECT_FALSE(set->diameter().has_value());
  EXPECT_DOUBLE_EQ(set->violation(vec({-3.0, 6.0, 0.5})), 5.0);
}

TEST(Simplex, AgreesWithSorting) {
  Random random(1);
  for (int k = 0; k < 400; ++k) {
    const Index n = 1 + k % 23;
    const double total = k % 5 == 0 ? 1e-3 : random.uniform(0.1, 4.0);
    Vector x = random.vector(n, k % 3 == 0 ? 10.0 : 0.5);
    if (k % 4 == 0) x = x.unaryExpr([](double d) { return std::round(d); });  // ties
    const Vector p = projected(*simplex(n, total), x);
    EXPECT_LE((p - simplex_by_sorting(x, total)).cwiseAbs().maxCoeff(), 1e-14 * (1.0 + x.norm()));
    EXPECT_NEAR(p.sum(), total, 4e-16 * total * static_cast<double>(n));
    EXPECT_GE(p.minCoeff(), 0.0);
  }
}

TEST(Simplex, KeepsItsTotalBesideHugeEntries) {
  const ConvexSetPtr set = simplex(3);
  EXPECT_TRUE(projected(*set, vec({1e20, 1e20, 0.0})).isApprox(vec({0.5, 0.5, 0.0}), 1e-15));
  EXPECT_EQ(projected(*set, vec({-1e308, 1e308, 0.0})), vec({0.0, 1.0, 0.0}));
  EXPECT_TRUE(projected(*set, Vector::Constant(3, -1e18)).isApprox(Vector::Constant(3, 1.0 / 3.0), 1e-15));
}

TEST(Simplex, LongVectorSumsToItsTotal) {
  Random random(2);
  const Index n = 200'000;
  const Vector x = random.vector(n, 1e-4);
  const Vector p = projected(*simplex(n), x);
  EXPECT_NEAR(p.sum(), 1.0, 1e-14);
  // The positive entries all lost the same amount.
  double low = kInfinity;
  double high = -kInfinity;
  for (Index i = 0; i < n; ++i) {
    if (p[i] == 0.0) continue;
    low = std::min(low, x[i] - p[i]);
    high = std::max(high, x[i] - p[i]);
  }
  EXPECT_LE(high - low, 1e-18);
  for (Index i = 0; i < n; ++i) {
    if (p[i] == 0.0) {
      ASSERT_LE(x[i], high + 1e-18);
    }
  }
}

TEST(L1Ball, AgreesWithTheSimplex) {
  Random random(3);
  for (int k = 0; k < 300; ++k) {
    const Index n = 1 + k % 11;
    const Vector centre = random.vector(n);
    const double radius = random.uniform(0.05, 3.0);
    const Vector x = random.vector(n, k % 2 == 0 ? 0.5 : 5.0);
    const Vector offset = x - centre;
    Vector expected = x;
    if (offset.lpNorm<1>() > radius) {
      const Vector sizes = simplex_by_sorting(offset.cwiseAbs(), radius);
      for (Index i = 0; i < n; ++i) expected[i] = centre[i] + std::copysign(sizes[i], offset[i]);
    }
    const ConvexSetPtr set = l1_ball(centre, radius);
    EXPECT_LE((projected(*set, x) - expected).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_GE(set->violation(x) + 1e-14, (x - expected).norm());  // an upper bound of the distance
  }
}

TEST(NonnegativeBall, AgreesWithBisection) {
  Random random(4);
  for (int k = 0; k < 200; ++k) {
    const Index n = 1 + k % 7;
    const ConvexSetPtr set = nonnegative_ball(n, 1.3);
    const Vector x = random.vector(n, 2.0);
    const auto clamp = [](const Vector& y) { return Vector(y.cwiseMax(0.0)); };
    const Vector expected = project_with_ball(clamp, Vector::Zero(n), 1.3, x);
    EXPECT_LE((projected(*set, x) - expected).norm(), 1e-13);
    EXPECT_NEAR(set->violation(x), (x - expected).norm(), 1e-13);
  }
  EXPECT_DOUBLE_EQ(lower_bound(*nonnegative_ball(3, 2.0), vec({-3.0, 5.0, -4.0})), -10.0);
  EXPECT_EQ(lower_bound(*nonnegative_ball(2, 2.0), vec({1.0, 0.0})), 0.0);
}

TEST(Halfspace, ProjectionAgreesWithBisection) {
  Random random(5);
  for (int k = 0; k < 600; ++k) {
    const Index n = 1 + k % 6;
    const Vector c = random.vector(n, k % 2 == 0 ? 1.0 : 30.0);
    const double radius = random.uniform(0.5, 3.0);
    const double value = random.uniform(-0.98, 1.2) * radius * c.norm();
    const Vector x = random.vector(n, k % 3 == 0 ? 1.0 : 6.0);
    const auto onto = [&](const Vector& y) { return project_on_halfspace(c, value, y); };
    const Vector expected = project_with_ball(onto, Vector::Zero(n), radius, x);
    const Vector p = projected(*halfspace(c, value, radius), x);
    EXPECT_LE((p - expected).norm(), 1e-11) << "n " << n << ", case " << k;
  }
}

TEST(Halfspace, LinearMinimumAgreesWithItsDual) {
  // min over the set = max over m >= 0 of -radius |d + m c| - m value: concave in m, so ternary search.
  Random random(6);
  for (int k = 0; k < 300; ++k) {
    const Index n = 1 + k % 6;
    const Vector c = random.vector(n);
    const double radius = random.uniform(0.5, 3.0);
    const double value = random.uniform(-0.9, 1.1) * radius * c.norm();
    const Vector d = random.vector(n);
    const auto dual = [&](double m) { return -radius * (d + m * c).norm() - m * value; };
    double low = 0.0;
    double high = 1e3 * d.norm() / c.norm();
    for (int step = 0; step < 300; ++step) {
      const double first = low + (high - low) / 3.0;
      const double second = high - (high - low) / 3.0;
      (dual(first) < dual(second) ? low : high) = dual(first) < dual(second) ? first : second;
    }
    EXPECT_NEAR(lower_bound(*halfspace(c, value, radius), d), dual(low), 1e-9 * (1.0 + radius * d.norm()));
  }
}

TEST(Halfspace, KnownAnswers) {
  // x1 + x2 <= -1 in the unit disc: a cap with the corners (-1, 0) and (0, -1).
  const ConvexSetPtr set = halfspace(vec({1.0, 1.0}), -1.0, 1.0);
  EXPECT_TRUE(projected(*set, vec({3.0, 3.0})).isApprox(vec({-0.5, -0.5}), 1e-15));
  EXPECT_LE((projected(*set, vec({-5.0, 4.0})) - vec({-1.0, 0.0})).norm(), 1e-15);
  EXPECT_TRUE(projected(*set, vec({-3.0, -3.0})).isApprox(vec({-std::sqrt(0.5), -std::sqrt(0.5)}), 1e-15));
  EXPECT_NEAR(lower_bound(*set, vec({-2.0, -2.0})), 2.0, 1e-12);
  EXPECT_NEAR(lower_bound(*set, vec({-1.0, 0.0})), 0.0, 1e-12);
  EXPECT_NEAR(*set->diameter(), std::sqrt(2.0), 1e-15);
}

TEST(AffineSubspace, ProjectionAgreesWithBisection) {
  Random random(7);
  for (int k = 0; k < 120; ++k) {
    const Index n = 2 + k % 6;
    const Index rows = 1 + k % n;
    RowMajorMatrix m = random.matrix(rows, n);
    if (rows >= 2 && k % 3 == 0) m.row(rows - 1) = -3.0 * m.row(0);
    const Vector inside = random.vector(n, 0.5);
    const Vector values = m * inside;
    const double radius = inside.norm() * random.uniform(1.0, 2.0);
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(m);
    const auto onto = [&](const Vector& y) { return Vector(y - solver.solve(m * y - values)); };
    const Vector x = random.vector(n, 3.0);
    const Vector expected = project_with_ball(onto, Vector::Zero(n), radius, x);
    const ConvexSetPtr set = affine_subspace(m, values, radius);
    EXPECT_LE((projected(*set, x) - expected).norm(), 1e-9) << "n " << n << ", rows " << rows << ", case " << k;
    EXPECT_LE((m * projected(*set, x) - values).norm(), 1e-12 * (1.0 + m.norm() * radius));
  }
}

TEST(AffineSubspace, KnownAnswers) {
  // x1 + x2 + x3 = 3 in the ball of radius 3: a disc of radius sqrt(6) about (1, 1, 1).
  const ConvexSetPtr set = affine_subspace(RowMajorMatrix::Ones(1, 3), vec({3.0}), 3.0);
  EXPECT_LE((projected(*set, vec({2.0, 3.0, 4.0})) - vec({0.0, 1.0, 2.0})).norm(), 1e-14);
  EXPECT_NEAR(lower_bound(*set, vec({1.0, 0.0, -1.0})), -std::sqrt(6.0) * std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(lower_bound(*set, vec({5.0, 5.0, 5.0})), 15.0, 1e-12);
  Vector vertex(3);
  ASSERT_TRUE(set->minimize_linear(vec({5.0, 5.0, 5.0}), vertex));
  EXPECT_NEAR(vertex.sum(), 3.0, 1e-14);
  EXPECT_NEAR(set->violation(vec({2.0, 2.0, 2.0})), std::sqrt(3.0), 1e-14);  // 3 / |(1, 1, 1)|
  EXPECT_EQ(projected(*affine_subspace(RowMajorMatrix::Zero(1, 2), vec({0.0}), 1.0), vec({0.5, 0.5})),
            vec({0.5, 0.5}));  // an empty equation says nothing
}

TEST(AffineSubspace, FarPointsKeepTheEquations) {
  Random random(8);
  const RowMajorMatrix m = random.matrix(3, 8);
  const ConvexSetPtr set = affine_subspace(m, m * random.vector(8, 0.1), 5.0);
  // Nearly all of x lies in the row space: what rounding leaves of it must not stay.
  const Vector x = 1e9 * (m.transpose() * random.vector(3)) + random.vector(8);
  EXPECT_LE(set->violation(projected(*set, x)), 1e-13);
}

TEST(Product, ActsBlockByBlock) {
  const ConvexSetPtr set = product({ball(vec({0.0, 0.0}), 1.0), simplex(2, 2.0)});
  EXPECT_EQ(set->dimension(), 4);
  EXPECT_LE((projected(*set, vec({3.0, 4.0, 5.0, 5.0})) - vec({0.6, 0.8, 1.0, 1.0})).norm(), 1e-15);
  EXPECT_NEAR(lower_bound(*set, vec({3.0, 4.0, 1.0, -1.0})), -5.0 - 2.0, 1e-15);
  EXPECT_NEAR(*set->diameter(), std::sqrt(4.0 + 8.0), 1e-15);
  EXPECT_NEAR(set->violation(vec({3.0, 4.0, 1.0, 1.0})), 4.0, 1e-15);
  EXPECT_NEAR(set->violation(vec({3.0, 4.0, -3.0, 5.0})), 5.0, 1e-15);  // 4 from the disc, 3 below zero
}

TEST(WholeSpace, BoundsTakeTheRadiusVouchedFor) {
  const ConvexSetPtr vouched = whole_space(vec({1.0, 2.0}), 10.0);
  EXPECT_EQ(projected(*vouched, vec({500.0, 0.0})), vec({500.0, 0.0}));
  EXPECT_EQ(vouched->violation(vec({500.0, 0.0})), 0.0);
  EXPECT_DOUBLE_EQ(lower_bound(*vouched, vec({3.0, 4.0})), 11.0 - 50.0);
  EXPECT_EQ(vouched->diameter(), 20.0);
  Vector vertex(2);
  ASSERT_TRUE(vouched->minimize_linear(vec({3.0, 4.0}), vertex));
  EXPECT_TRUE(vertex.isApprox(vec({-5.0, -6.0}), 1e-15));
  const ConvexSetPtr open = whole_space(vec({1.0, 2.0}), std::nullopt);
  EXPECT_EQ(lower_bound(*open, vec({0.0, 1e-300})), -kInfinity);
  EXPECT_EQ(lower_bound(*open, vec({0.0, 0.0})), 0.0);
  EXPECT_FALSE(open->minimize_linear(vec({1.0, 0.0}), vertex));
  EXPECT_FALSE(open->enclosing_ball(vertex).has_value());
}

TEST(Norms, HugeAndTinyNumbersDoNotOverflow) {
  EXPECT_TRUE(projected(*ball(vec({0.0, 0.0}), 5.0), vec({3e200, 4e200})).isApprox(vec({3.0, 4.0}), 1e-14));
  EXPECT_TRUE(projected(*nonnegative_ball(2, 5.0), vec({3e200, 4e200})).isApprox(vec({3.0, 4.0}), 1e-14));
  Vector vertex(2);
  ASSERT_TRUE(ball(vec({0.0, 0.0}), 5.0)->minimize_linear(vec({3e-200, 4e-200}), vertex));
  EXPECT_TRUE(vertex.isApprox(vec({-3.0, -4.0}), 1e-14));
  EXPECT_NEAR(lower_bound(*ball(vec({0.0, 0.0}), 1.0), vec({3e-200, 4e-200})), -5e-200, 1e-214);
}

}  // namespace
}  // namespace fcbio::test
