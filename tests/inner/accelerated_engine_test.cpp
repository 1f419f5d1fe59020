// The accelerated engine: its certificate has order 2, is never below the truth, survives restarts and changes of
// mu; l1 parts are kept exactly; passes are what was promised.
#include "inner/accelerated_engine.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/proof.hpp"
#include "support/chains.hpp"
#include "support/problems.hpp"
#include "support/runs.hpp"

namespace fcbio {
namespace {

constexpr Weights kLowerOnly{.upper = 0.0, .lower = 1.0};

/// An engine at the start of a problem.
struct EngineRun {
  const Problem& problem;
  Monitor monitor;
  Oracle oracle;
  AcceleratedEngine engine;
  Iterate at;

  explicit EngineRun(const Problem& p, AcceleratedEngineOptions options = {})
      : problem(p), oracle(p, monitor), engine(oracle, options), at(p) {
    at.point.x = p.start();
    for (Level level : kLevels) {
      oracle.update_images(level, at.point);
      at.values[level] = oracle.value(level, at.point);
    }
  }
  /// Until the gap is at most `gap`; returns the number of steps.
  int solve(const Weights& weights, double gap, int budget = 20000) {
    for (Level level : kLevels)
      if (weights.uses(level)) {
        oracle.update_images(level, at.point);
        at.values[level] = oracle.value(level, at.point);
      }
    EXPECT_TRUE(engine.begin(weights, at));
    for (int k = 1; k <= budget; ++k) {
      const bool moving = engine.step(weights, at);
      if (engine.bound(weights, at).gap <= gap || !moving) return k;
    }
    return budget;
  }
};

Function data_function(int kind, Index rows, Index n, std::mt19937_64& random) {
  LinearMapPtr map = dense_map(RowMajorMatrix(test::random_matrix(rows, n, random)));
  const Vector b = test::random_vector(rows, random);
  if (kind == 0) return least_squares(std::move(map), b);
  return logistic(std::move(map), b.unaryExpr([](double v) { return v > 0.0 ? 1.0 : -1.0; }));
}

ConvexSetPtr domain_of_kind(int kind, Index n) {
  if (kind == 0) return ball(Vector::Zero(n), 1.5);
  if (kind == 1) return box(Vector::Constant(n, -0.4), Vector::Constant(n, 0.7));
  if (kind == 2) return simplex(n, 1.0);
  if (kind == 3) return l1_ball(Vector::Zero(n), 1.2);
  return whole_space(Vector::Zero(n), 1000.0);
}

/// The bound again from its duals alone, by the arithmetic of proofs.
double proved_minimum(EngineRun& run, const Weights& weights, const EngineBound& bound) {
  std::vector<DualPart> parts;
  if (weights.uses(Level::upper)) parts.push_back({Level::upper, weights.upper, bound.upper_duals});
  if (weights.uses(Level::lower)) parts.push_back({Level::lower, weights.lower, bound.lower_duals});
  BoundWitness witness;
  return prove_minimum(run.oracle, parts, witness);
}

// ---- rate ----

double order_of_the_gap(bool momentum) {
  std::vector<double> steps, gaps;
  for (int budget : {25, 50, 100, 200, 400}) {
    const Index q = 2 * budget + 1;
    // |x*|^2 is about q/3: a ball that just holds the minimiser, so that gaps are in units of its radius squared.
    const double radius = std::sqrt(static_cast<double>(q) / 2.0);
    const Problem problem(linear(Vector::Zero(q)), test::smooth_chain(q, false), ball(Vector::Zero(q), radius));
    EngineRun run(problem, {.momentum = momentum, .restart = false});
    run.solve(kLowerOnly, 0.0, budget);
    const double minimum = -0.125 * (1.0 - 1.0 / static_cast<double>(q + 1));
    const double gap = run.engine.bound(kLowerOnly, run.at).gap;
    EXPECT_GE(gap, run.at.value(Level::lower) - minimum);
    if (momentum) {
      // D^2 / (2 A_K) with A_K >= K^2 / (4 L): L is at most kGrow times the true one, which is 1.
      EXPECT_LE(gap, 2.0 * 1.7 * radius * radius / (budget * budget));
    }
    steps.push_back(budget);
    gaps.push_back(gap / (radius * radius));
  }
  return test::fitted_order(steps, gaps);
}

TEST(AcceleratedEngine, CertifiedGapHasOrderTwo) { EXPECT_GE(order_of_the_gap(true), 1.8); }
TEST(AcceleratedEngine, TheTestAboveFailsWithoutMomentum) { EXPECT_LT(order_of_the_gap(false), 1.7); }

// ---- validity ----

RC_GTEST_PROP(AcceleratedEngineProperty, GapIsNeverBelowTheTruth, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const int set = static_cast<int>(random() % 5), kind = static_cast<int>(random() % 2);
  const Index n = 2 + static_cast<Index>(random() % 8);
  const Index upper_rows = 1 + static_cast<Index>(random() % 9), lower_rows = 1 + static_cast<Index>(random() % 9);
  Function upper = random() % 3 == 0 ? squared_norm(test::random_vector(n, random))
                                     : data_function(1 - kind, upper_rows, n, random);
  Function lower = data_function(kind, lower_rows, n, random);
  if (set == 4) lower += 0.1 * squared_norm(Vector::Zero(n));  // so that a solution is where the radius says
  if (random() % 3 == 0) lower += 0.3 * l1_norm(Vector::Zero(n));
  if (random() % 3 == 0) upper += 0.2 * l1_norm(Vector::Zero(n));
  const Problem problem(upper, lower, domain_of_kind(set, n));
  RC_ASSERT(AcceleratedEngine::misfit(problem).empty());
  const Weights weights{.upper = random() % 4 == 0 ? 0.0 : 1.0,
                        .lower = std::pow(10.0, static_cast<double>(random() % 5) - 2.0)};

  EngineRun reference(problem);
  reference.solve(weights, 1e-10, 20000);
  const double high = reference.at.phi(weights);  // phi* is at most this
  RC_ASSERT(problem.domain().contains(reference.at.point.x, 1e-12));
  const double slack = 1e-13 * (1.0 + std::abs(high));

  EngineRun run(problem);
  run.engine.begin(weights, run.at);
  for (int k = 0; k < 60; ++k) {
    if (!run.engine.step(weights, run.at)) break;
    const EngineBound bound = run.engine.bound(weights, run.at);
    RC_ASSERT(run.at.phi(weights) - bound.gap <= high + slack);
    if (bound.gap == kInfinity) continue;
    // The duals say the same to those who prove it afresh, but for rounding.
    const double proved = proved_minimum(run, weights, bound);
    RC_ASSERT(std::abs(proved - (run.at.phi(weights) - bound.gap)) <= 1e-8 * (1.0 + std::abs(proved)));
  }
}

TEST(AcceleratedEngine, ReachesTheKnownMinimumOnEverySet) {
  for (int set = 0; set < 5; ++set) {
    for (int kind = 0; kind < 2; ++kind) {
      std::mt19937_64 random(90 + static_cast<std::uint64_t>(set));
      Function lower = data_function(kind, 12, 8, random);
      if (set == 4) lower += 0.1 * squared_norm(Vector::Zero(8));
      const Problem problem(linear(Vector::Zero(8)), lower, domain_of_kind(set, 8));
      EngineRun run(problem);
      run.solve(kLowerOnly, 1e-9);
      EXPECT_LE(run.engine.bound(kLowerOnly, run.at).gap, 1e-9) << set << " " << kind;
      // Optimality: no feasible direction goes down.
      run.at.linearize(run.oracle, Level::lower);
      const Vector& gradient = run.at.at.lower.gradient;
      Vector stepped = run.at.point.x - 1e-2 * gradient;
      run.oracle.project(stepped);
      EXPECT_LE((stepped - run.at.point.x).norm(), 1e-4) << set << " " << kind;
    }
  }
}

TEST(AcceleratedEngine, CertificateSurvivesRestartsAndChangesOfTheMultiplier) {
  const test::KnownProblem known = test::minimum_norm(12, 20, 20.0, 5);
  EngineRun run(known.problem);
  run.solve(kLowerOnly, 1e-8);
  EXPECT_LE(run.at.value(Level::lower) - known.lower_optimum, 1e-8);
  double best = -kInfinity;
  for (double mu : {0.5, 20.0, 400.0, 8000.0}) {
    const Weights weights{1.0, mu};
    run.oracle.update_images(Level::upper, run.at.point);
    run.at.values.upper = run.oracle.value(Level::upper, run.at.point);
    ASSERT_TRUE(run.engine.begin(weights, run.at));
    const double optimum_at_most = known.upper_optimum + mu * known.lower_optimum;  // phi(x*)
    double low = -kInfinity;
    for (int k = 0; k < 400; ++k) {
      if (!run.engine.step(weights, run.at)) break;
      const double now = run.at.phi(weights) - run.engine.bound(weights, run.at).gap;
      EXPECT_LE(now, optimum_at_most + 1e-9);
      EXPECT_GE(now, low - 1e-12 * std::max(1.0, std::abs(low)));  // a restart loses nothing
      low = now;
    }
    best = std::max(best, low - mu * known.lower_optimum);
  }
  EXPECT_LE(best, known.upper_optimum + 1e-9);
  EXPECT_GE(best, known.upper_optimum - 1e-2);
}

TEST(AcceleratedEngine, KeepsWhatItKnowsWhenTheMultiplierChanges) {
  const test::KnownProblem known = test::minimum_norm(12, 20, 5.0, 6);
  EngineRun run(known.problem);
  run.solve({1.0, 10.0}, 1e-6);
  const Weights next{1.0, 10.5};
  ASSERT_TRUE(run.engine.begin(next, run.at));
  const EngineBound bound = run.engine.bound(next, run.at);  // before any step
  EXPECT_LT(bound.gap, 1.0);
  EXPECT_NE(bound.upper_duals, nullptr);
}

TEST(AcceleratedEngine, MinorantsSurviveTheProof) {
  std::mt19937_64 random(7);
  const Problem problem(squared_norm(test::random_vector(6, random)),
                        data_function(0, 9, 6, random) + 0.4 * l1_norm(Vector::Zero(6)),
                        ball(Vector::Zero(6), 2.0));
  EngineRun run(problem);
  const Weights weights{1.0, 30.0};
  run.solve(weights, 1e-8);
  const EngineBound bound = run.engine.bound(weights, run.at);
  EXPECT_LE(run.at.phi(weights) - proved_minimum(run, weights, bound), 2e-8);
}

// ---- composite parts ----

/// min 1/2 |Ax - b|^2 + w |x - c|_1 over a box, by cyclic coordinate descent.
Vector coordinate_descent(const Eigen::MatrixXd& a, const Vector& b, double w, const Vector& c, double low,
                          double high) {
  Vector x = Vector::Zero(a.cols());
  for (int sweep = 0; sweep < 5000; ++sweep) {
    for (Index j = 0; j < x.size(); ++j) {
      const double h = a.col(j).squaredNorm();
      const double v = x[j] - a.col(j).dot(a * x - b) / h;
      const double offset = v - c[j];
      const double free = std::abs(offset) <= w / h ? c[j] : v - std::copysign(w / h, offset);
      x[j] = std::clamp(free, low, high);
    }
  }
  return x;
}

TEST(AcceleratedEngine, LassoMatchesCoordinateDescent) {
  for (bool boxed : {false, true}) {
    for (bool centred : {true, false}) {
      std::mt19937_64 random(11);
      const Index n = 15;
      const Eigen::MatrixXd a = test::random_matrix(25, n, random);
      const Vector b = test::random_vector(25, random);
      Vector c = Vector::Zero(n);
      if (!centred) c = 0.5 * test::random_vector(n, random);  // some beyond the box
      const double low = boxed ? -0.05 : -5.0, high = boxed ? 0.1 : 5.0, w = 2.0;
      const Problem problem(
          linear(Vector::Zero(n)), least_squares(dense_map(RowMajorMatrix(a)), b) + w * l1_norm(c),
          boxed ? box(Vector::Constant(n, low), Vector::Constant(n, high)) : whole_space(Vector::Zero(n), 5.0));
      ASSERT_FALSE(L1Part(problem).empty());
      EngineRun run(problem);
      const int steps = run.solve(kLowerOnly, 1e-10);
      EXPECT_LE(run.engine.bound(kLowerOnly, run.at).gap, 1e-10);
      EXPECT_LT(steps, 300);  // a method that linearises the norm needs many more
      const Vector twin = coordinate_descent(a, b, w, c, low, high);
      EXPECT_LE((run.at.point.x - twin).lpNorm<Eigen::Infinity>(), 1e-5) << boxed << centred;
      EXPECT_EQ((run.at.point.x.array() == c.array()).count(), (twin.array() == c.array()).count());
    }
  }
}

TEST(AcceleratedEngine, SaysWhatItCannotTake) {
  const Index n = 3;
  const Function smooth = squared_norm(Vector::Zero(n));
  const auto misfit = [&](const Function& f, const Function& g, ConvexSetPtr z) {
    return AcceleratedEngine::misfit(Problem(f, g, std::move(z)));
  };
  const ConvexSetPtr unit = ball(Vector::Zero(n), 1.0);
  EXPECT_EQ(misfit(smooth, smooth, unit), "");
  EXPECT_TRUE(L1Part(Problem(smooth, smooth, unit)).empty());
  EXPECT_EQ(misfit(smooth, hinge(identity_map(n), Vector::Ones(n)), unit),
            "a term that is not known to be differentiable: hinge");
  EXPECT_EQ(misfit(smooth, 0.0 * hinge(identity_map(n), Vector::Ones(n)) + smooth, unit), "");
  EXPECT_EQ(misfit(l1_norm(Vector::Zero(n)), l1_norm(Vector::Ones(n)), whole_space(Vector::Zero(n), 1.0)),
            "l1 norms about different centers");
  EXPECT_EQ(misfit(l1_norm(Vector::Ones(n)), smooth, unit), "an l1 norm whose center is not that of the ball");
  EXPECT_EQ(misfit(l1_norm(Vector::Ones(n)), smooth, l1_ball(Vector::Zero(n), 1.0)),
            "an l1 norm whose center is not that of the l1 ball");
  EXPECT_EQ(misfit(l1_norm(Vector::Ones(n)), smooth, simplex(n)), "an l1 norm whose center is not 0 on a simplex");
  EXPECT_EQ(misfit(l1_norm(Vector::Zero(n)), smooth, nonnegative_ball(n, 1.0)), "");
  EXPECT_EQ(misfit(l1_norm(Vector::Ones(n)), smooth, nonnegative_ball(n, 1.0)),
            "an l1 norm whose center is not 0 on a nonnegative ball");
  EXPECT_EQ(misfit(smooth, smooth, nonnegative_ball(n, 1.0)), "");
}

// ---- work ----

TEST(AcceleratedEngine, ChargesAProductAndATransposedProductPerStep) {
  std::mt19937_64 random(21);
  const Problem problem(squared_norm(Vector::Zero(30)), data_function(0, 20, 30, random),
                        ball(Vector::Zero(30), 3.0));
  EngineRun run(problem);
  EXPECT_EQ(run.engine.step_cost(kLowerOnly), 2);
  const std::int64_t before = run.monitor.work().lower_passes;
  run.engine.begin(kLowerOnly, run.at);
  const int steps = 200;
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(run.engine.step(kLowerOnly, run.at));
  const std::int64_t spent = run.monitor.work().lower_passes - before;
  EXPECT_GE(spent, 2 * steps);
  EXPECT_LE(spent, 2 * steps + 2 * steps / 4);  // moduli that were too small
  EXPECT_EQ(run.monitor.work().upper_passes, 0);
}

TEST(AcceleratedEngine, BlackBoxesAreChargedForEveryCall) {
  std::int64_t values = 0, gradients = 0;
  UserFunction user;
  user.dimension = 10;
  user.smoothness = 1.0;  // a guess: the true one is 10
  user.evaluate = [&](VectorIn x, Vector* gradient) {
    const Vector scale = Vector::LinSpaced(x.size(), 1.0, 10.0);
    ++(gradient != nullptr ? gradients : values);
    if (gradient != nullptr) *gradient = scale.cwiseProduct(x) - Vector::Ones(x.size());
    return 0.5 * x.dot(scale.cwiseProduct(x)) - x.sum();
  };
  const Problem problem(squared_norm(Vector::Zero(10)), user_function(user), ball(Vector::Zero(10), 3.0));
  ASSERT_EQ(AcceleratedEngine::misfit(problem), "");
  EngineRun run(problem);
  run.solve(kLowerOnly, 1e-9);
  EXPECT_LE(run.engine.bound(kLowerOnly, run.at).gap, 1e-9);
  double minimum = 0.0;
  for (int j = 1; j <= 10; ++j) minimum -= 0.5 / j;
  EXPECT_NEAR(run.at.value(Level::lower), minimum, 1e-9);
  EXPECT_EQ(run.monitor.work().lower_passes, values + gradients);
  user.smoothness.reset();
  EXPECT_EQ(AcceleratedEngine::misfit(
                Problem(squared_norm(Vector::Zero(10)), user_function(user), ball(Vector::Zero(10), 3.0))),
            "a term that is not known to be differentiable: user");
}

TEST(AcceleratedEngine, StopsAtAFixedPointWithAClosedGap) {
  const Problem problem(linear(Vector::Zero(4)), squared_norm(Vector::Ones(4)), ball(Vector::Ones(4), 1.0),
                        Vector::Ones(4));
  EngineRun run(problem);
  EXPECT_LE(run.solve(kLowerOnly, -1.0), 2);
  EXPECT_LE(run.engine.bound(kLowerOnly, run.at).gap, 1e-14);
}

TEST(AcceleratedEngine, GivesUpWhenRoundingLeavesNothingToGain) {
  std::mt19937_64 random(23);
  const Problem problem(linear(Vector::Zero(9)), data_function(0, 12, 9, random), ball(Vector::Zero(9), 2.0));
  EngineRun run(problem);
  EXPECT_LT(run.solve(kLowerOnly, -1.0, 20000), 5000);
  EXPECT_LE(run.engine.bound(kLowerOnly, run.at).gap, 1e-11);
}

TEST(AcceleratedEngine, ScalingTheDataByPowersOfTenDoesNotHurt) {
  std::mt19937_64 random(24);
  const Eigen::MatrixXd a = test::random_matrix(20, 12, random);
  const Vector b = test::random_vector(20, random);
  for (double scale : {1e-6, 1.0, 1e6}) {
    const Problem problem(linear(Vector::Zero(12)), least_squares(dense_map(RowMajorMatrix(scale * a)), scale * b),
                          ball(Vector::Zero(12), 2.0));
    EngineRun run(problem);
    EXPECT_LT(run.solve(kLowerOnly, 1e-9 * scale * scale), 200) << scale;
  }
}

TEST(AcceleratedEngine, RespectsAPassLimit) {
  std::mt19937_64 random(25);
  const Problem problem(linear(Vector::Zero(12)), data_function(0, 20, 12, random), ball(Vector::Zero(12), 2.0));
  Monitor monitor(Limits{.passes = 31});
  Oracle oracle(problem, monitor);
  AcceleratedEngine engine(oracle);
  Iterate at(problem);
  oracle.update_images(Level::lower, at.point);
  at.values.lower = oracle.value(Level::lower, at.point);
  ASSERT_TRUE(engine.begin(kLowerOnly, at));
  while (monitor.may_iterate(engine.step_cost(kLowerOnly)) && engine.step(kLowerOnly, at)) {
  }
  EXPECT_EQ(monitor.why(), Status::work_limit);
  EXPECT_LE(monitor.work().passes(), 31);
  const double g = at.value(Level::lower);
  oracle.update_images(Level::lower, at.point);
  EXPECT_EQ(oracle.value(Level::lower, at.point), g);  // the point and its value still belong together
}

TEST(AcceleratedEngine, SameInputSameBits) {
  std::mt19937_64 random(26);
  const Problem problem(data_function(0, 20, 12, random) + l1_norm(Vector::Zero(12)),
                        data_function(1, 20, 12, random), ball(Vector::Zero(12), 2.0));
  EngineRun one(problem), two(problem);
  one.solve({1.0, 3.0}, 1e-7);
  two.solve({1.0, 3.0}, 1e-7);
  EXPECT_EQ(one.at.point.x, two.at.point.x);
  EXPECT_EQ(one.engine.bound({1.0, 3.0}, one.at).gap, two.engine.bound({1.0, 3.0}, two.at).gap);
}

}  // namespace
}  // namespace fcbio
