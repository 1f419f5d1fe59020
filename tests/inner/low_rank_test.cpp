// The engine low-rank: the model against a dense one where the rank is complete, few passes where singular values decay,
// growth where they do not, bounds that hold, limits and refusals.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "fcbio/eigen_sparse.hpp"
#include "fcbio/threads.hpp"
#include "inner/newton.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

constexpr auto kLowRankForm = NewtonEngine::Form::low_rank;

/// A kernel that smooths: singular values fall like a power of their number.
RowMajorMatrix smoothing(Index n, double power) {
  Eigen::MatrixXd waves(n, n);
  Vector decay(n);
  for (Index k = 0; k < n; ++k) {
    decay[k] = 2.0 / static_cast<double>(n) * std::pow(1.0 + static_cast<double>(k), -power);
    for (Index i = 0; i < n; ++i)
      waves(i, k) = std::cos(3.14159265358979 * static_cast<double>(k) * (static_cast<double>(i) + 0.5) /
                             static_cast<double>(n));
  }
  return waves * decay.asDiagonal() * waves.transpose();
}

/// Squares of first differences.
Function roughness(Index n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i + 1 < n; ++i) {
    entries.emplace_back(i, i, -1.0);
    entries.emplace_back(i, i + 1, 1.0);
  }
  Eigen::SparseMatrix<double, Eigen::RowMajor> differences(n - 1, n);
  differences.setFromTriplets(entries.begin(), entries.end());
  return least_squares(sparse_map(to_csr(differences)), Vector::Zero(n - 1));
}

Problem ill_posed(Index n, double power, const ConvexSetPtr& set, bool rough = true) {
  std::mt19937_64 random(7);
  const RowMajorMatrix matrix = smoothing(n, power);
  const Vector b = matrix * Vector::LinSpaced(n, 0.0, 1.5) + 1e-2 * test::random_vector(n, random);
  Function upper = squared_norm(Vector::Zero(n));
  if (rough) upper += roughness(n);
  return Problem(upper, least_squares(dense_map(matrix), b), set);
}

ConvexSetPtr unit_box(Index n) { return box(Vector::Zero(n), Vector::Constant(n, 1.0)); }

struct Descent {
  explicit Descent(Problem given, NewtonEngine::Form form = kLowRankForm, Limits limits = {})
      : problem(std::move(given)), monitor(limits), at(problem) {
    at.point.x = problem.start();
    for (Level level : kLevels) {
      oracle.update_images(level, at.point);
      at.linearize(oracle, level);
    }
    engine = std::make_unique<NewtonEngine>(oracle, form);
  }
  /// The best gap after at most so many steps; stops below `enough`.
  double descend(const Weights& weights, int most, double enough) {
    if (!engine->begin(weights, at)) return kInfinity;
    double gap = engine->bound(weights, at).gap;
    for (steps = 0; steps < most && gap > enough; ++steps) {
      if (!monitor.may_iterate(engine->step_cost(weights)) || !engine->step(weights, at)) break;
      gap = std::min(gap, engine->bound(weights, at).gap);
    }
    return gap;
  }
  Problem problem;
  Monitor monitor;
  Oracle oracle{problem, monitor};
  Iterate at;
  std::unique_ptr<NewtonEngine> engine;
  int steps = 0;
};

TEST(LowRank, EndsWhereNewtonEndsOnEverySet) {
  const Index n = 60;
  std::mt19937_64 random(3);
  const Weights weights{1.0, 1e4};
  for (const ConvexSetPtr& set :
       {unit_box(n), ball(test::random_vector(n, random), 2.0), ball(Vector::Zero(n), 50.0),
        nonnegative_ball(n, 2.0), whole_space(Vector::Zero(n), 100.0)})
    for (const bool rough : {true, false})
      for (const double power : {1.0, 3.0}) {
        Descent exact(ill_posed(n, power, set, rough), NewtonEngine::Form::exact),
            low(ill_posed(n, power, set, rough));
        exact.descend(weights, 30, 1e-11);
        const double gap = low.descend(weights, 60, 1e-9);
        EXPECT_LE(gap, 1e-9) << set->name() << rough << power;
        EXPECT_LT((exact.at.point.x - low.at.point.x).norm(), 1e-4) << set->name() << rough << power;
        EXPECT_LE(low.problem.domain().violation(low.at.point.x), 1e-14);
      }
}

TEST(LowRank, GapsAreTrueAndTheLowerPhaseEnds) {
  const Index n = 80;
  for (const double power : {2.0, 4.0}) {
    Descent exact(ill_posed(n, power, unit_box(n)), NewtonEngine::Form::exact),
        low(ill_posed(n, power, unit_box(n)));
    const Weights lower{0.0, 1.0};
    exact.descend(lower, 40, 1e-13);
    ASSERT_TRUE(low.engine->begin(lower, low.at));
    double gap = kInfinity;
    for (int step = 0; step < 60 && gap > 1e-9; ++step) {
      const EngineBound bound = low.engine->bound(lower, low.at);
      EXPECT_LE(low.at.phi(lower) - bound.gap, exact.at.phi(lower) + 1e-13);
      gap = std::min(gap, bound.gap);
      if (!low.engine->step(lower, low.at)) break;
    }
    EXPECT_LE(gap, 1e-9) << power;
  }
}

TEST(LowRank, CostsLittleWhereSingularValuesDecay) {
  const Index n = 400;
  const Weights weights{1.0, 1e6};
  Descent low(ill_posed(n, 3.0, unit_box(n))), exact(ill_posed(n, 3.0, unit_box(n)), NewtonEngine::Form::exact);
  EXPECT_LE(low.descend(weights, 40, 1e-7), 1e-7);
  exact.descend(weights, 40, 1e-7);
  EXPECT_LT(3 * low.monitor.work().passes(), exact.monitor.work().passes());
}

TEST(LowRank, NeverOverrunsAPassLimit) {
  for (std::int64_t limit = 20; limit < 600; limit += 29) {
    Descent low(ill_posed(60, 1.5, unit_box(60)), kLowRankForm, {.passes = limit});
    low.descend({0.0, 1.0}, 100, 1e-12);
    low.descend({1.0, 1e5}, 100, 1e-12);
    EXPECT_LE(low.monitor.work().passes(), limit);
  }
}

TEST(LowRank, SameBitsForAnyThreads) {
  const auto answer = [](int threads) {
    const ThreadScope scope(threads);
    Descent low(ill_posed(150, 2.0, unit_box(150)));
    low.descend({1.0, 1e4}, 6, 1e-12);
    return low.at.point.x;
  };
  EXPECT_EQ(answer(1), answer(3));
}

// Curvatures that change from point to point, some of them zero.
TEST(LowRank, TakesOtherLossesToo) {
  const Index n = 40;
  std::mt19937_64 random(5);
  const LinearMapPtr map =
      dense_map(RowMajorMatrix(test::random_matrix(70, 8, random) * test::random_matrix(8, n, random)));
  const Vector labels = test::random_vector(70, random).unaryExpr([](double v) { return v < 0.0 ? -1.0 : 1.0; });
  const Weights weights{1.0, 5.0};
  for (const Function& lower : {logistic(map, labels), squared_hinge(map, labels)})
    for (const ConvexSetPtr& set : {unit_box(n), ball(Vector::Zero(n), 0.5)}) {
      const Problem problem(squared_norm(Vector::Constant(n, 0.1)), lower, set);
      Descent low(problem), exact(problem, NewtonEngine::Form::exact);
      EXPECT_LE(low.descend(weights, 30, 1e-8), 1e-8) << lower.describe();
      exact.descend(weights, 30, 1e-8);
      EXPECT_LT((exact.at.point.x - low.at.point.x).norm(), 1e-3);
      EXPECT_LE(low.steps, exact.steps + 6);
    }
}

TEST(LowRank, SaysWhatDoesNotFit) {
  std::mt19937_64 random(1);
  const LinearMapPtr map = dense_map(RowMajorMatrix(test::random_matrix(8, 5, random)));
  const Vector labels = Vector::Ones(8);
  const Problem on_simplex(squared_norm(Vector::Zero(5)), least_squares(map, labels), simplex(5));
  EXPECT_NE(NewtonEngine::misfit(on_simplex, kLowRankForm).find("simplex"), std::string::npos);
  const Problem linear_below(least_squares(map, labels), linear(Vector::Ones(5)), unit_box(5));
  EXPECT_EQ(NewtonEngine::misfit(linear_below, kLowRankForm), "the lower function has no rows to find the range of");
  const Problem large = ill_posed(5, 1.0, unit_box(5));
  EXPECT_EQ(NewtonEngine::misfit(large, kLowRankForm), "");
}

}  // namespace
}  // namespace fcbio
