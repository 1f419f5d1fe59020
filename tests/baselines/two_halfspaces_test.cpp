// The step of MNG: the nearest point to c in two halfspaces, against optimality conditions and every active set.
#include "baselines/two_halfspaces.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Cholesky>

#include "support/problems.hpp"

namespace fcbio {
namespace {

struct Conditions {
  double first, second;    // violations of the two halfspaces
  double stationarity;     // |z - c + l1 G - l2 (x - c)| at the best multipliers >= 0
  double complementarity;  // l_i times slack
};

/// Multipliers by least squares over each active set, the best one taken.
Conditions conditions(const Vector& c, const Vector& x, const Vector& g, double depth, const Vector& z) {
  Conditions found;
  const double slack_first = g.dot(x - z) - depth, slack_second = (x - c).dot(z - x);
  found.first = std::max(0.0, -slack_first);
  found.second = std::max(0.0, -slack_second);
  found.stationarity = kInfinity;
  Eigen::MatrixXd normals(c.size(), 2);
  normals << -g, x - c;
  for (int active = 0; active < 4; ++active) {
    Eigen::Vector2d l = Eigen::Vector2d::Zero();
    if (active == 3)
      l = (normals.transpose() * normals).ldlt().solve(normals.transpose() * (z - c));
    else if (active > 0)
      l[active - 1] = normals.col(active - 1).dot(z - c) / normals.col(active - 1).squaredNorm();
    l = l.cwiseMax(0.0);
    const double residual = (z - c - normals * l).norm();
    const double mismatch = std::abs(l[0] * slack_first) + std::abs(l[1] * slack_second);
    if (residual + mismatch < found.stationarity + found.complementarity || active == 0) {
      found.stationarity = residual;
      found.complementarity = mismatch;
    }
  }
  return found;
}

RC_GTEST_PROP(TwoHalfspaces, TheStepSatisfiesTheOptimalityConditions, (std::uint64_t seed, unsigned char scale)) {
  std::mt19937_64 random(seed);
  const Vector c = test::random_vector(5, random), x = c + test::random_vector(5, random);
  const Vector g = std::pow(10.0, -4.0 * scale / 255.0) * test::random_vector(5, random);
  const double depth = 0.6 * g.squaredNorm();
  Vector z(5);
  RC_ASSERT(nearest_in_two_halfspaces(c, x, g, depth, z));
  const Conditions found = conditions(c, x, g, depth, z);
  RC_ASSERT(found.first <= 1e-10 * (g.norm() + g.squaredNorm()));
  RC_ASSERT(found.second <= 1e-10);
  RC_ASSERT(found.stationarity <= 1e-9);
  RC_ASSERT(found.complementarity <= 1e-9);
}

TEST(TwoHalfspaces, EveryActiveSet) {
  const Vector c = Vector::Zero(2), e1 = Vector::Unit(2, 0), e2 = Vector::Unit(2, 1);
  Vector z(2);
  // None, or the first alone, where x = c.
  ASSERT_TRUE(nearest_in_two_halfspaces(c, c, e1, -1.0, z));
  EXPECT_EQ(z, c);
  ASSERT_TRUE(nearest_in_two_halfspaces(c, c, e1, 0.5, z));
  EXPECT_EQ(z, -0.5 * e1);
  // The first alone: G = -d, so that both point the same way.
  ASSERT_TRUE(nearest_in_two_halfspaces(c, e1, -e1, 0.5, z));
  EXPECT_NEAR((z - 1.5 * e1).norm(), 0.0, 1e-15);
  // The second alone: nothing to cut.
  ASSERT_TRUE(nearest_in_two_halfspaces(c, e1, c, 0.0, z));
  EXPECT_EQ(z, e1);
  // Both: G across d.
  ASSERT_TRUE(nearest_in_two_halfspaces(c, e1, e2, 0.25, z));
  EXPECT_NEAR((z - (e1 - 0.25 * e2)).norm(), 0.0, 1e-15);
  // Neither can hold: G = d wants z closer to c than x.
  EXPECT_FALSE(nearest_in_two_halfspaces(c, e1, e1, 0.25, z));
  EXPECT_EQ(z, e1);
}

}  // namespace
}  // namespace fcbio
