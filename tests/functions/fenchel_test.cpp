// The dual side of the losses: phi(u) >= <r, u> - phi*(r), tight at r = phi'(u).  Numbers come in quarters, so
// kinks are met exactly and often.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fcbio/weighted.hpp"
#include "functions/cases.hpp"

namespace fcbio::test {
namespace {

constexpr Index kRows = 5;

Vector quarters(int reach) {
  const auto numbers = *rc::gen::container<std::vector<int>>(kRows, rc::gen::inRange(-reach, reach + 1));
  Vector v(kRows);
  for (Index i = 0; i < kRows; ++i) v[i] = 0.25 * numbers[static_cast<std::size_t>(i)];
  return v;
}

std::vector<LossPtr> all_losses() {
  const Vector b = quarters(12);
  const Vector labels = quarters(12).unaryExpr([](double v) { return v > 0.0 ? 1.0 : -1.0; });
  std::vector<LossPtr> losses = {least_squares_loss(b),      logistic_loss(labels), huber_loss(b, 1.5),
                                 squared_hinge_loss(labels), hinge_loss(labels),    absolute_loss(b),
                                 quantile_loss(b, 0.3)};
  Vector weights = quarters(12).cwiseAbs();
  weights[0] = 3.0;
  for (std::size_t i = 0, plain = losses.size(); i < plain; ++i)
    losses.push_back(weighted_loss(losses[i], weights));
  losses.push_back(max_affine_loss(b));
  losses.push_back(log_sum_exp_loss(b));
  return losses;
}

RC_GTEST_PROP(Fenchel, InequalityForFeasibleDuals, ()) {
  const Vector u = quarters(80);
  const Vector raw = quarters(16);
  for (const LossPtr& loss : all_losses()) {
    Vector r = raw;
    loss->make_dual_feasible(r);
    const double conjugate = loss->conjugate(r);
    RC_ASSERT(std::isfinite(conjugate));
    const double scale = 1.0 + std::abs(conjugate) + r.cwiseAbs().dot(u.cwiseAbs());
    RC_ASSERT(loss->value(u) >= r.dot(u) - conjugate - 1e-14 * scale);
  }
}

RC_GTEST_PROP(Fenchel, EqualityAtTheDerivative, ()) {
  const Vector u = quarters(80);
  for (const LossPtr& loss : all_losses()) {
    Vector r(kRows);
    loss->derivative(u, r);
    Vector repaired = r;
    loss->make_dual_feasible(repaired);
    RC_ASSERT((repaired - r).norm() <= 1e-15 * (1.0 + r.norm()));
    const double bound = r.dot(u) - loss->conjugate(repaired);
    const double scale = 1.0 + std::abs(loss->value(u)) + r.cwiseAbs().dot(u.cwiseAbs());
    RC_ASSERT(std::abs(loss->value(u) - bound) <= 1e-14 * scale);
  }
}

RC_GTEST_PROP(Fenchel, RepairIsAProjectionOntoTheDomain, ()) {
  for (const LossPtr& loss : all_losses()) {
    Vector once = quarters(16);
    loss->make_dual_feasible(once);
    Vector twice = once;
    loss->make_dual_feasible(twice);
    RC_ASSERT((twice - once).norm() <= 1e-15 * (1.0 + once.norm()));
  }
}

TEST(Fenchel, RepairLimits) {
  const Vector labels = Vector::Ones(1);
  const auto repaired = [](const LossPtr& loss, double r) {
    Vector v = Vector::Constant(1, r);
    loss->make_dual_feasible(v);
    return v[0];
  };
  EXPECT_EQ(repaired(logistic_loss(labels), -1.5), -1.0);
  EXPECT_EQ(repaired(logistic_loss(labels), 0.5), 0.0);
  EXPECT_EQ(repaired(hinge_loss(labels), -1.5), -1.0);
  EXPECT_EQ(repaired(squared_hinge_loss(labels), -7.0), -7.0);
  EXPECT_EQ(repaired(squared_hinge_loss(labels), 1.0), 0.0);
  EXPECT_EQ(repaired(huber_loss(labels, 0.5), 2.0), 0.5);
  EXPECT_EQ(repaired(absolute_loss(labels), -2.0), -1.0);
  EXPECT_EQ(repaired(least_squares_loss(labels), -2.0), -2.0);
  EXPECT_EQ(repaired(quantile_loss(labels, 0.25), 3.0), 0.75);
  EXPECT_EQ(repaired(quantile_loss(labels, 0.25), -3.0), -0.25);
  // 1 - tau is rounded down: the dual stays in the exact domain.
  for (const double tau : {0.1, 0.3, 0.49, 1e-3, 1e-17, 0.7}) {
    EXPECT_LE(Real(repaired(quantile_loss(labels, tau), 3.0)), 1 - Real(tau)) << tau;
    EXPECT_GE(repaired(quantile_loss(labels, tau), 3.0), 1.0 - tau - kEpsilon) << tau;
  }
}

TEST(Fenchel, SimplexRepairOfNothingGivesEqualWeights) {
  for (const LossPtr& loss : {max_affine_loss(Vector::Zero(4)), log_sum_exp_loss(Vector::Zero(4))}) {
    for (const double junk : {0.0, -3.0, static_cast<double>(NAN), kInfinity}) {
      Vector r = Vector::Constant(4, junk);
      loss->make_dual_feasible(r);
      EXPECT_EQ(r, Vector::Constant(4, 0.25)) << loss->name() << junk;
    }
  }
}

TEST(Fenchel, NotANumberIsRepairedWhereTheDomainIsBounded) {
  for (const LossCase& c : loss_cases(3, 21)) {
    if (c.name.ends_with("least-squares")) continue;
    Vector r = Vector::Constant(3, NAN);
    c.loss->make_dual_feasible(r);
    EXPECT_TRUE(std::isfinite(c.loss->conjugate(r))) << c.name;
  }
}

}  // namespace
}  // namespace fcbio::test
