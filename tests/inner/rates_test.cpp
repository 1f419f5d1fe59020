// Rates on worst-case chains.  The accelerated method must show order 2 (at least 1.8 fitted), the subgradient
// method order 1/2 (at least 0.45); and the first test must fail when momentum is taken away, which is a test too.
#include <gtest/gtest.h>

#include "inner/accelerated.hpp"
#include "inner/subgradient.hpp"
#include "support/chains.hpp"
#include "support/problems.hpp"
#include "support/runs.hpp"

namespace fcbio {
namespace {

// psi(0, .) of two chains that start from opposite ends.  The minimiser of the maximum is symmetric, where both
// equal their mean 1/2 x'Qx - (x_1 + x_q)/8: it is (1, .., 1)/2, with psi* = -1/16 and |x*|^2 = q/4.
Problem two_chains(Index q) {
  return Problem(test::smooth_chain(q, false), test::smooth_chain(q, true),
                 ball(Vector::Zero(q), std::sqrt(static_cast<double>(q))));
}

// The chain is worst for K steps when its length is 2K + 1; so each K gets its own, and the gap is measured in
// units of |x0 - x*|^2, as in the guarantee 2 L |x0 - x*|^2 / (K+1)^2.
double order_of_accelerated(const Target& target, double optimum_per_chain(Index), double squared_distance(Index),
                            bool momentum) {
  std::vector<double> steps, gaps;
  for (std::int64_t budget : {25, 50, 100, 200, 400}) {
    const Index q = 2 * budget + 1;
    const Problem problem = two_chains(q);
    Monitor monitor;
    Oracle oracle(problem, monitor);
    AcceleratedSolver solver(oracle, 1.0, 1.0, {.momentum = momentum});
    Point x(problem);
    test::RecordingJudge judge(target);
    EXPECT_EQ(solver.run(target, x, budget, judge), RunEnd::by_budget);
    const auto k = static_cast<double>(budget);
    steps.push_back(k);
    gaps.push_back((judge.psi.back() - optimum_per_chain(q)) / squared_distance(q));
    EXPECT_GT(gaps.back(), 0.0);
    if (momentum) {
      EXPECT_LE(gaps.back(), 2.0 / ((k + 1.0) * (k + 1.0)));
    }
  }
  return test::fitted_order(steps, gaps);
}

double order_on_two_chains(bool momentum) {
  return order_of_accelerated(
      Target{}, [](Index) { return -1.0 / 16.0; }, [](Index q) { return 0.25 * static_cast<double>(q); },
      momentum);
}

TEST(Rates, GeneralizedAcceleratedGradientHasOrderTwo) { EXPECT_GE(order_on_two_chains(true), 1.8); }

TEST(Rates, TheTestAboveFailsWithoutMomentum) { EXPECT_LT(order_on_two_chains(false), 1.7); }

TEST(Rates, SingleLevelAcceleratedGradientHasOrderTwo) {
  const auto minimum = [](Index q) { return -0.125 * (1.0 - 1.0 / static_cast<double>(q + 1)); };
  const auto squared_distance = [](Index q) {
    double sum = 0.0;
    for (Index j = 1; j <= q; ++j) sum += std::pow(1.0 - static_cast<double>(j) / static_cast<double>(q + 1), 2);
    return sum;
  };
  EXPECT_GE(order_of_accelerated(only_lower(), minimum, squared_distance, true), 1.8);
}

// The nonsmooth chain  C sqrt(q)/(1+sqrt q) max_j x_j + C/(2R(1+sqrt q)) |x|^2  on the ball of radius R:
// C-Lipschitz, minimum -C R / (2 (1 + sqrt q)).
TEST(Rates, SubgradientMethodHasOrderOneHalf) {
  std::vector<double> steps, gaps;
  for (std::int64_t budget : {64, 128, 256, 512, 1024}) {
    const Index q = 2 * budget;
    const double root = std::sqrt(static_cast<double>(q));
    const Function chain = (root / (1.0 + root)) * max_affine(identity_map(q), Vector::Zero(q)) +
                           (1.0 / (1.0 + root)) * squared_norm(Vector::Zero(q));
    const Problem problem(chain, linear(Vector::Zero(q)), ball(Vector::Zero(q), 1.0));
    Monitor monitor;
    Oracle oracle(problem, monitor);
    SubgradientSolver solver(oracle, 1.0, 0.0, {});
    Target target = only_upper();
    Point x(problem);
    test::RecordingJudge judge(target);
    EXPECT_EQ(solver.run(target, x, budget, judge), RunEnd::by_budget);
    steps.push_back(static_cast<double>(budget));
    gaps.push_back(oracle.value(Level::upper, x) + 0.5 / (1.0 + root));
    EXPECT_LE(gaps.back(), 2.0 / std::sqrt(static_cast<double>(budget)));  // D C / sqrt K with D = 2, C = 1
  }
  EXPECT_GE(test::fitted_order(steps, gaps), 0.45);
}

}  // namespace
}  // namespace fcbio
