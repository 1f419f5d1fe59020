// Values, derivatives and second derivatives of the losses against long double formulas and differences.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "functions/cases.hpp"

namespace fcbio::test {
namespace {

constexpr Index kRows = 23;

TEST(Loss, ValueMatchesTheFormula) {
  Random random(1);
  for (const LossCase& c : loss_cases(kRows, 11)) {
    for (int trial = 0; trial < 50; ++trial) {
      const Vector u = gaussian(random, kRows, 3.0);
      const Real exact = c.value(u.cast<Real>());
      EXPECT_NEAR(c.loss->value(u), static_cast<double>(exact), 1e-13 * (1 + std::abs(static_cast<double>(exact))))
          << c.name;
    }
  }
}

TEST(Loss, LongSumsMatchToo) {
  Random random(2);
  for (const Index m : {1, 7, 8, 9, 511, 512, 513, 2000}) {
    for (const LossCase& c : loss_cases(m, 12)) {
      const Vector u = gaussian(random, m, 2.0);
      const double exact = static_cast<double>(c.value(u.cast<Real>()));
      EXPECT_NEAR(c.loss->value(u), exact, 1e-13 * (1 + std::abs(exact))) << c.name << " of " << m;
    }
  }
}

TEST(Loss, DerivativeMatchesDifferences) {
  Random random(3);
  const Real h = 1e-5L;
  for (const LossCase& c : loss_cases(kRows, 13)) {
    const Vector u = gaussian(random, kRows, 2.0);
    Vector r(kRows);
    c.loss->derivative(u, r);
    for (Index i = 0; i < kRows; ++i) {
      if (c.near_kink(u[i], i)) continue;
      RealVector plus = u.cast<Real>(), minus = plus;
      plus[i] += h;
      minus[i] -= h;
      EXPECT_NEAR(r[i], static_cast<double>((c.value(plus) - c.value(minus)) / (2 * h)), 1e-8)
          << c.name << " " << i;
    }
  }
}

TEST(Loss, DerivativesOfSomeEntriesAreThoseOfAll) {
  Random random(3);
  for (const LossCase& c : loss_cases(kRows, 13)) {
    const Vector u = gaussian(random, kRows, 2.0);
    Vector all(kRows);
    c.loss->derivative(u, all);
    const std::vector<Index> entries{7, 0, kRows - 1, 7};
    const Vector some_u = u(entries);
    Vector some = Vector::Zero(some_u.size());
    if (!c.loss->derivatives_of(entries, some_u, some)) {
      EXPECT_TRUE(c.name.starts_with("max-affine") || c.name.starts_with("log-sum-exp")) << c.name;
      continue;
    }
    for (Index k = 0; k < some.size(); ++k)
      EXPECT_NEAR(some[k], all[entries[static_cast<std::size_t>(k)]], 4.0 * kEpsilon * std::abs(some[k]))
          << c.name;
  }
}

TEST(Loss, SubgradientInequality) {
  Random random(4);
  for (const LossCase& c : loss_cases(kRows, 14)) {
    for (int trial = 0; trial < 100; ++trial) {
      const Vector u = gaussian(random, kRows, 2.0);
      const Vector v = u + gaussian(random, kRows, trial % 2 == 0 ? 1.0 : 1e-2);
      Vector r(kRows);
      c.loss->derivative(u, r);
      EXPECT_GE(c.loss->value(v) - c.loss->value(u) - r.dot(v - u), -1e-12 * (1 + c.loss->value(u))) << c.name;
    }
  }
}

TEST(Loss, HessianProductMatchesDifferencesOfDerivatives) {
  Random random(5);
  const double h = 1e-5;
  for (const LossCase& c : loss_cases(kRows, 15)) {
    const Vector u = gaussian(random, kRows, 2.0);
    Vector v = gaussian(random, kRows);
    for (Index i = 0; i < kRows; ++i) {
      if (c.near_kink(u[i], i)) v[i] = 0.0;
    }
    Vector out(kRows), plus(kRows), minus(kRows);
    ASSERT_EQ(c.loss->hessian_product(u, v, out), c.has_hessian) << c.name;
    if (!c.has_hessian) continue;
    c.loss->derivative(u + h * v, plus);
    c.loss->derivative(u - h * v, minus);
    EXPECT_LE((out - (plus - minus) / (2 * h)).norm(), 1e-8 * (1 + out.norm())) << c.name;

    Vector w(kRows);
    if (c.loss->curvature(u, w)) {
      EXPECT_LE((w.cwiseProduct(v) - out).norm(), 1e-15 * v.norm()) << c.name;
    } else {
      EXPECT_EQ(c.name, "log-sum-exp");
    }
  }
}

TEST(Loss, FixedSubgradientsAtKinks) {
  Vector r(1);
  const Vector one = Vector::Ones(1), two = Vector::Constant(1, 2.0);
  hinge_loss(one)->derivative(one, r);
  EXPECT_EQ(r[0], 0.0);
  absolute_loss(two)->derivative(two, r);
  EXPECT_EQ(r[0], 0.0);
  quantile_loss(two, 0.25)->derivative(two, r);
  EXPECT_EQ(r[0], 0.0);
  Vector pair(2);
  max_affine_loss(Vector::Zero(2))->derivative(Vector::Ones(2), pair);
  EXPECT_EQ(pair[0], 1.0);
  EXPECT_EQ(pair[1], 0.0);
}

TEST(Loss, KnownValues) {
  const Vector b = Vector::Constant(1, 2.0);
  const auto at = [](const LossPtr& loss, double u) { return loss->value(Vector::Constant(1, u)); };
  EXPECT_DOUBLE_EQ(at(least_squares_loss(b), 5.0), 4.5);
  EXPECT_DOUBLE_EQ(at(huber_loss(b, 1.0), 5.0), 2.5);
  EXPECT_DOUBLE_EQ(at(huber_loss(b, 1.0), 2.5), 0.125);
  EXPECT_DOUBLE_EQ(at(absolute_loss(b), -1.0), 3.0);
  EXPECT_DOUBLE_EQ(at(quantile_loss(b, 0.9), 1.0), 0.9);
  EXPECT_DOUBLE_EQ(at(quantile_loss(b, 0.9), 3.0), 0.1);
  const Vector minus = Vector::Constant(1, -1.0);
  EXPECT_DOUBLE_EQ(at(hinge_loss(minus), 2.0), 3.0);
  EXPECT_DOUBLE_EQ(at(squared_hinge_loss(minus), 2.0), 4.5);
  EXPECT_DOUBLE_EQ(at(logistic_loss(minus), 0.0), std::log(2.0));
  EXPECT_DOUBLE_EQ(max_affine_loss(Vector::LinSpaced(3, 0, 2))->value(Vector::Ones(3)), 3.0);
  EXPECT_DOUBLE_EQ(log_sum_exp_loss(Vector::Zero(4))->value(Vector::Zero(4)), std::log(4.0));
}

TEST(Logistic, AccurateAtBothTails) {
  const LossPtr loss = logistic_loss(Vector::Ones(1));
  for (const double u : {800.0, -800.0, 40.0, -40.0, 1e-300, -1e-300, 700.0, -700.0, 36.7, 1e-9, -1e-9}) {
    const Real value = std::log1p(std::exp(-Real(u)));
    const Real slope = -1 / (1 + std::exp(Real(u)));
    const Real curvature = 1 / ((1 + std::exp(Real(u))) * (1 + std::exp(-Real(u))));
    const Vector at = Vector::Constant(1, u);
    Vector r(1), w(1);
    loss->derivative(at, r);
    loss->curvature(at, w);
    // Relative, and below the smallest normal number absolute.
    const auto close = [](double found, Real exact) {
      return std::abs(found - exact) <= 8 * Real(kEpsilon) * std::abs(exact) + 1e-320L;
    };
    EXPECT_TRUE(close(loss->value(at), value)) << u;
    EXPECT_TRUE(close(r[0], slope)) << u;
    EXPECT_TRUE(close(w[0], curvature)) << u;
  }
}

TEST(Logistic, HugeMarginsDoNotOverflow) {
  const LossPtr loss = logistic_loss(Vector::Ones(1));
  Vector r(1), w(1);
  for (const double u : {1e308, -1e308}) {
    const Vector at = Vector::Constant(1, u);
    loss->derivative(at, r);
    loss->curvature(at, w);
    EXPECT_EQ(loss->value(at), u > 0 ? 0.0 : 1e308);
    EXPECT_EQ(r[0], u > 0 ? 0.0 : -1.0);
    EXPECT_EQ(w[0], 0.0);
  }
}

TEST(Logistic, ConjugateIsRightForTinyProbabilities) {
  const LossPtr loss = logistic_loss(Vector::Ones(1));
  const auto conjugate = [&](double p) { return loss->conjugate(Vector::Constant(1, -p)); };
  EXPECT_EQ(conjugate(0.0), 0.0);
  EXPECT_EQ(conjugate(1.0), 0.0);
  for (const double p : {1e-300, 1e-20, 1e-9, 0.25, 0.5, 1 - 1e-9, 1 - 0x1p-53}) {
    const Real q = p;
    const Real exact = q * std::log(q) + (1 - q) * std::log1p(-q);
    EXPECT_LE(std::abs(conjugate(p) - exact), 8 * Real(kEpsilon) * std::abs(exact)) << p;
  }
}

TEST(LogSumExp, ShiftInvariantWithoutOverflow) {
  Random random(6);
  const LossPtr loss = log_sum_exp_loss(gaussian(random, 5));
  const Vector u = gaussian(random, 5);
  const double base = loss->value(u);
  for (const double shift : {1e3, -1e3, 1e300, -1e300}) {
    const Vector moved = u.array() + shift;
    EXPECT_NEAR(loss->value(moved), base + shift, 1e-15 * std::abs(shift) + 1e-12) << shift;
    Vector p(5);
    loss->derivative(moved, p);
    EXPECT_NEAR(p.sum(), 1.0, 1e-15);
  }
}

TEST(Loss, NotANumberShows) {
  for (const LossCase& c : loss_cases(5, 16)) {
    for (Index at = 0; at < 5; ++at) {
      Vector u = Vector::Zero(5), r(5);
      u[at] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_TRUE(std::isnan(c.loss->value(u))) << c.name;
      c.loss->derivative(u, r);
      EXPECT_TRUE(std::isnan(r.sum())) << c.name;
    }
  }
}

}  // namespace
}  // namespace fcbio::test
