// Problems at the edges: one level constant, both levels alike, one solution or all of Z, one variable, one row,
// columns that repeat, data of any scale, accuracies far apart.  The default must certify each, and rightly.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "fcbio/method.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

void expect_certified(const Problem& problem, double f, double g, const Accuracy& accuracy = {1e-6, 1e-6}) {
  const Result result = solve(problem, {.accuracy = accuracy, .limits = {.passes = 100'000}});
  SCOPED_TRACE(result.engine + ": " + result.message);
  EXPECT_EQ(to_string(result.status), "certified");
  const double slack = 1e-11 * (1.0 + std::abs(f) + std::abs(g));
  EXPECT_LE(result.upper_value, f + accuracy.upper + slack);
  EXPECT_LE(result.lower_value, g + accuracy.lower + slack);
  EXPECT_GE(result.lower_value, g - slack);
  ASSERT_TRUE(result.certificate.upper_lower_bound && result.certificate.lower_lower_bound);
  EXPECT_LE(*result.certificate.upper_lower_bound, f + slack);
  EXPECT_LE(*result.certificate.lower_lower_bound, g + slack);
}

std::vector<ConvexSetPtr> sets_around_zero(Index n) {
  return {ball(Vector::Zero(n), 2.0), box(Vector::Constant(n, -2.0), Vector::Constant(n, 2.0)),
          l1_ball(Vector::Zero(n), 2.0), whole_space(Vector::Zero(n), 2.0)};
}

TEST(Degenerate, LowerLevelConstant) {
  for (const ConvexSetPtr& domain : sets_around_zero(4)) {
    SCOPED_TRACE(domain->name());
    expect_certified(
        Problem(squared_norm(Vector::Constant(4, 0.1)), linear(Vector::Zero(4)), domain, Vector::Ones(4)), 0.0,
        0.0);
  }
}

TEST(Degenerate, UpperLevelConstant) {
  for (const ConvexSetPtr& domain : sets_around_zero(4)) {
    SCOPED_TRACE(domain->name());
    expect_certified(Problem(linear(Vector::Zero(4)), squared_norm(Vector::Constant(4, 0.1)), domain), 0.0, 0.0);
  }
}

TEST(Degenerate, BothLevelsAlike) {
  const test::KnownProblem known = test::minimum_norm(6, 12, 10.0, 3);
  const Problem problem(known.problem.lower(), known.problem.lower(), known.problem.domain_pointer());
  expect_certified(problem, 0.0, 0.0);
}

TEST(Degenerate, OneSolution) {
  for (const ConvexSetPtr& domain : sets_around_zero(3)) {
    SCOPED_TRACE(domain->name());
    const Vector only{{0.3, -0.2, 0.1}};
    expect_certified(Problem(linear(Vector::Ones(3)), squared_norm(only), domain), only.sum(), 0.0);
  }
}

TEST(Degenerate, EverythingIsASolution) {
  const Problem problem(logistic(dense_map(RowMajorMatrix{{1.0, 0.0}}), Vector::Ones(1)),
                        least_squares(dense_map(RowMajorMatrix(RowMajorMatrix::Zero(3, 2))), Vector::Ones(3)),
                        box(Vector::Constant(2, -1.0), Vector::Constant(2, 1.0)));
  expect_certified(problem, std::log1p(std::exp(-1.0)), 1.5);
}

TEST(Degenerate, LowerOptimumOnTheBoundary) {
  // g = 1/2|x - (3, 0)|^2 on the unit ball and box: x* = (1, 0).
  for (const ConvexSetPtr& domain : {ball(Vector::Zero(2), 1.0), box(Vector::Constant(2, -1.0), Vector::Ones(2)),
                                     l1_ball(Vector::Zero(2), 1.0)}) {
    SCOPED_TRACE(domain->name());
    expect_certified(Problem(linear(Vector{{0.0, 1.0}}), squared_norm(Vector{{3.0, 0.0}}), domain), 0.0, 2.0);
  }
}

TEST(Degenerate, OneVariable) {
  for (const ConvexSetPtr& domain : sets_around_zero(1)) {
    SCOPED_TRACE(domain->name());
    expect_certified(Problem(linear(Vector::Ones(1)), squared_norm(Vector::Ones(1)), domain), 1.0, 0.0);
    if (domain->name() == "whole-space") continue;  // there -x has no minimiser
    expect_certified(Problem(squared_norm(Vector::Zero(1)), linear(Vector::Constant(1, -1.0)), domain), 2.0, -2.0);
  }
  expect_certified(Problem(squared_norm(Vector::Zero(1)), linear(Vector::Ones(1)), simplex(1, 3.0)), 4.5, 3.0);
}

TEST(Degenerate, OneRow) {
  // x1 + x2 = 1: x* = (1/2, 1/2).
  for (const ConvexSetPtr& domain : sets_around_zero(2)) {
    SCOPED_TRACE(domain->name());
    expect_certified(Problem(squared_norm(Vector::Zero(2)),
                             least_squares(dense_map(RowMajorMatrix{{1.0, 1.0}}), Vector::Ones(1)), domain),
                     0.25, 0.0);
  }
}

// The slope of g at the start is then rounding, or nothing: it must not become a multiplier.
TEST(Degenerate, StartAtAMinimiserOfTheLowerLevel) {
  const test::KnownProblem known = test::minimum_norm(10, 25, 10.0, 4);
  std::mt19937_64 random(9);
  for (const Vector& start : {known.solution, Vector(known.solution + 1e-13 * test::random_vector(25, random))})
    for (const ConvexSetPtr& domain : sets_around_zero(25)) {
      SCOPED_TRACE(domain->name());
      if (domain->violation(start) > 0.0) continue;
      const Problem problem(known.problem.upper(), known.problem.lower(), domain, start);
      for (const char* engine : {"auto", "quasi-newton", "accelerated", "bundle-level"}) {
        SCOPED_TRACE(engine);
        const Result result = solve(problem, {.values = {{"engine", engine}}, .limits = {.passes = 100'000}});
        EXPECT_EQ(to_string(result.status), "certified") << result.message;
      }
    }
}

TEST(Degenerate, AccuracyBeyondDoublePrecisionEndsSoon) {
  const test::KnownProblem known = test::cut_off_minimum_norm(20, 50, 10.0, 0.7, 3);
  for (const char* engine : {"quasi-newton", "newton", "accelerated", "bundle-level"}) {
    SCOPED_TRACE(engine);
    const Result result =
        solve(known.problem,
              {.values = {{"engine", engine}}, .accuracy = {1e-15, 1e-15}, .limits = {.iterations = 100'000}});
    EXPECT_NE(result.status, Status::iteration_limit) << result.message;
  }
}

TEST(Degenerate, DuplicateColumns) {
  const Eigen::MatrixXd half{{1.0, 2.0, -1.0}, {0.5, 0.0, 3.0}};
  Eigen::MatrixXd doubled(2, 6);
  doubled << half, half;
  const Vector b{{1.0, 2.0}};
  const Vector x = doubled.transpose() * (doubled * doubled.transpose()).inverse() * b;
  for (const ConvexSetPtr& domain : sets_around_zero(6)) {
    SCOPED_TRACE(domain->name());
    expect_certified(Problem(squared_norm(Vector::Zero(6)), least_squares(dense_map(doubled), b), domain),
                     0.5 * x.squaredNorm(), 0.0);
  }
}

// Rows scaled by s: g scales by s^2, and the accuracy asked of it with it.
TEST(Degenerate, DataOfAnyScale) {
  const test::KnownProblem known = test::minimum_norm(10, 25, 10.0, 4);
  for (double scale : {1e-6, 1e-3, 1e3, 1e6}) {
    SCOPED_TRACE(scale);
    const Problem scaled(known.problem.upper(), (scale * scale) * known.problem.lower(),
                         known.problem.domain_pointer());
    expect_certified(scaled, known.upper_optimum, 0.0, {1e-5, 1e-6 * scale * scale});
    const Problem tall((scale * scale) * known.problem.upper(), known.problem.lower(),
                       known.problem.domain_pointer());
    expect_certified(tall, scale * scale * known.upper_optimum, 0.0, {1e-5 * scale * scale, 1e-6});
  }
}

TEST(Degenerate, VariablesOfAnyScale) {
  const test::KnownProblem known = test::minimum_norm(10, 25, 10.0, 4);
  std::mt19937_64 random(4);
  const Eigen::MatrixXd a = test::random_matrix(10, 25, random);
  const Vector x = a.transpose() * (a * a.transpose()).inverse() * Vector::Ones(10);
  for (double scale : {1e-6, 1e6}) {
    SCOPED_TRACE(scale);  // columns scaled by s: x scales by 1/s, f by 1/s^2
    const double f = 0.5 * x.squaredNorm() / (scale * scale);
    const Problem problem(squared_norm(Vector::Zero(25)),
                          least_squares(dense_map(Eigen::MatrixXd(scale * a)), Vector::Ones(10)),
                          ball(Vector::Zero(25), 2.0 * x.norm() / scale));
    expect_certified(problem, f, 0.0, {1e-5 * f, 1e-6});
  }
}

TEST(Degenerate, AccuraciesFarApart) {
  const test::KnownProblem known = test::minimum_norm(10, 25, 10.0, 4);
  for (const Accuracy& accuracy : {Accuracy{1e-1, 1e-9}, Accuracy{1e-9, 1e-1}, Accuracy{1e-8, 1e-8}})
    expect_certified(known.problem, known.upper_optimum, 0.0, accuracy);
}

}  // namespace
}  // namespace fcbio
