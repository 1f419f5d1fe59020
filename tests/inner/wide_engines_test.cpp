// The engines for wide data with kinks: what is rounded off stays within its allowance, steps of duals solve their
// problem, and bounds are true and close.
#include <gtest/gtest.h>

#include "inner/dual_step.hpp"
#include "inner/wide_engine.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

/// Rows of three numbers among n; labels of a planted point with few entries.
Problem wide_problem(const std::string& loss, const std::string& set, unsigned seed) {
  const Index m = 60, n = 200;
  std::mt19937_64 random(seed);
  CsrMatrix a{m, n, {0}, {}, {}};
  for (Index i = 0; i < m; ++i) {
    for (std::int32_t j = static_cast<std::int32_t>(random() % 20); j < n;
         j += 7 + static_cast<std::int32_t>(random() % 30)) {
      a.columns.push_back(j);
      a.values.push_back(0.2 + 0.01 * static_cast<double>(random() % 100));
    }
    a.starts.push_back(a.nonzeros());
  }
  const LinearMapPtr map = sparse_map(std::move(a));
  const Vector x =
      Vector::NullaryExpr(n, [&] { return random() % 4 == 0 ? 1.0 : (random() % 4 == 0 ? -1.0 : 0.0); });
  Vector target(m);
  map->apply(x, target);
  if (loss == "hinge")
    for (double& number : target) number = number >= 0.0 ? 1.0 : -1.0;
  const Function lower = loss == "hinge"      ? hinge(map, target)
                         : loss == "absolute" ? absolute_deviation(map, target)
                                              : quantile(map, target, 0.3);
  const ConvexSetPtr domain = set == "box"    ? box(Vector::Constant(n, -5.0), Vector::Constant(n, 5.0))
                              : set == "ball" ? ball(Vector::Zero(n), 30.0)
                                              : nonnegative_ball(n, 30.0);
  return Problem((1.0 / static_cast<double>(n)) * l1_norm(Vector::Zero(n)), (1.0 / static_cast<double>(m)) * lower,
                 domain);
}

TEST(SmoothedProblem, RoundsOffNoMoreThanAllowed) {
  std::mt19937_64 random(5);
  for (const char* loss : {"hinge", "absolute", "quantile"}) {
    const Problem problem = wide_problem(loss, "box", 1);
    const Weights weights{1.0, 3.0};
    SmoothedProblem smoothed(problem);
    ASSERT_TRUE(smoothed.has_kinks(weights));
    for (const double error : {1.0, 1e-2, 1e-6}) {
      smoothed.set_error(weights, error);
      Point whole(problem), rounded(smoothed.problem());
      for (int trial = 0; trial < 20; ++trial) {
        whole.x = 2.0 * test::random_vector(problem.dimension(), random);
        problem.lower().images(whole.x, whole.images.lower);
        smoothed.take(weights, whole, rounded);
        const double lost = weights.lower * (problem.lower().value(whole.x, whole.images.lower) -
                                             smoothed.problem().lower().value(rounded.x, rounded.images.lower));
        EXPECT_GE(lost, -1e-12);
        EXPECT_LE(lost, error * (1.0 + 1e-9) + 1e-12);
      }
    }
  }
}

// argmax of  r u - phi*(r) - (r - r0)^2 / (2 s), against nearby duals.
TEST(DualStep, IsTheBestDual) {
  std::mt19937_64 random(9);
  const Index m = 40;
  const Vector signs = Vector::NullaryExpr(m, [&] { return random() % 2 == 0 ? 1.0 : -1.0; });
  const Vector numbers = test::random_vector(m, random);
  for (const LossPtr& loss :
       {hinge_loss(signs), absolute_loss(numbers), quantile_loss(numbers, 0.2), squared_hinge_loss(signs),
        least_squares_loss(numbers), huber_loss(numbers, 0.5), logistic_loss(signs)}) {
    const DualStep step(*loss);
    const Vector u = 2.0 * test::random_vector(m, random);
    const Vector lengths =
        Vector::NullaryExpr(m, [&] { return 0.1 + static_cast<double>(random() % 100) / 20.0; });
    Vector before = test::random_vector(m, random);
    loss->make_dual_feasible(before);
    Vector after = before;
    step.apply(u, lengths, 0.7, after);
    const auto value = [&](const Vector& r) {
      return r.dot(u) - loss->conjugate(r) - ((r - before).array().square() / (1.4 * lengths.array())).sum();
    };
    const double best = value(after);
    for (int trial = 0; trial < 100; ++trial) {
      Vector other = after + std::pow(10.0, -trial % 6) * test::random_vector(m, random);
      loss->make_dual_feasible(other);
      EXPECT_LE(value(other), best + 1e-10 * (1.0 + std::abs(best))) << loss->name();
    }
  }
}

template <class SomeEngine>
void expect_small_gap(const Problem& problem, const Weights& weights, double share, int steps) {
  Monitor monitor;
  Oracle oracle(problem, monitor);
  SomeEngine engine(oracle);
  Iterate at(problem);
  for (Level level : kLevels) {
    oracle.update_images(level, at.point);
    at.values[level] = oracle.value(level, at.point);
  }
  ASSERT_TRUE(engine.begin(weights, at));
  const double first = at.phi(weights);
  double low = -kInfinity, high = kInfinity;
  for (int k = 0; k < steps && !(high - low <= share * first); ++k) {
    ASSERT_TRUE(engine.step(weights, at)) << engine.name() << " " << k;
    ASSERT_LE(problem.domain().violation(at.point.x), 1e-12);
    const EngineBound bound = engine.bound(weights, at);
    high = std::min(high, at.phi(weights));
    if (bound.lower_duals != nullptr) low = std::max(low, at.phi(weights) - bound.gap);
    ASSERT_LE(low, high + 1e-9 * first) << engine.name();
  }
  EXPECT_LE(high - low, share * first) << engine.name() << " " << problem.lower().describe();
}

TEST(WideEngines, CloseTheGapOnEveryLossAndSet) {
  for (const char* loss : {"hinge", "absolute", "quantile"})
    for (const char* set : {"box", "ball", "nonnegative-ball"}) {
      const Problem problem = wide_problem(loss, set, 2);
      expect_small_gap<SmoothedEngine>(problem, {1.0, 2.0}, 0.1, 500);
      expect_small_gap<PrimalDualEngine>(problem, {1.0, 2.0}, 1e-3, 4000);
      expect_small_gap<WideEngine>(problem, {1.0, 2.0}, 1e-3, 4000);
    }
}

// Linear convergence on a piecewise linear problem: ten times the accuracy costs a bounded number of steps more.
TEST(WideEngines, PrimalDualConvergesLinearlyOnALinearProgramme) {
  expect_small_gap<PrimalDualEngine>(wide_problem("hinge", "box", 4), {1.0, 2.0}, 1e-9, 20000);
}

TEST(WideEngines, SayWhatTheyCannotTake) {
  const Problem problem(squared_norm(Vector::Zero(2)),
                        max_affine(dense_map(RowMajorMatrix(RowMajorMatrix::Identity(2, 2))), Vector::Zero(2)),
                        ball(Vector::Zero(2), 1.0));
  EXPECT_NE(SmoothedEngine::misfit(problem).find("max-affine"), std::string::npos);
  EXPECT_NE(PrimalDualEngine::misfit(problem).find("max-affine"), std::string::npos);
}

}  // namespace
}  // namespace fcbio
