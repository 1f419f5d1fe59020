// Problems whose rows lie on many ranks: the same functions as on one, with bounds of rounding errors that hold.
#include <gtest/gtest.h>

#include <mutex>
#include <random>

#include "build/presolve.hpp"
#include "build/problem.hpp"
#include "fcbio/fcbio.hpp"
#include "functions/distributed_term.hpp"
#include "parallel/decisions.hpp"
#include "support/thread_ranks.hpp"

namespace fcbio::build {
namespace {

using testing::run_ranks;

constexpr Index kRows = 60, kCols = 9;

CsrMatrix sparse_rows(std::uint64_t seed, Index cols = kCols, Index used = kCols) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  CsrMatrix rows{kRows, cols, {0}, {}, {}};
  for (Index i = 0; i < kRows; ++i) {
    for (Index j = 0; j < used; ++j) {
      if (random() % 3 == 0) continue;
      rows.columns.push_back(static_cast<std::int32_t>(j));
      rows.values.push_back(normal(random));
    }
    rows.starts.push_back(rows.nonzeros());
  }
  return rows;
}

Vector signs(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Vector labels(kRows);
  for (double& label : labels) label = random() % 2 == 0 ? 1.0 : -1.0;
  return labels;
}

std::vector<data::FunctionKind> kinds() {
  const data::Matrix rows{sparse_rows(1)};
  const Vector labels = signs(2);
  const Vector weights = labels.array() + 1.5;
  return {data::LeastSquares{rows, labels, true, weights},
          data::Logistic{rows, labels, true},
          data::Huber{rows, labels, false, 0.3},
          data::Absolute{rows, labels, false, weights},
          data::Quantile{rows, labels, true, 0.2},
          data::Hinge{rows, labels, true},
          data::SquaredHinge{rows, labels, false},
          data::LeastSquares{{RowMajorMatrix(RowMajorMatrix::Random(kRows, kCols))}, labels}};
}

data::Problem problem_over(data::FunctionKind kind, Index dimension = kCols) {
  data::Problem problem;
  problem.dimension = dimension;
  problem.domain = {data::Ball{2.0, Vector::Zero(dimension)}, dimension};
  problem.upper.push_back({data::SquaredNorm{Vector::Ones(dimension)}});
  problem.lower.push_back({std::move(kind), 2.0});
  return problem;
}

/// What a function says at a point, and how sure it is.
struct Told {
  double value, slope_along, constant, value_rounding, slope_rounding, constant_rounding;
  Vector gradient, hessian, proved_slope;
  Term::Proved proved;
  double proved_rounding;
};

Told tell(const Term& term) {
  const Vector x = Vector::LinSpaced(term.dimension(), -0.4, 0.7),
               v = Vector::LinSpaced(term.dimension(), 1.0, -2.0);
  Vector u(term.image_size()), v_image(term.image_size()), dual(term.dual_size()), scratch_dual(dual);
  Told told;
  term.image(x, u);
  term.image(v, v_image);
  told.value = term.value(x, u);
  term.linear_dual(x, u, dual);
  told.gradient.resize(term.dimension());
  term.gradient(0.5, x, u, dual, told.gradient);
  told.slope_along = term.slope_along(x, u, v, v_image, scratch_dual);
  Scratch scratch;
  told.hessian = Vector::Zero(term.dimension());
  term.add_hessian_product(0.25, x, u, v, scratch, told.hessian);
  term.repair_dual(dual);
  told.constant = term.dual_constant(dual);
  told.value_rounding = term.value_rounding(x, u);
  told.slope_rounding = term.slope_rounding(dual);
  told.constant_rounding = term.dual_constant_rounding(dual);
  told.proved = term.proved_value(x, u);
  told.proved_slope = Vector::Zero(term.dimension());
  told.proved_rounding = term.add_proved_slope(1.0, dual, told.proved_slope);
  return told;
}

TEST(DistributedTerms, SayWhatTermsOnOneRankSay) {
  for (const data::FunctionKind& kind : kinds()) {
    const Problem whole = make_problem(problem_over(kind));
    const Term& expected_term = *whole.lower().parts()[0].term;
    const Told expected = tell(expected_term);
    const double smoothness = expected_term.smoothness().value.value_or(0.0);
    for (const int count : {1, 2, 5, 30}) {  // there are 24 shards
      run_ranks(count, [&](parallel::Communicator& ranks) {
        SCOPED_TRACE(std::string(expected_term.name()) + " on " + std::to_string(count));
        const Problem problem = make_problem(problem_over(kind), ranks);
        EXPECT_EQ(problem.lower().parts()[0].weight, whole.lower().parts()[0].weight);
        const Term& term = *problem.lower().parts()[0].term;
        EXPECT_EQ(&term, functions::distributed_part(problem));
        EXPECT_EQ(term.name(), expected_term.name());
        EXPECT_EQ(term.differentiable(), expected_term.differentiable());
        const Told told = tell(term);
        const double size = std::abs(expected.value) + 1.0;
        EXPECT_NEAR(told.value, expected.value, told.value_rounding + expected.value_rounding);
        EXPECT_LT(told.value_rounding, 1e-12 * size);
        EXPECT_NEAR(told.proved.value, expected.proved.value, told.proved.rounding + expected.proved.rounding);
        EXPECT_LT(told.proved.rounding, 1e-13 * size);
        EXPECT_NEAR(told.constant, expected.constant, told.constant_rounding + expected.constant_rounding);
        EXPECT_LT(told.constant_rounding, 1e-12 * size);
        EXPECT_LT((told.gradient - expected.gradient).norm(), told.slope_rounding + expected.slope_rounding);
        EXPECT_LT((told.proved_slope - expected.proved_slope).norm(),
                  told.proved_rounding + expected.proved_rounding);
        EXPECT_LT(told.proved_rounding, told.slope_rounding);
        EXPECT_LT(told.slope_rounding, 1e-11 * (expected.gradient.norm() + 1.0));
        EXPECT_NEAR(told.slope_along, expected.slope_along, 1e-12 * size);
        EXPECT_LT((told.hessian - expected.hessian).norm(), 1e-12 * size);
        const CostedBound smooth = term.smoothness();
        EXPECT_EQ(smooth.value.has_value(), expected_term.smooth());
        EXPECT_NEAR(smooth.value.value_or(0.0), smoothness, 1e-6 * smoothness);
      });
    }
  }
}

TEST(DistributedTerms, GiveBoundsThatHold) {
  const Vector centre = Vector::Zero(kCols), x = Vector::Ones(kCols);
  for (const data::FunctionKind& kind : kinds()) {
    const Problem whole = make_problem(problem_over(kind));
    run_ranks(3, [&](parallel::Communicator& ranks) {
      const Problem problem = make_problem(problem_over(kind), ranks);
      const Function &f = problem.lower(), &g = whole.lower();
      PartVectors images = f.make_images(), whole_images = g.make_images(), other = g.make_images();
      const CostedBound slope = f.lipschitz(centre, 3.0);
      ASSERT_TRUE(slope.value.has_value());
      PartVectors duals = f.make_duals();
      Vector gradient(kCols);
      f.images(x, images);
      f.gradient(x, images, duals, gradient);
      EXPECT_LE(gradient.norm(), *slope.value);
      const CostedBound change = f.change(x, images, 0.5);
      g.images(x, whole_images);
      const Vector moved = x + 0.5 * Vector::Unit(kCols, 2);
      g.images(moved, other);
      ASSERT_TRUE(change.value.has_value());
      EXPECT_LE(std::abs(g.value(moved, other) - g.value(x, whole_images)), *change.value);
    });
  }
}

TEST(DistributedTerms, AreNotMadeOfRowsThatHaveNoWeight) {
  Vector weights = Vector::Ones(kRows);
  weights.head(kRows / 2).setZero();
  const data::Problem data = problem_over(data::LeastSquares{{sparse_rows(3)}, signs(4), false, weights});
  run_ranks(2, [&](parallel::Communicator& ranks) {
    EXPECT_EQ(functions::distributed_part(make_problem(data::Problem(data), ranks)), nullptr);
  });
}

TEST(DistributedTerms, LeaveIdleVariablesOut) {
  const data::Problem data = problem_over(data::LeastSquares{{sparse_rows(5, 30, 12)}, signs(6)}, 30);
  data::Problem rested = data;
  rested.upper[0] = {data::SquaredNorm{Vector::Zero(30)}};
  run_ranks(3, [&](parallel::Communicator& ranks) {
    const Problem problem = make_problem(data::Problem(rested), ranks);
    EXPECT_EQ(Presolved(problem, Accuracy{}).idle(), 18);
  });
}

TEST(DistributedSolves, HaveTheSameBitsForAnyNumberOfRanks) {
  for (const data::FunctionKind& kind : kinds()) {
    std::optional<Result> first;
    const Problem whole = make_problem(problem_over(kind));
    for (const int count : {1, 2, 3, 4, 30}) {
      std::mutex guard;
      run_ranks(count, [&](parallel::Communicator& ranks) {
        const Problem problem = make_problem(problem_over(kind), ranks);
        const parallel::SharedDecisions decisions(ranks);
        const std::atomic<bool> never = false;
        Monitor monitor(Limits{.iterations = 2000}, &never);
        Result result = solve(problem, {.accuracy = {1e-3, 1e-3}}, monitor);
        complete_witness(problem, result);
        const std::scoped_lock lock(guard);
        SCOPED_TRACE(std::string(whole.lower().parts()[0].term->name()) + " on " + std::to_string(count));
        EXPECT_EQ(result.status, Status::certified) << result.message;
        if (!first) first = result;
        EXPECT_EQ(result.x, first->x);
        EXPECT_EQ(result.work.iterations, first->work.iterations);
        EXPECT_EQ(result.upper_value, first->upper_value);
        EXPECT_EQ(result.certificate.upper_excess, first->certificate.upper_excess);
        ASSERT_EQ(result.witness.lower_bound.lower_duals.size(), first->witness.lower_bound.lower_duals.size());
        for (const Vector& dual : result.witness.upper_bound.lower_duals) EXPECT_EQ(dual.size(), kRows);
      });
    }
  }
}

TEST(DistributedSolves, StopTogetherWhenOneIsInterrupted) {
  run_ranks(3, [&](parallel::Communicator& ranks) {
    const Problem problem = make_problem(problem_over(kinds()[1]), ranks);
    const parallel::SharedDecisions decisions(ranks);
    const std::atomic<bool> interrupt = ranks.rank() == 2;
    Monitor monitor(Limits{}, &interrupt);
    EXPECT_EQ(solve(problem, {.accuracy = {1e-9, 1e-9}}, monitor).status, Status::interrupted);
  });
}

TEST(DistributedSolves, RefuseEnginesThatNeedAllRows) {
  run_ranks(2, [&](parallel::Communicator& ranks) {
    const Problem problem = make_problem(problem_over(kinds()[0]), ranks);
    for (const EngineKind engine : {EngineKind::newton, EngineKind::low_rank, EngineKind::interior_point}) {
      try {
        solve(problem, {.certified = {.engine = engine}});
        ADD_FAILURE() << "not refused";
      } catch (const InvalidArgument& refusal) {
        EXPECT_NE(std::string(refusal.what()).find("lie on many ranks"), std::string::npos) << refusal.what();
      }
    }
  });
}

}  // namespace
}  // namespace fcbio::build
