// Functions given by a lambda.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "fcbio/error.hpp"
#include "functions/cases.hpp"
#include "support/refusal.hpp"

namespace fcbio::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// sum x_i^4 / 4
UserFunction quartic(Index n) {
  UserFunction function;
  function.name = "quartic";
  function.dimension = n;
  function.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x.array().cube();
    return 0.25 * x.array().square().square().sum();
  };
  function.lower_bound = 0.0;
  return function;
}

TEST(User, ValueGradientAndConstants) {
  UserFunction function = quartic(3);
  function.smoothness = 7.0;
  function.lipschitz = 5.0;
  const TermPtr term = user_term(function);
  Evaluation at(*term, Vector::LinSpaced(3, 1.0, 3.0));
  EXPECT_DOUBLE_EQ(at.value(*term), 24.5);
  EXPECT_EQ(at.gradient(*term), Vector(at.x.array().cube()));
  EXPECT_EQ(term->smoothness().value, 7.0);
  EXPECT_EQ(term->lipschitz(at.x, 1.0).value, 5.0);
  EXPECT_EQ(term->lower_bound(), 0.0);
  EXPECT_EQ(term->name(), "quartic");
  EXPECT_EQ(term->dual_size(), 6);  // gradient, constant, and the sizes of both
  EXPECT_FALSE(user_term(quartic(3))->smoothness().value.has_value());
  EXPECT_FALSE(user_term(quartic(3))->lipschitz(at.x, 1.0).value.has_value());
  const PassCost cost = term->cost();
  EXPECT_EQ(cost.image, 0);
  EXPECT_EQ(cost.value, 1);
  EXPECT_EQ(cost.gradient, 1);
  EXPECT_EQ(cost.slope, 0);
  Scratch scratch;
  Vector out = Vector::Ones(3);
  EXPECT_FALSE(term->add_hessian_product(1.0, at.x, at.u, at.x, scratch, out));
  EXPECT_EQ(out, Vector::Ones(3));
}

TEST(User, AveragedDualsAreMinorants) {
  Random random(101);
  const TermPtr term = user_term(quartic(5));
  for (int trial = 0; trial < 100; ++trial) {
    const Evaluation a(*term, gaussian(random, 5)), b(*term, gaussian(random, 5)), x(*term, gaussian(random, 5));
    Vector d = 0.25 * a.d + 0.75 * b.d;
    term->repair_dual(d);
    Vector slope = Vector::Zero(5);
    term->add_slope(1.0, d, slope);
    EXPECT_LE(term->dual_constant(d) + slope.dot(x.x), x.value(*term) + 1e-14);
  }
}

TEST(User, MinorantTouchesAndStaysBelowItself) {
  Random random(102);
  const TermPtr term = user_term(quartic(5));
  for (int trial = 0; trial < 100; ++trial) {
    const Evaluation at(*term, gaussian(random, 5, 10.0));
    // In long double the stored pair lies below the exact value at its own point: the rounding was paid for.
    const Real low = at.d[5] + at.d.head(5).cast<Real>().dot(at.x.cast<Real>());
    const Real exact = at.x.cast<Real>().array().square().square().sum() / 4;
    EXPECT_LE(low, exact);
    EXPECT_GE(low, exact * (1 - 1e-12L));
    EXPECT_LE(std::abs(at.value(*term) - exact), term->value_rounding(at.x, at.u));
    EXPECT_GT(term->slope_rounding(at.d), 0.0);
    EXPECT_GT(term->dual_constant_rounding(at.d), 0.0);
  }
}

TEST(User, LambdasMayCallLambdas) {
  const TermPtr inner = user_term(quartic(3));
  UserFunction doubled;
  doubled.dimension = 3;
  doubled.evaluate = [inner](VectorIn x, Vector* gradient) {
    Vector none(0), d(inner->dual_size());
    if (gradient != nullptr) {
      gradient->setZero();  // written before the inner call, so a shared buffer would show
      inner->linear_dual(x, none, d);
      inner->add_gradient(2.0, x, none, d, *gradient);
    }
    return 2.0 * inner->value(x, none);
  };
  const TermPtr outer = user_term(doubled);
  Evaluation at(*outer, Vector::LinSpaced(3, 1.0, 3.0));
  EXPECT_EQ(at.gradient(*outer), Vector(2.0 * at.x.array().cube()));
}

TEST(User, ThreadsDoNotMeet) {
  const TermPtr term = user_term(quartic(50));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int k = 0; k < 200; ++k) {
        Evaluation at(*term, Vector::Constant(50, 1.0 + t));
        if (at.gradient(*term) != Vector::Constant(50, std::pow(1.0 + t, 3))) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(User, Refusals) {
  const auto refusal = [](const UserFunction& function) {
    return test::refusal([&] {
      const TermPtr term = user_term(function);
      Evaluation at(*term, Vector::Zero(term->dimension()));
    });
  };
  UserFunction bad = quartic(0);
  EXPECT_THAT(refusal(bad), AllOf(HasSubstr("quartic: expected a dimension of at least 1"), HasSubstr("found 0")));
  bad = quartic(2);
  bad.evaluate = nullptr;
  EXPECT_THAT(refusal(bad), HasSubstr("set UserFunction::evaluate"));
  bad = quartic(2);
  bad.smoothness = -1.0;
  EXPECT_THAT(refusal(bad), AllOf(HasSubstr("smoothness"), HasSubstr("-1")));
  bad = quartic(2);
  bad.lipschitz = NAN;
  EXPECT_THAT(refusal(bad), HasSubstr("Lipschitz"));
  bad = quartic(2);
  bad.lower_bound = NAN;
  EXPECT_THAT(refusal(bad), HasSubstr("lower bound"));
  bad = quartic(2);
  bad.evaluate = [](VectorIn, Vector* gradient) {
    if (gradient != nullptr) *gradient = Vector::Zero(3);
    return 0.0;
  };
  EXPECT_THAT(refusal(bad),
              AllOf(HasSubstr("a gradient of 2 numbers"), HasSubstr("found 3"), HasSubstr("in place")));
  EXPECT_EQ(refusal(quartic(2)), "accepted");
}

}  // namespace
}  // namespace fcbio::test
