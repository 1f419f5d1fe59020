// IIBA and Polyak's switching method: known answers, the proved number of steps, rates, refusals.
#include <gtest/gtest.h>

#include "nonsmooth_problems.hpp"
#include "support/runs.hpp"

namespace fcbio {
namespace {

TEST(Iiba, FirstStepsAsByHand) {
  // f = |x - 3|, g = |x - 1| on [-5, 5] from 0: steps 1 and 1 in t = 1, 2^-2/3 and 1/2 in t = 2.
  const Problem problem(l1_norm(Vector::Constant(1, 3.0)), l1_norm(Vector::Constant(1, 1.0)),
                        box(Vector::Constant(1, -5.0), Vector::Constant(1, 5.0)));
  SolveOptions options{.method = "iiba", .limits = {.iterations = 1}};
  EXPECT_DOUBLE_EQ(solve(problem, options).x[0], 2.0);  // to 1 on g, where f' is still -1
  options.limits.iterations = 2;
  EXPECT_DOUBLE_EQ(solve(problem, options).x[0], 2.0 - std::pow(2.0, -2.0 / 3.0) + 0.5);
}

TEST(Iiba, Converges) {
  const test::KnownProblem known = test::rotated_absolute(6, 2, 9);
  const SolveOptions options{.method = "iiba", .values = {{"iterations", "200000"}, {"mu0", "4"}}};
  const test::Gaps gaps = test::gaps_at(known, solve(known.problem, options).x);
  EXPECT_LT(std::abs(gaps.upper), 0.02);
  EXPECT_LT(gaps.lower, 0.02);
  // Where the step on f does not vanish against that on g, it ends elsewhere.
  SolveOptions wrong = options;
  wrong.values["mu_power"] = "0.5";
  EXPECT_GT(test::gaps_at(known, solve(known.problem, wrong).x).lower, 0.02);
}

SolveOptions polyak(double eps) {
  return {.method = "polyak-switching", .values = {{"iterations", "2000000"}}, .accuracy = {eps, eps}};
}

TEST(PolyakSwitching, ReachesTheAccuracyWithinTheProvedNumberOfSteps) {
  const test::KnownProblem known = test::rotated_absolute(12, 4, 6);
  const double diameter = *known.problem.domain().diameter();
  const double upper = *known.problem.upper().lipschitz(Vector::Zero(12), diameter).value;
  const double lower = *known.problem.lower().lipschitz(Vector::Zero(12), diameter).value;
  for (double eps : {0.2, 0.1, 0.05}) {
    const test::ObservedRun run = test::observed(known, polyak(eps));
    EXPECT_EQ(run.result.status, Status::converged) << run.result.message;
    const test::Gaps gaps = test::gaps_at(known, run.result.x);
    EXPECT_LE(gaps.upper, eps);
    EXPECT_LE(gaps.lower, eps);
    std::size_t in_lower_phase = 0;
    while (run.phases[in_lower_phase] == "lower") ++in_lower_phase;
    EXPECT_LE(static_cast<double>(in_lower_phase), std::pow(2.0 * diameter * lower / eps, 2) + 1.0);
    EXPECT_LE(static_cast<double>(run.phases.size() - in_lower_phase),
              std::pow(diameter / eps * std::max(upper, 2.0 * lower), 2) + 1.0);
  }
}

// Steps until the first point that is good enough in both levels grow like 1/eps^2, and no faster.
TEST(PolyakSwitching, StepsGrowLikeOneOverTheSquare) {
  const test::KnownProblem known = test::rotated_absolute(12, 4, 6);
  std::vector<double> inverse, steps;
  for (double eps : {0.1, 0.05, 0.025, 0.0125}) {
    const test::ObservedRun run = test::observed(known, polyak(eps));
    std::size_t k = 0;
    while (k < run.gaps.size() && (run.gaps[k].upper > eps || run.gaps[k].lower > eps)) ++k;
    ASSERT_LT(k, run.gaps.size());
    inverse.push_back(1.0 / eps);
    steps.push_back(static_cast<double>(k + 1));
  }
  EXPECT_LT(-test::fitted_order(inverse, steps), 2.2);
}

TEST(PolyakSwitching, EndsItsLowerPhaseAtAKnownBound) {
  // g = |x| from 1: 0 is known to be a lower bound, and is reached.
  const Problem problem(l1_norm(Vector::Constant(1, 2.0)), l1_norm(Vector::Zero(1)),
                        box(Vector::Constant(1, -4.0), Vector::Constant(1, 4.0)), Vector::Ones(1));
  const Result result = solve(problem, polyak(0.1));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(result.lower_value, 0.1);
  EXPECT_LE(result.upper_value, 2.1);
  EXPECT_LT(result.work.iterations, 12000);  // the theory of both phases asks for 80^2 * 4 + 160^2 + ...
}

TEST(SubgradientBaselines, RefuseWhatTheyCannotSolve) {
  const Problem unbounded(l1_norm(Vector::Ones(2)), l1_norm(Vector::Zero(2)),
                          whole_space(Vector::Zero(2), std::nullopt));
  EXPECT_EQ(find_method("polyak-switching").misfit(unbounded), "the domain is unbounded and no radius was told");
  EXPECT_EQ(find_method("nesterov-level").misfit(unbounded), "the domain is unbounded and no radius was told");
  EXPECT_EQ(find_method("iiba").misfit(unbounded), "");
  const Problem quadratic(squared_norm(Vector::Ones(2)), l1_norm(Vector::Zero(2)),
                          whole_space(Vector::Zero(2), std::nullopt));
  EXPECT_EQ(find_method("iiba").misfit(quadratic),
            "the upper function is not Lipschitz on the domain, which is unbounded (term 'squared-norm')");
}

}  // namespace
}  // namespace fcbio
