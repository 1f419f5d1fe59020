// Slopes along a direction, proximal maps, and what terms say of themselves without work.
#include <gtest/gtest.h>

#include <cmath>

#include "functions/cases.hpp"
#include "support/allocations.hpp"

namespace fcbio::test {
namespace {

constexpr Index kRows = 9;
constexpr Index kColumns = 6;

TermCase user_case() {
  UserFunction user;
  user.dimension = kColumns;
  user.smoothness = 1.0;
  user.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x.array().sin();
    return x.array().cos().sum() * -1.0;
  };
  return {"user", user_term(user), [](const RealVector& x) { return -x.array().cos().sum(); }, {}, true, false};
}

std::vector<TermCase> all_cases(std::uint64_t seed) {
  std::vector<TermCase> cases = term_cases(kRows, kColumns, seed);
  cases.push_back(user_case());
  return cases;
}

TEST(SlopeAlong, MatchesDifferences) {
  Random random(141);
  const Real h = 1e-6L;
  for (const TermCase& c : all_cases(142)) {
    for (int trial = 0; trial < 5; ++trial) {
      Evaluation at(*c.term, gaussian(random, kColumns, 2.0));
      const Evaluation direction(*c.term, gaussian(random, kColumns));
      const double slope = c.term->slope_along(at.x, at.u, direction.x, direction.u, at.d);
      const RealVector x = at.x.cast<Real>(), v = direction.x.cast<Real>();
      const Real difference = (c.value(x + h * v) - c.value(x - h * v)) / (2 * h);
      EXPECT_NEAR(slope, static_cast<double>(difference), 1e-6) << c.name;
    }
  }
}

TEST(SlopeAlong, IsTheGradientTimesTheDirectionAndTheDefaultAgrees) {
  Random random(143);
  for (const TermCase& c : all_cases(144)) {
    Evaluation at(*c.term, gaussian(random, kColumns));
    const Evaluation direction(*c.term, gaussian(random, kColumns));
    const double expected = at.gradient(*c.term).dot(direction.x);
    Vector scratch = Vector::Constant(c.term->dual_size(), 7.0);
    EXPECT_NEAR(c.term->slope_along(at.x, at.u, direction.x, direction.u, scratch), expected,
                1e-12 * (1 + std::abs(expected)))
        << c.name;
    EXPECT_NEAR(c.term->Term::slope_along(at.x, at.u, direction.x, direction.u, scratch), expected,
                1e-12 * (1 + std::abs(expected)))
        << c.name;
  }
}

TEST(SlopeAlong, OfAFunctionIsTheWeightedSum) {
  Random random(145);
  const std::vector<TermCase> cases = all_cases(146);
  Function f;
  double expected = 0.0;
  const Vector x = gaussian(random, kColumns), v = gaussian(random, kColumns);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double weight = 0.5 + static_cast<double>(i);
    f += Function(cases[i].term, weight);
    Evaluation at(*cases[i].term, x);
    expected += weight * at.gradient(*cases[i].term).dot(v);
  }
  PartVectors images = f.make_images(), v_images = f.make_images(), scratch = f.make_duals();
  f.images(x, images);
  f.images(v, v_images);
  EXPECT_NEAR(f.slope_along(x, images, v, v_images, scratch), expected, 1e-11 * (1 + std::abs(expected)));
  EXPECT_EQ(f.cost().slope_along, 1);  // the lambda's; all others have images
#if FCBIO_ALLOCATIONS_COUNTED
  const long before = allocation_count();
  const double again = f.slope_along(x, images, v, v_images, scratch);
  EXPECT_EQ(allocation_count() - before, 0) << again;
#endif
}

TEST(Smooth, IsKnownWithoutWork) {
  for (const TermCase& c : all_cases(147))
    EXPECT_EQ(c.term->smooth(), c.term->smoothness().value.has_value()) << c.name;
  UserFunction user;
  user.dimension = 1;
  user.evaluate = [](VectorIn, Vector*) { return 0.0; };
  EXPECT_FALSE(user_term(user)->smooth());
}

TEST(Differentiable, WhereAConstantIsKnownAndWhereTheCallerVouchesForIt) {
  for (const TermCase& c : all_cases(151)) EXPECT_EQ(c.term->differentiable(), c.term->smooth()) << c.name;
  UserFunction user;
  user.dimension = 1;
  user.evaluate = [](VectorIn, Vector*) { return 0.0; };
  EXPECT_FALSE(user_term(user)->differentiable());
  user.smoothness = 1.0;
  EXPECT_TRUE(user_term(user)->differentiable());
  user.smoothness.reset();
  user.differentiable = true;
  EXPECT_TRUE(user_term(user)->differentiable());
  EXPECT_FALSE(user_term(user)->smooth());
  EXPECT_FALSE(user_term(user)->smoothness().value);
}

TEST(Differentiable, ASumIsWhereAllPartsWithAWeightAre) {
  const Function smooth = squared_norm(Vector::Zero(3)), kinked = l1_norm(Vector::Zero(3));
  EXPECT_TRUE((smooth + 0.0 * kinked).differentiable());
  EXPECT_FALSE((smooth + 0.1 * kinked).differentiable());
}

// z is argmin of step * term(z) + 1/2 |z - x|^2 exactly if no other point is better.
TEST(Prox, BeatsEveryOtherPoint) {
  Random random(148);
  int with_prox = 0;
  for (const TermCase& c : all_cases(149)) {
    for (double step : {0.0, 0.3, 2.0}) {
      const Vector x = gaussian(random, kColumns, 2.0);
      Vector z = x;
      if (!c.term->prox(step, z)) {
        EXPECT_EQ(z, x) << c.name;
        continue;
      }
      ++with_prox;
      const auto objective = [&](const Vector& at) {
        return static_cast<Real>(step) * c.value(at.cast<Real>()) + (at - x).cast<Real>().squaredNorm() / 2;
      };
      const Real value = objective(z);
      for (int trial = 0; trial < 300; ++trial) {
        const Vector other = z + gaussian(random, kColumns, std::pow(10.0, -(trial % 7)));
        EXPECT_GE(objective(other), value - 1e-14L) << c.name << " " << step;
      }
    }
  }
  EXPECT_EQ(with_prox, 9);  // l1 norm, squared norm and linear
}

TEST(Prox, OfTheL1NormStopsExactlyAtTheCentre) {
  const Vector centre = Vector::LinSpaced(5, -1.0, 1.0);
  const TermPtr term = l1_norm_term(centre);
  ASSERT_NE(term->l1_centre(), nullptr);
  EXPECT_EQ(*term->l1_centre(), centre);
  Vector x = centre;
  x[0] += 0.25, x[1] -= 0.25, x[2] += 0.75, x[3] -= 0.75;
  ASSERT_TRUE(term->prox(0.5, x));
  EXPECT_EQ(x[0], centre[0]);
  EXPECT_EQ(x[1], centre[1]);
  EXPECT_DOUBLE_EQ(x[2], centre[2] + 0.25);
  EXPECT_DOUBLE_EQ(x[3], centre[3] - 0.25);
  EXPECT_EQ(x[4], centre[4]);
  EXPECT_EQ(squared_norm_term(centre)->l1_centre(), nullptr);
}

}  // namespace
}  // namespace fcbio::test
