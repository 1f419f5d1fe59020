// Nesterov's two schemes for functional constraints: the cutting-plane model against a naive twin, known answers,
// the steps of theory, refusals.
#include <gtest/gtest.h>

#include "baselines/cutting_planes.hpp"
#include "fcbio/error.hpp"
#include "nonsmooth_problems.hpp"
#include "support/runs.hpp"

namespace fcbio {
namespace {

// Random cuts of both levels over the box [-1, 1]^2; the minimum by brute force over a fine grid.
struct PlanesFixture : testing::Test {
  PlanesFixture()
      : problem(linear(Vector::Zero(2)), linear(Vector::Zero(2)), box(Vector::Constant(2, -1.0), Vector::Ones(2))),
        oracle(problem, monitor),
        planes(oracle, 32) {
    std::mt19937_64 random(8);
    for (int i = 0; i < 12; ++i) {
      const Level level = i % 2 == 0 ? Level::upper : Level::lower;
      Linearization cut(problem.function(level));
      cut.gradient = test::random_vector(2, random);
      cut.value = test::random_vector(1, random)[0];
      planes.add(level, cut, Vector::Zero(2));
    }
    target.level = 0.3;
    target.lower_reference = -0.2;
    target.scale = 2.5;
  }
  double by_grid() {
    double least = kInfinity;
    for (int i = 0; i <= 400; ++i)
      for (int j = 0; j <= 400; ++j)
        least = std::min(least, planes.value(target, Vector{{-1.0 + i / 200.0, -1.0 + j / 200.0}}));
    return least;
  }
  Problem problem;
  Monitor monitor;
  Oracle oracle;
  CuttingPlanes planes;
  Target target;
};

TEST_F(PlanesFixture, MinimumIsThatOfTheGrid) {
  const double least = by_grid();
  const CuttingPlanes::Minimum found = planes.minimum(target, least + 1.0, 0.0, 1e-9);
  EXPECT_LE(found.low, found.high + 1e-12);
  EXPECT_LE(found.high - found.low, 1e-8);
  EXPECT_LE(found.low, least + 1e-12);
  EXPECT_NEAR(found.high, least, 3.0 * 0.005 * 2.5);  // the grid's width times the largest slope
  EXPECT_NEAR(planes.value(target, planes.minimiser()), found.high, 1e-12);
}

TEST_F(PlanesFixture, RootIsWhereTheMinimumVanishes) {
  target.lower_reference = 3.0;  // so that all cuts of g can be met
  target.level = -20.0;
  const double root = planes.root(target, 1e-9);
  ASSERT_GT(root, -20.0);
  target.level = root;
  EXPECT_NEAR(planes.minimum(target, 1.0, 0.0, 1e-10).high, 0.0, 1e-8);
  target.level = root - 0.1;
  EXPECT_GT(planes.minimum(target, 1.0, 0.0, 1e-10).low, 1e-4);
}

TEST_F(PlanesFixture, ProjectionIsTheNearestPointOfTheLevelSet) {
  const double level = by_grid() + 0.2;
  const Vector from{{0.9, -0.8}};
  Vector x = from;
  planes.minimum(target, level, 1e-3);
  planes.project(target, level, x);
  EXPECT_LE(planes.value(target, x), level + 1e-9);
  for (int i = 0; i <= 400; ++i)
    for (int j = 0; j <= 400; ++j) {
      const Vector point{{-1.0 + i / 200.0, -1.0 + j / 200.0}};
      if (planes.value(target, point) > level) continue;
      EXPECT_GE((point - from).norm(), (x - from).norm() - 1e-9);
    }
}

TEST_F(PlanesFixture, MakesRoomByDroppingWhatHoldsNothing) {
  const double before = planes.minimum(target, 10.0, 0.0, 1e-9).high;
  Linearization flat(problem.upper());
  flat.value = -100.0;
  for (int i = 0; i < 60; ++i) planes.add(Level::upper, flat, Vector::Zero(2));
  EXPECT_TRUE(planes.dropped());
  EXPECT_LE(planes.size(), 32);
  EXPECT_NEAR(planes.minimum(target, 10.0, 0.0, 1e-9).high, before, 1e-8);
}

void expect_weak(const test::KnownProblem& known, const Result& result, double eps) {
  const test::Gaps gaps = test::gaps_at(known, result.x);
  EXPECT_LE(gaps.upper, eps) << result.message;
  EXPECT_LE(gaps.lower, eps) << result.message;
  EXPECT_EQ(result.status, Status::converged) << result.message;
}

SolveOptions level_method(double eps, std::string iterations = "5000") {
  return {.method = "nesterov-level", .values = {{"iterations", std::move(iterations)}}, .accuracy = {eps, eps}};
}

TEST(NesterovLevel, ReachesTheAccuracyOnEverySet) {
  for (double eps : {1e-1, 1e-2, 1e-3}) {
    for (const test::KnownProblem& known :
         {test::rotated_absolute(30, 10, 2), test::box_face(12, 4), test::simplex_face(12, 3, 4),
          test::minimum_norm(10, 20, 5.0, 4), test::cut_off_minimum_norm(10, 20, 5.0, 0.5, 4)})
      expect_weak(known, solve(known.problem, level_method(eps)), eps);
  }
  for (const test::KnownProblem& known : {test::toy_polygon(), test::franke_5_3(), test::mitsos_barton_3_1()})
    expect_weak(known, solve(known.problem, level_method(1e-4)), 1e-4);
}

TEST(NesterovLevel, StaysWithinTheStepsOfTheory) {
  const test::KnownProblem known = test::rotated_absolute(30, 10, 2);
  const double diameter = *known.problem.domain().diameter(), eps = 0.2;
  double constant = 0.0;
  for (Level level : kLevels)
    constant = std::max(constant, *known.problem.function(level).lipschitz(Vector::Zero(30), diameter).value);
  const test::ObservedRun run = test::observed(known, level_method(eps));
  const double share = 1.0 / (2.0 + std::sqrt(2.0)), half = 0.5 * eps;
  const double inner =
      std::pow(constant * diameter / (share * half), 2) / (share * (1.0 - share) * (1.0 - share) * (2.0 - share));
  EXPECT_LE(static_cast<double>(run.phases.size()), inner);  // one round of it would already be enough
  EXPECT_LE(run.phases.size(), 100u);                        // far fewer in fact
}

TEST(NesterovLevel, ScalesLevelsByTheirAccuracies) {
  const test::KnownProblem known = test::rotated_absolute(30, 10, 2);
  SolveOptions options = level_method(1e-3);
  options.accuracy.upper = 1e-1;
  const test::Gaps gaps = test::gaps_at(known, solve(known.problem, options).x);
  EXPECT_LE(gaps.upper, 1e-1);
  EXPECT_LE(gaps.lower, 1e-3);
}

TEST(NesterovLevel, GoesOnWithFewCuts) {
  const test::KnownProblem known = test::rotated_absolute(10, 3, 2);
  SolveOptions options = level_method(1e-2);
  options.values["cuts"] = "30";
  expect_weak(known, solve(known.problem, options), 1e-2);
}

SolveOptions smooth_scheme(double eps, std::string iterations = "200000") {
  return {.method = "nesterov-smooth", .values = {{"iterations", std::move(iterations)}}, .accuracy = {eps, eps}};
}

TEST(NesterovSmooth, ReachesTheAccuracyOnEverySet) {
  for (double eps : {1e-2, 1e-3, 1e-4}) {
    for (const test::KnownProblem& known :
         {test::minimum_norm(20, 40, 10.0, 4), test::cut_off_minimum_norm(10, 20, 5.0, 0.5, 4),
          test::box_face(12, 4), test::simplex_face(12, 3, 4)})
      expect_weak(known, solve(known.problem, smooth_scheme(eps)), eps);
  }
  for (const test::KnownProblem& known : {test::toy_polygon(), test::franke_5_3(), test::mitsos_barton_3_1()})
    expect_weak(known, solve(known.problem, smooth_scheme(1e-4)), 1e-4);
}

// Both levels strongly convex: the lower solution is unique, nothing is added, and no bounded domain is needed.
test::KnownProblem strongly_convex(Index n, double condition) {
  RowMajorMatrix q = RowMajorMatrix::Zero(n, n);
  for (Index j = 0; j < n; ++j)
    q(j, j) = std::pow(condition, -static_cast<double>(j) / static_cast<double>(n - 1));
  const Vector solution = Vector::Ones(n), c = -(q * solution);
  return {Problem(squared_norm(Vector::Zero(n)), quadratic(q, c), whole_space(Vector::Zero(n), std::nullopt)),
          0.5 * static_cast<double>(n), 0.5 * c.dot(solution), solution};
}

// Without a known diameter nothing about g* can be proved by the room's judgement, so the status stays `stalled`;
// the method's own rule must have ended it.
std::int64_t steps_to(const test::KnownProblem& known, double eps) {
  const Result result = solve(known.problem, smooth_scheme(eps));
  const test::Gaps gaps = test::gaps_at(known, result.x);
  EXPECT_LE(gaps.upper, eps) << result.message;
  EXPECT_LE(gaps.lower, eps) << result.message;
  EXPECT_NE(result.message.find("own rule"), std::string::npos) << result.message;
  return result.work.iterations;
}

// Linear convergence: each further decade of accuracy costs about as many steps as the one before.  With the plain
// gradient method in the rounds the steps would grow like the condition number, not like its root.
TEST(NesterovSmooth, ConvergesLinearlyAtTheRateOfTheRoot) {
  const test::KnownProblem known = strongly_convex(20, 100.0);
  const std::int64_t coarse = steps_to(known, 1e-2), middle = steps_to(known, 1e-4), fine = steps_to(known, 1e-6);
  EXPECT_LT(middle - coarse, 3 * coarse);
  EXPECT_LT(fine - middle, 3 * coarse);
  const std::int64_t easy = steps_to(strongly_convex(20, 100.0), 1e-5),
                     hard = steps_to(strongly_convex(20, 10000.0), 1e-5);
  EXPECT_LT(hard, 25 * easy);  // root: 10, times a logarithm; condition number: 100
}

// With the addition sqrt(L/mu) is D sqrt(2 L/eps): steps grow like eps^-1/2 times logarithms.
TEST(NesterovSmooth, StepsGrowLikeTheRootOfTheAccuracyWhereNothingIsStronglyConvex) {
  const test::KnownProblem known = test::minimum_norm(20, 40, 1000.0, 4);
  std::vector<double> inverse, steps;
  for (double eps : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const Result result = solve(known.problem, smooth_scheme(eps));
    expect_weak(known, result, eps);
    inverse.push_back(1.0 / eps);
    steps.push_back(static_cast<double>(result.work.iterations));
  }
  EXPECT_LT(-test::fitted_order(inverse, steps), 0.75);
}

TEST(NesterovSmooth, RefusesWhatItCannotSolve) {
  const MethodInfo& method = find_method("nesterov-smooth");
  const Problem flat(squared_norm(Vector::Zero(2)), linear(Vector::Ones(2)),
                     whole_space(Vector::Zero(2), std::nullopt));
  EXPECT_EQ(method.misfit(flat),
            "the lower function is not known to be strongly convex, and the domain is unbounded and no radius was "
            "told");
  EXPECT_EQ(method.misfit(test::rotated_absolute(3, 2, 1).problem),
            "the upper function is not smooth (term 'absolute')");
  SolveOptions options = smooth_scheme(1e-2);
  options.values["regularization"] = "0.1";
  EXPECT_THROW(solve(strongly_convex(3, 2.0).problem, options), InvalidArgument);
}

}  // namespace
}  // namespace fcbio
