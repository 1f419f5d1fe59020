// Theory budgets and the cost of a step.
#include <gtest/gtest.h>

#include "inner/accelerated.hpp"
#include "inner/momentum.hpp"
#include "inner/subgradient.hpp"
#include "support/problems.hpp"
#include "support/runs.hpp"

namespace fcbio {
namespace {

// psi*(t) from below, out of the averages of a run.
double psi_lower_bound(Oracle& oracle, const InnerSolver& solver, const Target& target) {
  const MinorantAverage& f = solver.average(Level::upper);
  const MinorantAverage& g = solver.average(Level::lower);
  MinorantBounds bounds(oracle.problem());
  const double total = f.weight() + g.weight();
  if (!(f.weight() > 0.0)) return target.scale * (bounds.minimum(oracle, g) - target.lower_reference);
  const double mu = target.scale * g.weight() / f.weight();
  return f.weight() / total * (bounds.lagrangian(oracle, f, mu, g) - mu * target.lower_reference - target.level);
}

Problem random_problem(std::mt19937_64& random, double& f_smoothness, double& g_smoothness) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const Index n = 3 + static_cast<Index>(uniform(random) * 10), m = 2 + static_cast<Index>(uniform(random) * 8);
  const auto map = dense_map(RowMajorMatrix(test::random_matrix(m, n, random)));
  const Vector b = test::random_vector(m, random);
  const Function f = squared_norm(test::random_vector(n, random));
  const Function g = least_squares(map, b);
  f_smoothness = *f.smoothness().value;
  g_smoothness = *g.smoothness().value;
  ConvexSetPtr set;
  switch (static_cast<int>(uniform(random) * 4)) {
    case 0:
      set = ball(Vector::Zero(n), 0.5 + uniform(random));
      break;
    case 1:
      set = box(Vector::Constant(n, -0.6), Vector::Constant(n, 0.8));
      break;
    case 2:
      set = simplex(n, 1.0);
      break;
    default:
      set = l1_ball(Vector::Zero(n), 1.0);
      break;
  }
  return Problem(f, g, set, test::random_vector(n, random));
}

void check_budget(double alpha0) {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int trial = 0; trial < 120; ++trial) {
    double f_smoothness = 0.0, g_smoothness = 0.0;
    const Problem problem = random_problem(random, f_smoothness, g_smoothness);
    Monitor monitor;
    Oracle oracle(problem, monitor);
    Target target;
    target.level = uniform(random);
    target.lower_reference = uniform(random);
    target.scale = std::pow(10.0, 2.0 * uniform(random) - 1.0);
    const double epsilon = std::pow(10.0, -1.0 - 3.0 * uniform(random));

    AcceleratedSolver solver(oracle, f_smoothness, g_smoothness, {.alpha0 = alpha0});
    const std::int64_t budget = solver.theory_budget(target, 0.5 * epsilon).value();
    const double largest = std::max(f_smoothness, target.scale * g_smoothness);
    const double factor = alpha0 == 1.0 ? 4.0 : 12.0;  // K >= 2 D sqrt(L/eps), or the paper's D sqrt(12 L/eps)
    EXPECT_EQ(budget, static_cast<std::int64_t>(
                          std::ceil(*problem.domain().diameter() * std::sqrt(factor * largest / epsilon))));
    Point x(problem);
    x.x = problem.start();
    for (Level level : kLevels) oracle.update_images(level, x);
    Point reference = x;
    test::RecordingJudge judge(target);
    solver.run(target, x, budget, judge);

    AcceleratedSolver longer(oracle, f_smoothness, g_smoothness, {});
    test::RecordingJudge ignored(target);
    longer.run(target, reference, 20 * budget, ignored);
    const double optimum = psi_lower_bound(oracle, longer, target);
    ASSERT_LE(ignored.psi.back() - optimum, 0.02 * epsilon);  // the reference is good enough to compare with
    EXPECT_LE(judge.psi.back(), optimum + 0.5 * epsilon + 0.02 * epsilon);
  }
}

TEST(Budgets, TwoDRootLOverEpsilonIsEnoughWithAlphaOne) { check_budget(1.0); }

// The published number with the published start.  Its proof uses psi(x0) - psi* <= L/2 |x0 - x*|^2, which is false
// for a maximum of smooth functions; so this is observed, not proved.
TEST(Budgets, ThePublishedBudgetWithAlphaOneHalfIsEnoughHereThoughUnproved) { check_budget(0.5); }

TEST(Budgets, TheAverageOfLinearisationsClosesAtTheSameRate) {
  std::mt19937_64 random(22);
  for (int trial = 0; trial < 40; ++trial) {
    double f_smoothness = 0.0, g_smoothness = 0.0;
    const Problem problem = random_problem(random, f_smoothness, g_smoothness);
    Monitor monitor;
    Oracle oracle(problem, monitor);
    Target target;
    AcceleratedSolver solver(oracle, f_smoothness, g_smoothness, {});
    Point x(problem);
    x.x = problem.start();
    for (Level level : kLevels) oracle.update_images(level, x);
    test::RecordingJudge judge(target);
    constexpr double kSteps = 60;
    solver.run(target, x, static_cast<std::int64_t>(kSteps), judge);
    const double gap = judge.psi.back() - psi_lower_bound(oracle, solver, target);
    const double diameter = *problem.domain().diameter();
    EXPECT_GE(gap, -1e-10);
    EXPECT_LE(
        gap,
        2.0 * std::max(f_smoothness, g_smoothness) * diameter * diameter / ((kSteps + 1) * (kSteps + 1)) + 1e-10);
  }
}

TEST(Budgets, AnAcceleratedStepCostsTwoPassesPerLevelWithData) {
  std::mt19937_64 random(23);
  const auto data = [&](Index rows) { return dense_map(RowMajorMatrix(test::random_matrix(rows, 30, random))); };
  const Problem both(least_squares(data(20), Vector::Ones(20)), logistic(data(25), Vector::Ones(25)),
                     ball(Vector::Zero(30), 1.0));
  const Problem one(squared_norm(Vector::Zero(30)), least_squares(data(20), Vector::Ones(20)),
                    ball(Vector::Zero(30), 1.0));
  for (const Problem& problem : {both, one}) {
    Monitor monitor;
    Oracle oracle(problem, monitor);
    AcceleratedSolver solver(oracle, *problem.upper().smoothness().value, *problem.lower().smoothness().value, {});
    Target target;
    Point x(problem);
    for (Level level : kLevels) oracle.update_images(level, x);
    const Work before = monitor.work();
    test::RecordingJudge judge(target);
    solver.run(target, x, 50, judge);
    EXPECT_EQ(monitor.work().lower_passes - before.lower_passes, 100);
    EXPECT_EQ(monitor.work().upper_passes - before.upper_passes, problem.upper().cost().image > 0 ? 100 : 0);
  }
}

TEST(Budgets, SubgradientTheoryIsEnough) {
  std::mt19937_64 random(24);
  const RowMajorMatrix a = test::random_matrix(4, 3, random);
  const Problem problem(l1_norm(Vector::Zero(3)), absolute_deviation(dense_map(a), Vector::Ones(4)),
                        ball(Vector::Zero(3), 1.0));
  Vector centre(3);
  const double radius = *problem.domain().enclosing_ball(centre);
  const double cf = *problem.upper().lipschitz(centre, radius).value,
               cg = *problem.lower().lipschitz(centre, radius).value;
  Monitor monitor;
  Oracle oracle(problem, monitor);
  Target target;
  target.level = 0.2;
  SubgradientSolver solver(oracle, cf, cg, {});
  const double epsilon = 0.2;
  const std::int64_t budget = solver.theory_budget(target, 0.5 * epsilon).value();
  EXPECT_EQ(budget, static_cast<std::int64_t>(std::ceil(std::pow(2.0 * 2.0 * std::max(cf, cg) / epsilon, 2))));
  Point x(problem);
  for (Level level : kLevels) oracle.update_images(level, x);
  test::RecordingJudge judge(target);
  solver.run(target, x, budget, judge);
  const double reached = target.psi(oracle.value(Level::upper, x), oracle.value(Level::lower, x));
  EXPECT_LE(reached - psi_lower_bound(oracle, solver, target), 0.5 * epsilon + 1e-12);
}

TEST(Momentum, FollowsItsRecursion) {
  for (double alpha0 : {1.0, 0.5, 0.1}) {
    Momentum momentum(alpha0);
    for (int k = 0; k < 1000; ++k) {
      const double alpha = momentum.alpha();
      const double beta = momentum.advance();
      const double next = momentum.alpha();
      EXPECT_NEAR(next * next, (1.0 - next) * alpha * alpha, 1e-15);
      EXPECT_NEAR(beta, alpha * (1.0 - alpha) / (alpha * alpha + next), 1e-15);
    }
    EXPECT_NEAR(momentum.alpha() * 1000.0, 2.0, 0.05);  // alpha_k ~ 2/k
  }
}

}  // namespace
}  // namespace fcbio
