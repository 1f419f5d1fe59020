// Smoothness, Lipschitz constants and lower bounds: never too small, and not uselessly large.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "functions/cases.hpp"

namespace fcbio::test {
namespace {

/// A point of the ball, half of the time on its boundary.
Vector in_ball(Random& random, const Vector& centre, double radius) {
  const Vector direction = gaussian(random, centre.size()).normalized();
  const double share = random() % 2 == 0 ? 1.0 : std::ldexp(static_cast<double>(random() >> 11), -53);
  return centre + share * radius * direction;
}

TEST(Constants, SmoothnessGivesTheDescentInequality) {
  Random random(31);
  for (const TermCase& c : term_cases(9, 6, 32)) {
    const CostedBound smooth = c.term->smoothness();
    ASSERT_EQ(smooth.value.has_value(), c.smooth) << c.name;
    if (!c.smooth) continue;
    for (int trial = 0; trial < 100; ++trial) {
      Evaluation a(*c.term, gaussian(random, 6, 1.5));
      Evaluation b(*c.term, a.x + gaussian(random, 6, trial % 2 == 0 ? 1.0 : 0.05));
      const Vector step = b.x - a.x;
      const double model =
          a.value(*c.term) + a.gradient(*c.term).dot(step) + 0.5 * *smooth.value * step.squaredNorm();
      EXPECT_LE(b.value(*c.term), model + 1e-11 * (1 + std::abs(model))) << c.name;
      EXPECT_LE((b.gradient(*c.term) - a.gradient(*c.term)).norm(),
                *smooth.value * step.norm() * (1 + 1e-10) + 1e-12)
          << c.name;
    }
  }
}

TEST(Constants, SmoothnessOfLeastSquaresAndLogisticIsNotLoose) {
  Random random(33);
  RowMajorMatrix matrix(40, 12);
  for (Index i = 0; i < 40; ++i) matrix.row(i) = gaussian(random, 12).transpose();
  const double squared = std::pow(Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues()[0], 2);
  const LinearMapPtr map = dense_map(matrix);
  const double least_squares = *loss_term(map, least_squares_loss(Vector::Zero(40)))->smoothness().value;
  const double logistic = *loss_term(map, logistic_loss(Vector::Ones(40)))->smoothness().value;
  EXPECT_GE(least_squares, squared * (1 - 1e-12));
  EXPECT_LE(least_squares, 4 * squared);
  EXPECT_GE(logistic, 0.25 * squared * (1 - 1e-12));  // attained at x = 0
  EXPECT_LE(logistic, squared);
}

TEST(Constants, LogSumExpReachesItsSmoothness) {
  // Two equal entries: the Hessian has the eigenvalue 1/2.
  const LossPtr loss = log_sum_exp_loss(Vector::Zero(2));
  Vector v(2), out(2);
  v << 1.0, -1.0;
  ASSERT_TRUE(loss->hessian_product(Vector::Zero(2), v, out));
  EXPECT_NEAR(out.norm() / v.norm(), *loss->smoothness(), 1e-15);
}

TEST(Constants, LossDerivativesStayBelowTheLipschitzBound) {
  Random random(34);
  for (const LossCase& c : loss_cases(7, 35)) {
    for (const double radius : {0.0, 0.1, 1.0, 20.0}) {
      const Vector centre = gaussian(random, 7, 2.0);
      const auto bound = c.loss->lipschitz(centre, radius);
      ASSERT_TRUE(bound.has_value());
      for (int trial = 0; trial < 50; ++trial) {
        Vector r(7);
        c.loss->derivative(in_ball(random, centre, radius), r);
        EXPECT_LE(r.norm(), *bound * (1 + 1e-14)) << c.name << " radius " << radius;
      }
    }
  }
}

TEST(Constants, LossLipschitzBoundsAreTheKnownOnes) {
  Random random(36);
  const Index m = 16;
  const Vector centre = gaussian(random, m), b = gaussian(random, m), labels = signs(random, m);
  const auto bound = [&](const LossPtr& loss, double radius) { return *loss->lipschitz(centre, radius); };
  const double residual = (centre - b).norm();
  const double relative = 1e-12;
  EXPECT_NEAR(bound(least_squares_loss(b), 2.0), residual + 2.0, relative * residual);
  EXPECT_LE(bound(logistic_loss(labels), 1e9), 4.0 * (1 + relative));
  EXPECT_LE(bound(huber_loss(b, 0.25), 1e9), 1.0 + relative);
  EXPECT_LE(bound(huber_loss(b, 1e9), 2.0), residual + 2.0 + relative);
  EXPECT_LE(bound(hinge_loss(labels), 1e9), 4.0 * (1 + relative));
  EXPECT_NEAR(bound(absolute_loss(b), 1.0), 4.0, relative);
  EXPECT_NEAR(bound(quantile_loss(b, 0.2), 1.0), 3.2, relative);
  EXPECT_EQ(bound(max_affine_loss(b), 1.0), 1.0);
  EXPECT_EQ(bound(log_sum_exp_loss(b), 1.0), 1.0);
  const double shortfall = (1.0 - labels.array() * centre.array()).max(0.0).matrix().norm();
  EXPECT_NEAR(bound(squared_hinge_loss(labels), 2.0), shortfall + 2.0, relative * (1 + shortfall));
}

TEST(Constants, TermGradientsStayBelowTheLipschitzBound) {
  Random random(37);
  for (const TermCase& c : term_cases(9, 6, 38)) {
    for (const double radius : {0.0, 0.5, 10.0}) {
      const Vector centre = gaussian(random, 6);
      const CostedBound bound = c.term->lipschitz(centre, radius);
      ASSERT_TRUE(bound.value.has_value()) << c.name;
      for (int trial = 0; trial < 50; ++trial) {
        Evaluation at(*c.term, in_ball(random, centre, radius));
        EXPECT_LE(at.gradient(*c.term).norm(), *bound.value * (1 + 1e-13)) << c.name << " radius " << radius;
      }
    }
  }
}

TEST(Constants, AnUnboundedBallGivesNoLipschitzConstant) {
  const Vector zero = Vector::Zero(6);
  for (const TermCase& c : term_cases(9, 6, 39)) {
    const auto bound = c.term->lipschitz(zero, kInfinity).value;
    const bool grows = c.name.find("squared") != std::string::npos ||
                       c.name.find("least-squares") != std::string::npos || c.name.starts_with("quadratic");
    EXPECT_EQ(bound.has_value(), !grows) << c.name;
    if (bound) {
      EXPECT_TRUE(std::isfinite(*bound)) << c.name;
    }
  }
}

TEST(Constants, LowerBoundsHold) {
  Random random(40);
  for (const TermCase& c : term_cases(9, 6, 41)) {
    const bool none = c.name.starts_with("max-affine") || c.name.starts_with("log-sum-exp") ||
                      c.name == "linear" || c.name.starts_with("quadratic");
    EXPECT_EQ(c.term->lower_bound(), none ? -kInfinity : 0.0) << c.name;
    for (int trial = 0; trial < 20; ++trial) {
      const Evaluation at(*c.term, gaussian(random, 6, 3.0));
      EXPECT_GE(at.value(*c.term), c.term->lower_bound()) << c.name;
    }
  }
}

TEST(Constants, PassesAreChargedForWhatUsesTheData) {
  const Vector zero = Vector::Zero(6);
  for (const TermCase& c : term_cases(9, 6, 42)) {
    const bool free = c.term->cost().image == 0;
    const auto lipschitz = c.term->lipschitz(zero, 1.0).passes;
    const auto smoothness = c.term->smoothness().passes;
    if (free) {
      EXPECT_EQ(lipschitz, 0) << c.name;
      EXPECT_EQ(smoothness, 0) << c.name;
    } else if (c.smooth) {
      EXPECT_EQ(lipschitz, smoothness + 1) << c.name;
    } else {
      EXPECT_GE(lipschitz, 1) << c.name;
    }
  }
}

}  // namespace
}  // namespace fcbio::test
