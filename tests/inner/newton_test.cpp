// The Newton engine: optimality over the ball, one step for a quadratic, quadratic convergence, valid gaps, exact
// counts, refusals; and the engine that begins with quasi-Newton.
#include "inner/newton.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>

#include "fcbio/eigen_sparse.hpp"
#include "inner/switching_engine.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

LinearMapPtr random_data(Index rows, Index cols, std::mt19937_64& random) {
  return dense_map(RowMajorMatrix(test::random_matrix(rows, cols, random)));
}

Vector random_labels(Index rows, std::mt19937_64& random) {
  return test::random_vector(rows, random).unaryExpr([](double v) { return v < 0.0 ? -1.0 : 1.0; });
}

struct Session {
  explicit Session(Problem given, Limits limits = {}) : problem(std::move(given)), monitor(limits), at(problem) {
    at.point.x = problem.start();
    for (Level level : kLevels) {
      oracle.update_images(level, at.point);
      at.linearize(oracle, level);
    }
  }
  Problem problem;
  Monitor monitor;
  Oracle oracle{problem, monitor};
  Iterate at;
};

Problem logistic_with_ridge(Index rows, Index n, double radius, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return Problem(squared_norm(test::random_vector(n, random)),
                 logistic(random_data(rows, n, random), random_labels(rows, random)),
                 ball(0.1 * test::random_vector(n, random), radius));
}

TEST(NewtonEngine, OneStepSolvesAQuadraticInside) {
  for (Index rows : {15, 60}) {
    std::mt19937_64 random(5);
    const Index n = 30;
    Session run(Problem(squared_norm(test::random_vector(n, random)),
                        least_squares(random_data(rows, n, random), test::random_vector(rows, random)),
                        ball(Vector::Zero(n), 100.0), Vector::Zero(n)));
    NewtonEngine engine(run.oracle);
    const Weights weights{1.0, 50.0};
    ASSERT_TRUE(engine.begin(weights, run.at));
    EXPECT_GT(engine.bound(weights, run.at).gap, 1.0);
    ASSERT_TRUE(engine.step(weights, run.at));
    EXPECT_EQ(engine.multiplier(), 0.0);
    EXPECT_LT(engine.bound(weights, run.at).gap, 1e-18 * 50.0 * 1e6);
  }
}

TEST(NewtonEngine, MinimumOverTheBallHasItsMultiplier) {
  for (Index rows : {12, 70}) {
    Session run(logistic_with_ridge(rows, 25, 0.5, 7));
    NewtonEngine engine(run.oracle);
    const Weights weights{1.0, 20.0};
    ASSERT_TRUE(engine.begin(weights, run.at));
    for (int k = 0; k < 12 && engine.bound(weights, run.at).gap > 1e-10; ++k)
      ASSERT_TRUE(engine.step(weights, run.at)) << k;
    Vector gradient(25), centre(25);
    for (Level level : kLevels) run.at.linearize(run.oracle, level);  // the engine waits with that
    run.at.gradient(weights, gradient);
    const double radius = *run.problem.domain().enclosing_ball(centre);
    const Vector v = run.at.point.x - centre;
    EXPECT_NEAR(v.norm(), radius, 1e-12);
    EXPECT_GT(engine.multiplier(), 0.0);
    EXPECT_LT((gradient + engine.multiplier() * v).norm(), 1e-6 * gradient.norm());
  }
}

TEST(NewtonEngine, ResidualsSquareOrFallFastOnLogisticLossWithARidge) {
  for (Index rows : {12, 70}) {
    Session run(logistic_with_ridge(rows, 25, 1e3, 9));
    NewtonEngine engine(run.oracle);
    const Weights weights{1.0, 5.0};
    ASSERT_TRUE(engine.begin(weights, run.at));
    std::vector<double> residuals;
    Vector gradient(25);
    for (int k = 0; k < 12; ++k) {
      for (Level level : kLevels) run.at.linearize(run.oracle, level);
      run.at.gradient(weights, gradient);
      residuals.push_back(gradient.norm());
      if (residuals.back() < 1e-10 * residuals.front() || !engine.step(weights, run.at)) break;
    }
    EXPECT_LT(residuals.back(), 1e-10 * residuals.front());
    EXPECT_LE(residuals.size(), 9U);
    int squared = 0;
    for (std::size_t k = 1; k < residuals.size(); ++k)
      if (residuals[k - 1] < 1e-2 * residuals[0] && residuals[k] > 1e-12 * residuals[0]) {
        const double before = residuals[k - 1] / residuals[0];
        // By columns V'DV is kept while the curvatures are nearly the same, and residuals fall by a factor.
        EXPECT_LT(residuals[k] / residuals[0], rows < 25 ? 100.0 * before * before : 0.05 * before);
        ++squared;
      }
    EXPECT_GE(squared, 1);
  }
}

// Losses whose second derivative jumps, and rows that end up where it does.
TEST(NewtonEngine, KinksOfTheDerivativeDoNotStopIt) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::mt19937_64 random(seed);
    const Index rows = 40, n = 200;
    RowMajorMatrix data = test::random_matrix(rows, n, random);
    data.rowwise() += 2.0 * test::random_vector(n, random).transpose();  // rows alike
    Session run(Problem(squared_norm(Vector::Zero(n)), huber(dense_map(data), random_labels(rows, random), 0.1),
                        ball(Vector::Zero(n), 0.2)));
    NewtonEngine engine(run.oracle);
    const Weights weights{0.0, 1.0};
    ASSERT_TRUE(engine.begin(weights, run.at));
    int steps = 0;
    for (; steps < 60 && engine.bound(weights, run.at).gap > 1e-8; ++steps)
      ASSERT_TRUE(engine.step(weights, run.at)) << "seed " << seed << ", step " << steps;
    EXPECT_LT(engine.bound(weights, run.at).gap, 1e-8) << seed;
  }
}

RC_GTEST_PROP(NewtonEngine, GapsAreValidAndStepsDescend, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
  const Index n = *rc::gen::inRange<Index>(1, 30), rows = *rc::gen::inRange<Index>(1, 40);
  std::mt19937_64 random(seed);
  const int kind = *rc::gen::inRange(0, 4);
  const LinearMapPtr data = random_data(rows, n, random);
  const Vector targets = test::random_vector(rows, random), labels = random_labels(rows, random);
  const Function lower = kind == 0   ? least_squares(data, targets)
                         : kind == 1 ? huber(data, targets, 0.3)
                         : kind == 2 ? squared_hinge(data, labels)
                                     : logistic(data, labels);
  const double radius = *rc::gen::element(0.3, 2.0, 20.0);
  Session run(Problem(squared_norm(test::random_vector(n, random)), lower, ball(Vector::Zero(n), radius)));
  const Weights weights{*rc::gen::element(0.0, 1.0), *rc::gen::element(1.0, 1e4)};
  NewtonEngine engine(run.oracle);
  RC_ASSERT(engine.begin(weights, run.at));
  std::vector<std::pair<double, double>> seen;  // phi and gap
  for (int k = 0; k < 30; ++k) {
    seen.emplace_back(run.at.phi(weights), engine.bound(weights, run.at).gap);
    if (!engine.step(weights, run.at)) break;
    RC_ASSERT(run.problem.domain().violation(run.at.point.x) <= 1e-12 * radius);
    RC_ASSERT(run.at.phi(weights) <= seen.back().first + 1e-9 * (1.0 + std::abs(seen.back().first)));
  }
  const double least = std::min(run.at.phi(weights), seen.back().first);
  for (const auto& pair : seen) RC_ASSERT(pair.first - pair.second <= least + 1e-9 * (1.0 + std::abs(least)));
  RC_ASSERT(seen.back().second <= 1e-4 * (1.0 + seen.front().second));
}

TEST(NewtonEngine, ChargesGramMatrixFactorisationAndProducts) {
  std::mt19937_64 random(15);
  const Index rows = 20, n = 50;
  Session run(Problem(squared_norm(Vector::Zero(n)),
                      least_squares(random_data(rows, n, random), test::random_vector(rows, random)),
                      ball(Vector::Zero(n), 100.0), test::random_vector(n, random)));
  NewtonEngine engine(run.oracle);
  const std::int64_t before = run.monitor.work().lower_passes;
  const std::int64_t factor = 2;  // 20^3 / 3 / (2 * 20 * 50) = 1.33
  const Weights first{1.0, 50.0}, second{1.0, 100.0};
  ASSERT_TRUE(engine.begin(first, run.at));
  ASSERT_TRUE(engine.step(first, run.at));
  EXPECT_EQ(run.monitor.work().lower_passes - before, 20 / 2 + factor + 3);
  ASSERT_TRUE(engine.begin(second, run.at));
  EXPECT_GE(engine.step_cost(second), factor + 3);
  ASSERT_TRUE(engine.step(second, run.at));
  EXPECT_EQ(run.monitor.work().lower_passes - before, 20 / 2 + 2 * (factor + 3));
  EXPECT_EQ(run.monitor.work().upper_passes, 0);
}

TEST(NewtonEngine, NeverOverrunsAPassLimit) {
  for (std::int64_t limit = 15; limit < 80; ++limit) {
    Session run(logistic_with_ridge(15, 25, 0.5, 7), {.passes = limit});
    NewtonEngine engine(run.oracle);
    const Weights weights{1.0, 20.0};
    engine.begin(weights, run.at);
    while (run.monitor.may_iterate(engine.step_cost(weights)) && engine.step(weights, run.at)) {
    }
    EXPECT_LE(run.monitor.work().passes(), limit);
    EXPECT_LE(run.problem.domain().violation(run.at.point.x), 1e-12);
  }
}

// The lower phase alone: no curvature of its own, an inconsistent right side and a ball that is met.
TEST(NewtonEngine, NeverOverrunsAPassLimitWithoutARidge) {
  std::mt19937_64 random(23);
  const RowMajorMatrix deficient = test::random_matrix(15, 6, random) * test::random_matrix(6, 25, random);
  const Vector b = test::random_vector(15, random);
  for (double radius : {0.05, 5.0})
    for (std::int64_t limit = 20; limit < 60; ++limit) {
      Session run(Problem(squared_norm(Vector::Zero(25)), least_squares(dense_map(deficient), b),
                          ball(Vector::Zero(25), radius), Vector::Ones(25)),
                  {.passes = limit});
      NewtonEngine engine(run.oracle);
      const Weights weights{0.0, 1.0};
      engine.begin(weights, run.at);
      while (run.monitor.may_iterate(engine.step_cost(weights)) && engine.step(weights, run.at)) {
      }
      EXPECT_LE(run.monitor.work().passes(), limit);
      if (limit > 50) {
        EXPECT_LT(engine.bound(weights, run.at).gap, 1e-9) << radius;
      }
    }
}

TEST(NewtonEngine, SparseDataGiveTheSameStepAsDense) {
  std::mt19937_64 random(19);
  for (const auto& [rows, n] : {std::pair<Index, Index>{8, 30}, {50, 12}}) {
    RowMajorMatrix dense = test::random_matrix(rows, n, random);
    dense = dense.unaryExpr([](double v) { return std::abs(v) < 0.8 ? 0.0 : v; });
    const Vector b = test::random_vector(rows, random);
    std::vector<Vector> ends;
    for (bool sparse : {false, true}) {
      const LinearMapPtr map =
          sparse ? sparse_map(to_csr(Eigen::SparseMatrix<double, Eigen::RowMajor>(dense.sparseView())))
                 : dense_map(dense);
      RowMajorMatrix copy;
      ASSERT_TRUE(map->copy_rows(&copy));
      EXPECT_EQ(copy, dense);
      EXPECT_EQ(map->numbers(), sparse ? (dense.array() != 0.0).count() : dense.size());
      Session run(Problem(squared_norm(Vector::Zero(n)), huber(map, b, 0.5), ball(Vector::Zero(n), 3.0)));
      NewtonEngine engine(run.oracle);
      ASSERT_TRUE(engine.begin({1.0, 10.0}, run.at));
      ASSERT_TRUE(engine.step({1.0, 10.0}, run.at));
      ends.push_back(run.at.point.x);
    }
    EXPECT_LT((ends[0] - ends[1]).norm(), 1e-10);
  }
}

TEST(NewtonEngine, SaysWhatDoesNotFit) {
  std::mt19937_64 random(21);
  const Index n = 6;
  const auto misfit = [&](Function lower, ConvexSetPtr domain) {
    return NewtonEngine::misfit(Problem(squared_norm(Vector::Zero(n)), std::move(lower), std::move(domain)));
  };
  const ConvexSetPtr disc = ball(Vector::Zero(n), 1.0);
  const Vector b = test::random_vector(4, random);
  const LinearMapPtr data = random_data(4, n, random);
  EXPECT_EQ(misfit(least_squares(data, b), disc), "");
  EXPECT_EQ(misfit(least_squares(data, b), whole_space(Vector::Zero(n), 3.0)), "");
  EXPECT_EQ(misfit(least_squares(data, b), simplex(n)),
            "the domain is of the kind 'simplex', and the model can be minimised over the whole space, "
            "a ball, a box and a nonnegative ball only");
  EXPECT_EQ(misfit(log_sum_exp(data, b), disc), "the loss 'log-sum-exp' has no diagonal second derivative");
  EXPECT_EQ(misfit(least_squares(identity_map(n), Vector::Zero(n)), disc),
            "the numbers of the data of 'least-squares' are not at hand");
  EXPECT_EQ(misfit(l1_norm(Vector::Zero(n)), disc), "the term 'l1-norm' is not a loss on rows of data, and does not tell products with its Hessian");
  const Index many = 1600;
  EXPECT_EQ(NewtonEngine::misfit(Problem(
                squared_norm(Vector::Zero(many)),
                least_squares(dense_map(RowMajorMatrix(RowMajorMatrix::Ones(many, many))), Vector::Zero(many)),
                ball(Vector::Zero(many), 1.0))),
            "the smaller of rows and unknowns is 1600, and at most 1500 are factored");
}

// phi over a box and the nonnegative part of a ball: at the end no direction into the set descends, however
// ill-conditioned the data, and the proved gap says so.
TEST(NewtonEngine, MinimisesUnderBounds) {
  const Index n = 20, rows = 60;
  for (const double condition : {1.0, 1e7}) {
    for (const bool ball : {false, true}) {
      std::mt19937_64 random(31);
      RowMajorMatrix data = test::random_matrix(rows, n, random);
      for (Index j = 0; j < n; ++j) data.col(j) *= std::pow(condition, -static_cast<double>(j) / (n - 1.0));
      const LinearMapPtr map = dense_map(data);
      const ConvexSetPtr set =
          ball ? nonnegative_ball(n, 0.3) : box(Vector::Constant(n, -0.1), Vector::Constant(n, 0.2));
      Session run(Problem(squared_norm(Vector::Zero(n)), logistic(map, random_labels(rows, random)), set));
      NewtonEngine engine(run.oracle);
      const Weights weights{0.01, 10.0};
      ASSERT_TRUE(engine.begin(weights, run.at));
      double gap = engine.bound(weights, run.at).gap;
      int steps = 0;
      for (; steps < 12 && gap > 1e-9; ++steps) {
        if (!engine.step(weights, run.at)) break;
        gap = std::min(gap, engine.bound(weights, run.at).gap);
      }
      EXPECT_LE(gap, 1e-9) << condition << " " << ball;
      EXPECT_LE(steps, 10);
      for (Level level : kLevels) run.at.linearize(run.oracle, level);
      Vector gradient(n);
      run.at.gradient(weights, gradient);
      Vector moved = run.at.point.x - 0.1 * gradient;
      run.oracle.project(moved);
      EXPECT_LT((moved - run.at.point.x).norm(), 1e-4);
      EXPECT_LE(run.problem.domain().violation(run.at.point.x), 1e-15);
    }
  }
}

// The dual of the model at x + p against the tangent at the point reached: once Newton's method is near, the bound that
// comes with a step is as good as one of a step later.
TEST(NewtonEngine, CorrectedDualsProveWhatTheModelKnows) {
  std::mt19937_64 random(41);
  const Index n = 10, rows = 400;
  Session run(Problem(logistic(random_data(rows, n, random), random_labels(rows, random)),
                      logistic(random_data(rows, n, random), random_labels(rows, random)),
                      ball(Vector::Zero(n), 100.0)));
  NewtonEngine engine(run.oracle);
  const Weights weights{1.0, 1.0};
  ASSERT_TRUE(engine.begin(weights, run.at));
  double corrected = kInfinity, tangent = kInfinity;
  for (int k = 0; k < 8 && !(corrected < 1e-3); ++k) {
    ASSERT_TRUE(engine.step(weights, run.at));
    corrected = engine.bound(weights, run.at).gap;
  }
  Iterate at = run.at;
  TangentBound bound(run.problem);
  for (Level level : kLevels) at.linearize(run.oracle, level);
  tangent = bound.at(run.oracle, weights, at).gap;
  EXPECT_LT(corrected, 0.1 * tangent);
  // And it is a bound: the minimum is not below it.
  const double low = run.at.phi(weights) - corrected;
  for (int k = 0; k < 5 && engine.step(weights, run.at); ++k) EXPECT_GE(run.at.phi(weights), low - 1e-9);
}

// A new multiplier at the same point finds V'DV at hand; sparse rows are charged what they take.
TEST(NewtonEngine, TallSparseRowsCostWhatTheyHold) {
  std::mt19937_64 random(43);
  const Index n = 30, rows = 600;
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(rows, n);
  for (Index i = 0; i < rows; ++i)
    for (int k = 0; k < 3; ++k) dense(i, static_cast<Index>(random() % n)) = 1.0;
  double pairs = 0.0, numbers = 0.0;
  for (Index i = 0; i < rows; ++i) {
    const auto k = static_cast<double>((dense.row(i).array() != 0.0).count());
    pairs += k * (k + 1.0);
    numbers += k;
  }
  const CsrMatrix csr = to_csr(Eigen::SparseMatrix<double, Eigen::RowMajor>(dense.sparseView()));
  Session run(Problem(squared_norm(Vector::Zero(n)), logistic(sparse_map(csr), random_labels(rows, random)),
                      ball(Vector::Zero(n), 10.0)));
  ASSERT_EQ(NewtonEngine::misfit(run.problem), "");
  NewtonEngine engine(run.oracle);
  ASSERT_TRUE(engine.begin({1.0, 10.0}, run.at));
  const auto square = static_cast<std::int64_t>(std::ceil(pairs / (2.0 * numbers)));
  EXPECT_LE(square, 3);
  const std::int64_t with_square = engine.step_cost({1.0, 10.0});
  ASSERT_TRUE(engine.step({1.0, 10.0}, run.at));
  for (int k = 0; k < 6; ++k) engine.step({1.0, 10.0}, run.at);
  ASSERT_TRUE(engine.begin({1.0, 11.0}, run.at));
  EXPECT_EQ(engine.step_cost({1.0, 11.0}), with_square - square);
}

// Quasi-Newton to the stated count, then Newton; where that count is small, Newton from the start.
TEST(SwitchingEngine, SwitchesAtTheStatedCount) {
  Session run(test::minimum_norm(100, 150, 3000.0, 17).problem);
  SwitchingEngine engine(run.oracle, 20);
  const Weights weights{1.0, 1e6};
  // 50 for the Gram matrix, 4 steps: factorisation 100^3/3/(2*100*150) = 12, three products.
  const double cost = 50 + 4 * (12 + 3), slowness = 20.0 * (100 + 200) / (80.0 * 100);
  EXPECT_NEAR(engine.threshold(), SwitchingEngine::kShare * slowness * cost, 1e-9);
  const std::int64_t before = run.monitor.work().passes();
  const auto spent_until_now = [&] { return static_cast<double>(run.monitor.work().passes() - before); };
  ASSERT_TRUE(engine.begin(weights, run.at));
  const double start = engine.bound(weights, run.at).gap;
  while (engine.name() == "quasi-newton") {
    ASSERT_LT(spent_until_now(), engine.threshold());
    EXPECT_EQ(engine.step_cost(weights), 2);
    ASSERT_TRUE(engine.step(weights, run.at));
  }
  EXPECT_EQ(engine.name(), "quasi-newton, then newton");
  EXPECT_GE(engine.step_cost(weights), 50 + 12 + 3);
  const std::int64_t spent = run.monitor.work().passes() - before;
  EXPECT_GT(spent, 20);
  EXPECT_LE(static_cast<double>(spent), engine.threshold() + 1);
  const double slow = engine.bound(weights, run.at).gap;
  ASSERT_TRUE(engine.step(weights, run.at));
  EXPECT_EQ(run.monitor.work().passes() - before - spent, 50 + 12 + 3);
  EXPECT_LT(engine.bound(weights, run.at).gap, 1e-6 * slow);
  EXPECT_LT(slow, start);
}

TEST(SwitchingEngine, BeginsWithNewtonWhereThatIsCheap) {
  Session run(test::minimum_norm(20, 60, 300.0, 17).problem);
  SwitchingEngine engine(run.oracle, 20);
  EXPECT_EQ(engine.threshold(), 0);
  const Weights weights{0.0, 1.0};
  ASSERT_TRUE(engine.begin(weights, run.at));
  ASSERT_TRUE(engine.step(weights, run.at));
  EXPECT_EQ(engine.name(), "newton");
  EXPECT_LT(engine.bound(weights, run.at).gap, 1e-8);
}

}  // namespace
}  // namespace fcbio
