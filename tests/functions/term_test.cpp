// Terms: gradients, Hessian products, images, and the minorant
//     term(x) >= dual_constant(d) + <slope(d), x> + exact_curvature/2 |x|^2.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "functions/cases.hpp"

namespace fcbio::test {
namespace {

constexpr Index kRows = 9;
constexpr Index kColumns = 6;

double minorant_at(const Term& term, const Vector& d, const Vector& x) {
  Vector slope = Vector::Zero(term.dimension());
  term.add_slope(1.0, d, slope);
  return term.dual_constant(d) + slope.dot(x) + 0.5 * term.exact_curvature() * x.squaredNorm();
}

TEST(Term, ValueMatchesTheFormula) {
  Random random(51);
  for (const TermCase& c : term_cases(kRows, kColumns, 52)) {
    for (int trial = 0; trial < 20; ++trial) {
      const Evaluation at(*c.term, gaussian(random, kColumns, 2.0));
      const double exact = static_cast<double>(c.value(at.x.cast<Real>()));
      EXPECT_NEAR(at.value(*c.term), exact, 1e-13 * (10 + std::abs(exact))) << c.name;
    }
  }
}

TEST(Term, GradientMatchesDifferences) {
  Random random(53);
  const Real h = 1e-6L;
  for (const TermCase& c : term_cases(kRows, kColumns, 54)) {
    Evaluation at(*c.term, gaussian(random, kColumns, 2.0));
    const Vector gradient = at.gradient(*c.term);
    for (Index j = 0; j < kColumns; ++j) {
      RealVector plus = at.x.cast<Real>(), minus = plus;
      plus[j] += h;
      minus[j] -= h;
      EXPECT_NEAR(gradient[j], static_cast<double>((c.value(plus) - c.value(minus)) / (2 * h)), 1e-7) << c.name;
    }
  }
}

TEST(Term, WeightScalesAndAdds) {
  Random random(55);
  for (const TermCase& c : term_cases(kRows, kColumns, 56)) {
    Evaluation at(*c.term, gaussian(random, kColumns));
    const Vector before = gaussian(random, kColumns);
    Vector gradient = before, slope = before;
    c.term->add_gradient(2.5, at.x, at.u, at.d, gradient);
    EXPECT_LE((gradient - before - 2.5 * at.gradient(*c.term)).norm(), 1e-12 * (1 + gradient.norm())) << c.name;
    c.term->add_slope(2.5, at.d, slope);
    Vector once = Vector::Zero(kColumns);
    c.term->add_slope(1.0, at.d, once);
    EXPECT_LE((slope - before - 2.5 * once).norm(), 1e-12 * (1 + slope.norm())) << c.name;
  }
}

TEST(Term, HessianProductMatchesDifferencesOfGradients) {
  Random random(57);
  const double h = 1e-6;
  Scratch scratch;
  for (const TermCase& c : term_cases(kRows, kColumns, 58)) {
    const Evaluation at(*c.term, gaussian(random, kColumns));
    const Vector v = gaussian(random, kColumns);
    const Vector before = gaussian(random, kColumns);
    Vector out = before;
    ASSERT_EQ(c.term->add_hessian_product(3.0, at.x, at.u, v, scratch, out), c.has_hessian) << c.name;
    if (!c.has_hessian) {
      EXPECT_EQ(out, before) << c.name;
      continue;
    }
    Evaluation plus(*c.term, at.x + h * v), minus(*c.term, at.x - h * v);
    const Vector difference = 3.0 * (plus.gradient(*c.term) - minus.gradient(*c.term)) / (2 * h);
    EXPECT_LE((out - before - difference).norm(), 1e-6 * (1 + difference.norm())) << c.name;
  }
}

TEST(Term, ImagesAreLinear) {
  Random random(59);
  for (const TermCase& c : term_cases(kRows, kColumns, 60)) {
    const Evaluation a(*c.term, gaussian(random, kColumns)), b(*c.term, gaussian(random, kColumns));
    const Evaluation mix(*c.term, 0.3 * a.x - 1.7 * b.x);
    EXPECT_LE((mix.u - (0.3 * a.u - 1.7 * b.u)).norm(), 1e-13 * (1 + mix.u.norm())) << c.name;
  }
}

TEST(Term, MinorantTouchesAtTheLinearisationPoint) {
  Random random(61);
  for (const TermCase& c : term_cases(kRows, kColumns, 62)) {
    for (int trial = 0; trial < 20; ++trial) {
      Evaluation at(*c.term, gaussian(random, kColumns, 2.0));
      c.term->repair_dual(at.d);
      const double value = at.value(*c.term);
      EXPECT_NEAR(minorant_at(*c.term, at.d, at.x), value, 1e-12 * (10 + std::abs(value))) << c.name;
      const Vector gradient = at.gradient(*c.term);
      Vector slope = Vector::Zero(kColumns);
      c.term->add_slope(1.0, at.d, slope);
      slope += c.term->exact_curvature() * at.x;
      EXPECT_LE((slope - gradient).norm(), 1e-12 * (1 + gradient.norm())) << c.name;
    }
  }
}

RC_GTEST_PROP(Term, AveragedDualsAreMinorants, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const int count = *rc::gen::inRange(1, 6);
  for (const TermCase& c : term_cases(kRows, kColumns, random())) {
    Vector average = Vector::Zero(c.term->dual_size());
    double total = 0.0, highest_average = 0.0;
    const Evaluation test_point(*c.term, gaussian(random, kColumns, 2.0));
    for (int k = 0; k < count; ++k) {
      const Evaluation at(*c.term, gaussian(random, kColumns, 2.0));
      const double weight = 1.0 + static_cast<double>(random() % 5);
      average += weight * at.d;
      total += weight;
      highest_average += weight * minorant_at(*c.term, at.d, test_point.x);
    }
    average /= total;
    Vector damaged = average.array() * (1.0 + 1e-13);  // as rounding would, only more
    c.term->repair_dual(damaged);
    const double value = test_point.value(*c.term);
    const double low = minorant_at(*c.term, damaged, test_point.x);
    const double slack = 1e-10 * (10 + std::abs(value) + std::abs(low));
    RC_ASSERT(low <= value + slack);
    RC_ASSERT(low >= highest_average / total - slack);
  }
}

TEST(Term, RandomDualsAreMinorantsAfterRepair) {
  Random random(63);
  for (const TermCase& c : term_cases(kRows, kColumns, 64)) {
    for (int trial = 0; trial < 50; ++trial) {
      Vector d = gaussian(random, c.term->dual_size(), 2.0);
      c.term->repair_dual(d);
      const Evaluation at(*c.term, gaussian(random, kColumns, 2.0));
      const double value = at.value(*c.term);
      EXPECT_LE(minorant_at(*c.term, d, at.x), value + 1e-12 * (100 + std::abs(value))) << c.name;
    }
  }
}

TEST(Term, WitnessIsEnoughToRebuildADual) {
  Random random(65);
  for (const TermCase& c : term_cases(kRows, kColumns, 66)) {
    Evaluation at(*c.term, gaussian(random, kColumns));
    c.term->repair_dual(at.d);
    Vector rebuilt = Vector::Constant(c.term->dual_size(), 99.0);
    const Index stored = c.term->witness_size();
    ASSERT_LE(stored, c.term->dual_size());
    rebuilt.head(stored) = at.d.head(stored);
    c.term->repair_dual(rebuilt);
    EXPECT_LE((rebuilt - at.d).norm(), 1e-15 * at.d.norm()) << c.name;
  }
}

TEST(Term, Costs) {
  for (const TermCase& c : term_cases(kRows, kColumns, 67)) {
    const PassCost cost = c.term->cost();
    const std::vector<int> found{cost.image, cost.value, cost.gradient, cost.slope};
    std::vector<int> expected{0, 0, 0, 0};
    if (c.name.ends_with("of dense") || c.name.ends_with("of sparse")) expected = {1, 0, 1, 1};
    if (c.name.starts_with("quadratic")) expected = {1, 0, 0, 1};
    EXPECT_EQ(found, expected) << c.name;
    EXPECT_EQ(c.term->image_size() > 0, cost.image > 0) << c.name;
    EXPECT_EQ(c.term->dimension(), kColumns) << c.name;
  }
}

TEST(Term, CurvatureKeptExactlyIsStrongConvexity) {
  EXPECT_EQ(squared_norm_term(Vector::Zero(3))->exact_curvature(), 1.0);
  EXPECT_EQ(squared_norm_term(Vector::Zero(3))->strong_convexity(), 1.0);
  for (const TermCase& c : term_cases(kRows, kColumns, 68)) {
    if (c.name != "squared-norm") {
      EXPECT_EQ(c.term->exact_curvature(), 0.0) << c.name;
    }
  }
}

}  // namespace
}  // namespace fcbio::test
