// The limited-memory matrix in its two forms against a dense BFGS matrix built update by update.
#include "inner/quasi_newton.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace fcbio {
namespace {

struct Twin {
  QuasiNewton model;
  Eigen::MatrixXd dense;  // B
};

// Pairs of two quadratics, combined with `weights`; more pairs than memory when asked for.
Twin twins(Index n, Index memory, Index pairs, const Weights& weights, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto gaussian = [&](Index rows, Index cols) {
    return Eigen::MatrixXd(Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); }));
  };
  const Eigen::MatrixXd a = gaussian(n, n), b = gaussian(n, n);
  const Eigen::MatrixXd upper = a * a.transpose(), lower = b * b.transpose();
  Twin twin{QuasiNewton(n, memory), {}};
  std::vector<Vector> steps, changes;
  for (Index k = 0; k < pairs; ++k) {
    const Vector s = gaussian(n, 1);
    twin.model.add(Weights{0.3, 0.1}, s, upper * s, lower * s);  // other weights while they are collected
    steps.push_back(s);
    changes.push_back((weights.upper * upper + weights.lower * lower) * s);
  }
  twin.model.combine(weights);
  const std::size_t first = static_cast<std::size_t>(std::max<Index>(0, pairs - memory));
  const double sigma = steps.back().dot(changes.back()) / steps.back().squaredNorm();
  twin.dense = sigma * Eigen::MatrixXd::Identity(n, n);
  for (std::size_t k = first; k < steps.size(); ++k) {
    const Vector &s = steps[k], &y = changes[k];
    const Vector bs = twin.dense * s;
    twin.dense += y * y.transpose() / y.dot(s) - bs * bs.transpose() / s.dot(bs);
  }
  return twin;
}

Vector right_side(Index n) {
  return Vector::NullaryExpr(n, [](Index i) { return std::sin(1.0 + static_cast<double>(i)); });
}

class QuasiNewtonTwin : public testing::TestWithParam<Index> {};

TEST_P(QuasiNewtonTwin, InverseAndProductMatchTheDenseMatrix) {
  const Index n = 12, memory = 5;
  Twin twin = twins(n, memory, GetParam(), {1.0, 2.5}, 7);
  const Vector r = right_side(n);
  Vector out(n);
  twin.model.solve(r, out);
  EXPECT_LT((twin.dense * out - r).norm(), 1e-9 * r.norm());
  twin.model.build_compact();
  twin.model.multiply(r, out);
  EXPECT_LT((twin.dense * r - out).norm(), 1e-9 * out.norm());
}

TEST_P(QuasiNewtonTwin, BallMinimiserSatisfiesItsOptimalityConditions) {
  const Index n = 12, memory = 5;
  Twin twin = twins(n, memory, GetParam(), {1.0, 0.5}, 11);
  const Vector r = right_side(n);
  const Vector inward = 0.3 * Vector::Ones(n) / std::sqrt(static_cast<double>(n));
  Vector d(n);
  for (double share : {1e-3, 0.1, 0.5, 0.99, 1.5}) {
    // The free minimiser from v lies at distance `free` from the centre; radii below and above that.
    const double step = twin.dense.ldlt().solve(r).norm();
    const Vector v = share * step * inward;
    const double free = (v - twin.dense.ldlt().solve(r)).norm();
    const double radius = share * free;
    twin.model.solve_in_ball(r, v, radius, d);
    const Vector z = v + d;
    EXPECT_LE(z.norm(), radius * (1.0 + 1e-8));
    const Vector residual = -(r + twin.dense * d);  // nu z with nu >= 0, and nu = 0 inside
    const double nu = residual.dot(z) / z.squaredNorm();
    EXPECT_GE(nu, -1e-8 * r.norm() / radius);
    EXPECT_LT((residual - nu * z).norm(), 1e-6 * r.norm()) << share;
    if (share > 1.0) {
      EXPECT_LT(residual.norm(), 1e-8 * r.norm());
    } else {
      EXPECT_NEAR(z.norm(), radius, 1e-8 * radius);
    }
  }
}

TEST_P(QuasiNewtonTwin, FreeCoordinatesSolveTheirOwnBlock) {
  const Index n = 12, memory = 5;
  Twin twin = twins(n, memory, GetParam(), {1.0, 2.0}, 13);
  const std::vector<Index> free{0, 3, 4, 7, 11};
  twin.model.build_compact();
  const Vector r = right_side(5);
  for (const double nu : {0.0, 0.7, 30.0}) {
    twin.model.prepare_free(free, nu);
    Vector out(5);
    twin.model.solve_free(free, r, out);
    EXPECT_LT((twin.dense(free, free) * out + nu * out - r).norm(), 1e-8 * r.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Pairs, QuasiNewtonTwin, testing::Values(1, 3, 5, 9));

TEST(QuasiNewton, FlatPairsAreLeftOut) {
  QuasiNewton model(3, 4);
  model.add({1.0, 0.0}, Vector::Unit(3, 0), Vector::Zero(3), Vector::Zero(3));
  EXPECT_EQ(model.usable(), 0);
  model.add({1.0, 0.0}, Vector::Unit(3, 1), 2.0 * Vector::Unit(3, 1), Vector::Zero(3));
  EXPECT_EQ(model.usable(), 1);
  EXPECT_EQ(model.sigma(), 2.0);
}

}  // namespace
}  // namespace fcbio
