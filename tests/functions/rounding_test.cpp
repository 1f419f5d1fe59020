// The rounding bounds against long double: what is computed in double may be off by the bound, never by more.
// Data of wildly different magnitudes, cancelling columns and long sums.
#include "functions/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "functions/cases.hpp"

namespace fcbio::test {
namespace {

void expect_dual_bounds_hold(const TermCase& c, Vector d) {
  c.term->repair_dual(d);
  const Minorant exact = c.minorant(d);
  for (const double weight : {1.0, 1.0 / 3.0}) {
    Vector slope = Vector::Zero(c.term->dimension());
    c.term->add_slope(weight, d, slope);
    EXPECT_LE((slope.cast<Real>() - Real(weight) * exact.slope).norm(), weight * c.term->slope_rounding(d))
        << c.name;
  }
  EXPECT_LE(std::abs(c.term->dual_constant(d) - exact.constant), c.term->dual_constant_rounding(d)) << c.name;
}

void expect_bounds_hold(const TermCase& c, const Vector& x) {
  Evaluation at(*c.term, x);
  const double value_bound = c.term->value_rounding(at.x, at.u);
  const Real value = c.value(at.x.cast<Real>());
  EXPECT_LE(std::abs(at.value(*c.term) - value), value_bound) << c.name;
  EXPECT_TRUE(std::isfinite(value_bound)) << c.name;

  // The dual of the point, and one that is far from any derivative, as an average may be.
  expect_dual_bounds_hold(c, at.d);
  Random random(7);
  expect_dual_bounds_hold(c, gaussian(random, c.term->dual_size(), 1.0 + at.d.norm()));
}

TEST(Rounding, BoundsHoldOnOrdinaryData) {
  Random random(71);
  for (const TermCase& c : term_cases(30, 20, 72)) {
    for (int trial = 0; trial < 20; ++trial)
      expect_bounds_hold(c, gaussian(random, 20, trial % 2 == 0 ? 1.0 : 100.0));
  }
}

TEST(Rounding, BoundsHoldOnWildData) {
  Random random(73);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    for (const double range : {2.0, 6.0}) {
      for (const TermCase& c : term_cases(30, 20, 74 + seed, range)) {
        for (int trial = 0; trial < 4; ++trial) expect_bounds_hold(c, wild(random, 20, range));
      }
    }
  }
}

TEST(Rounding, BoundsHoldWhereImagesCancel) {
  Random random(75);
  const Index m = 40, n = 30;
  RowMajorMatrix matrix(m, n);
  for (Index i = 0; i < m; ++i) {
    const Vector half = wild(random, n / 2, 3.0);
    for (Index j = 0; j < n / 2; ++j) {
      matrix(i, 2 * j) = half[j];
      matrix(i, 2 * j + 1) = -half[j] * (1.0 + 4.0 * kEpsilon);
    }
  }
  const RealMatrix exact = matrix.cast<Real>();
  for (const LossCase& loss : loss_cases(m, 76)) {
    TermCase c{loss.name,
               loss_term(dense_map(matrix), loss.loss),
               [&](const RealVector& x) { return loss.value(exact * x); },
               [&](const Vector& d) {
                 RealVector r = d.cast<Real>();
                 if (loss.on_simplex) r /= r.sum();
                 return Minorant{-loss.conjugate(r), exact.transpose() * r};
               },
               true,
               true};
    for (int trial = 0; trial < 10; ++trial) {
      const Vector half = wild(random, n / 2, 3.0);
      Vector x(n);
      for (Index j = 0; j < n / 2; ++j) x[2 * j] = x[2 * j + 1] = half[j];
      expect_bounds_hold(c, x);
    }
  }
}

TEST(Rounding, BoundsHoldNextToTheKernelOfAQuadraticForm) {
  // Q x cancels, so its own error is all there is: the sums alone would not explain the error of the value.
  Random random(85);
  const Index n = 30;
  for (int trial = 0; trial < 20; ++trial) {
    const RowMajorMatrix q = random_semidefinite(random, n, 1);
    const RealMatrix exact = q.cast<Real>();
    const TermCase c{"quadratic",
                     quadratic_term(q, Vector::Zero(n)),
                     [&](const RealVector& x) { return x.dot(exact * x) / 2; },
                     [&](const Vector& d) {
                       const RealVector y = d.head(n).cast<Real>();
                       return Minorant{-y.dot(exact * y) / 2, exact * y};
                     },
                     true,
                     true};
    const Vector range = q.row(0).normalized();
    const Vector x = gaussian(random, n);
    expect_bounds_hold(c, x - range * range.dot(x));
  }
}

TEST(Rounding, BoundsHoldForLongSums) {
  Random random(77);
  for (const TermCase& c : term_cases(3000, 40, 78)) expect_bounds_hold(c, gaussian(random, 40));
  for (const TermCase& c : term_cases(20, 400, 79)) expect_bounds_hold(c, gaussian(random, 400));
}

TEST(Rounding, BoundsAreNotUseless) {
  // A bound must be small enough to certify with: far below 1e-9 of the magnitudes on ordinary data.
  Random random(80);
  for (const TermCase& c : term_cases(30, 20, 81)) {
    Evaluation at(*c.term, gaussian(random, 20));
    c.term->repair_dual(at.d);
    EXPECT_LE(c.term->value_rounding(at.x, at.u), 1e-9) << c.name;
    EXPECT_LE(c.term->slope_rounding(at.d), 1e-9) << c.name;
    EXPECT_LE(c.term->dual_constant_rounding(at.d), 1e-9) << c.name;
    // A bound of zero would be a claim of exactness, which only the constant 0 of a linear term can make.
    EXPECT_GT(c.term->value_rounding(at.x, at.u), 0.0) << c.name;
    if (c.name != "linear") {
      EXPECT_GT(c.term->dual_constant_rounding(at.d), 0.0) << c.name;
    }
  }
}

TEST(Rounding, LossBoundsHoldAtExtremes) {
  Random random(82);
  for (const LossCase& c : loss_cases(50, 83)) {
    const TermPtr term = loss_term(identity_map(50), c.loss);
    for (const double scale : {1e-300, 1e-20, 1e-8, 30.0, 700.0, 1e10}) {
      const Vector u = gaussian(random, 50, scale);
      const Real exact = c.value(u.cast<Real>());
      EXPECT_LE(std::abs(term->value(u, u) - exact), term->value_rounding(u, u)) << c.name << " " << scale;
    }
  }
}

TEST(Rounding, SumsStayWithinTheirDepth) {
  Random random(84);
  for (const Index n : {1, 5, 8, 100, 512, 513, 5000, 100000}) {
    const Vector v = wild(random, n, 8.0);
    const double computed = functions::sum_of(n, [&](Index i) { return v[i]; });
    const Real exact = v.cast<Real>().sum();
    const double bound = functions::rounding_factor(functions::sum_depth(n)) * v.cwiseAbs().sum();
    EXPECT_LE(std::abs(computed - exact), bound) << n;
  }
  // What is allowed for does not grow with the number of summands, once there are some hundreds.
  EXPECT_EQ(functions::sum_depth(1000), functions::sum_depth(100000000));
  // The order depends on the length alone: a shifted, differently aligned copy gives the same bits.
  const Vector v = gaussian(random, 1001);
  const Vector tail = v.tail(1000);
  EXPECT_EQ(functions::norm(v.tail(1000)), functions::norm(tail));
}

TEST(Rounding, NormsAreRightForNumbersOfAnySize) {
  for (const double scale : {1e-310, 1e-300, 1e-200, 1e-150, 1.0, 1e150, 1e200, 1e300})
    EXPECT_NEAR(functions::norm(Vector{{3.0 * scale, -4.0 * scale}}) / (5.0 * scale), 1.0, 1e-12) << scale;
  EXPECT_EQ(functions::norm(Vector::Zero(3)), 0.0);
}

/// The derivative of a logistic loss far from its margin is so small that its square vanishes; the error of the image
/// still moves the value, by far more than its last digits.
TEST(Rounding, BoundsHoldWhereALossHasAllButVanished) {
  Random random(85);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 8;
    RowMajorMatrix row = gaussian(random, n).transpose();
    Vector x = gaussian(random, n);
    x += row.transpose() * ((400.0 + trial - row.row(0).dot(x)) / row.squaredNorm());  // a margin of 400 to 600
    const TermPtr term = loss_term(dense_map(row), logistic_loss(Vector::Ones(1)));
    Evaluation at(*term, x);
    const Real exact = std::log1p(std::exp(-row.row(0).cast<Real>().dot(x.cast<Real>())));
    EXPECT_LE(std::abs(at.value(*term) - exact), term->value_rounding(at.x, at.u)) << trial;
  }
}

/// Images that cancel, of points so small that the square of their norm vanishes.
TEST(Rounding, BoundsHoldAtTinyPoints) {
  Random random(86);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 12;
    const RowMajorMatrix row = gaussian(random, n).transpose();
    Vector x = gaussian(random, n);
    x -= row.transpose() * (row.row(0).dot(x) / row.squaredNorm());
    x *= 1e-200;
    const TermPtr term = loss_term(dense_map(row), absolute_loss(Vector::Zero(1)));
    Evaluation at(*term, x);
    const Real exact = std::abs(row.row(0).cast<Real>().dot(x.cast<Real>()));
    EXPECT_LE(std::abs(at.value(*term) - exact), term->value_rounding(at.x, at.u)) << trial;
  }
}

TEST(Rounding, ALossFromElsewhereGetsAnEstimate) {
  class Plain final : public Loss {
   public:
    std::string_view name() const override { return "plain"; }
    Index size() const override { return 3; }
    double value(VectorIn u) const override { return 0.5 * u.squaredNorm(); }
    void derivative(VectorIn u, VectorOut r) const override { r = u; }
    void make_dual_feasible(VectorOut) const override {}
    double conjugate(VectorIn r) const override { return 0.5 * r.squaredNorm(); }
    std::optional<double> smoothness() const override { return 1.0; }
    std::optional<double> lipschitz(VectorIn centre, double radius) const override {
      return centre.norm() + radius;
    }
  };
  const TermPtr term = loss_term(identity_map(3), std::make_shared<Plain>());
  const Vector x = Vector::Constant(3, 2.0);
  EXPECT_GT(term->value_rounding(x, x), 6.0 * kEpsilon);
  EXPECT_LT(term->value_rounding(x, x), 1e-11);
  EXPECT_GT(term->dual_constant_rounding(x), 6.0 * kEpsilon);
  EXPECT_GT(term->slope_rounding(x), 0.0);
}

}  // namespace
}  // namespace fcbio::test
