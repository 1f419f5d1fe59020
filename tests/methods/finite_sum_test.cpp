// fcbio-vr: component gradients against the number of rows and against the accuracy, on problems where the theorem of
// docs/theory.md is tight but for constants; what chance may change and what not; refusals.
#include <gtest/gtest.h>

#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "support/every_scale.hpp"
#include "support/runs.hpp"

namespace fcbio {
namespace {

Result solve_with(const Problem& problem, double eps, std::uint64_t seed) {
  return solve(problem,
               {.method = "fcbio-vr", .values = {{"seed", std::to_string(seed)}}, .accuracy = {eps, eps}});
}

/// Component gradients until certified, averaged over seeds: a pass is half of one for every row.
double components(Index rows, double eps) {
  constexpr std::uint64_t kSeeds = 6;
  constexpr Index kDimension = 32;
  double sum = 0.0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    std::mt19937_64 random(seed);
    const Function lower = test::mean_of_every_scale(rows, kDimension, 1e-7, random);
    const Vector upwards = test::random_vector(kDimension, random).normalized();
    const Problem problem(linear(upwards), lower, ball(Vector::Zero(kDimension), 1.0));
    const Result result = solve_with(problem, eps, seed);
    EXPECT_EQ(result.status, Status::certified) << rows << " rows, " << eps << ": " << result.message;
    sum += 0.5 * static_cast<double>(result.work.passes()) * static_cast<double>(rows);
  }
  return sum / static_cast<double>(kSeeds);
}

/// Told in the test's report too: docs/theory.md quotes it.
void expect_order(double order, double theory) {
  testing::Test::RecordProperty("order", std::to_string(order));
  EXPECT_NEAR(order, theory, 0.15);
}

TEST(FiniteSums, ComponentGradientsGrowLikeTheRootOfOneOverTheAccuracy) {
  std::vector<double> accuracies{1e-3, 1e-4, 1e-5, 1e-6}, work;
  for (const double eps : accuracies) work.push_back(components(128, eps));
  expect_order(test::fitted_order(accuracies, work), 0.5);
}

TEST(FiniteSums, ComponentGradientsGrowLikeTheRootOfTheRowsWhereTheAccuracyCountsMore) {
  std::vector<double> rows{256, 512, 1024, 2048, 4096}, work;
  for (const double m : rows) work.push_back(components(static_cast<Index>(m), 1e-6));
  expect_order(-test::fitted_order(rows, work), 0.5);
}

TEST(FiniteSums, AFewPassesAreEnoughWhereThereAreManyRows) {
  std::vector<double> rows{8192, 16384, 32768, 65536}, work;
  for (const double m : rows) work.push_back(components(static_cast<Index>(m), 1e-2));
  expect_order(-test::fitted_order(rows, work), 1.0);
  EXPECT_LE(work.back(), 30.0 * rows.back());
}

TEST(FiniteSums, ChanceChangesTheRunAndNotTheClaims) {
  const test::KnownProblem known = test::minimum_norm(30, 60, 30.0, 3);
  std::vector<Vector> points;
  for (const std::uint64_t seed : {1, 2, 2}) {
    const Result result = solve_with(known.problem, 1e-4, seed);
    ASSERT_EQ(result.status, Status::certified) << result.message;
    EXPECT_LE(result.upper_value - known.upper_optimum, *result.certificate.upper_excess + 1e-12);
    EXPECT_LE(result.lower_value - known.lower_optimum, *result.certificate.lower_gap + 1e-12);
    EXPECT_LE(*result.certificate.lower_lower_bound, known.lower_optimum);
    EXPECT_LE(*result.certificate.upper_lower_bound, known.upper_optimum);
    points.push_back(result.x);
  }
  EXPECT_NE(points[0], points[1]);
  EXPECT_EQ(points[1], points[2]);
}

TEST(FiniteSums, RowsOfBothLevelsOnEverySetAndSparseData) {
  std::mt19937_64 random(4);
  const Index n = 12;
  const auto labels = [&](Index rows) {
    return Vector::NullaryExpr(rows, [&] { return random() % 2 == 0 ? 1.0 : -1.0; }).eval();
  };
  CsrMatrix sparse{300, n, {0}, {}, {}};
  for (Index row = 0; row < sparse.rows; ++row) {
    for (std::int32_t column = 0; column < n; ++column) {
      if (row % 7 == 0 || random() % 3 != 0) continue;  // some rows are empty
      sparse.columns.push_back(column);
      sparse.values.push_back(test::random_vector(1, random)[0]);
    }
    sparse.starts.push_back(sparse.nonzeros());
  }
  const Function upper =
      (1.0 / 80.0) * squared_hinge(dense_map(test::random_matrix(80, n, random)), labels(80)) +
      0.1 * huber(dense_map(test::random_matrix(20, n, random)), test::random_vector(20, random), 0.5);
  const Function lower =
      (1.0 / 300.0) * logistic(sparse_map(sparse), labels(300)) + linear(Vector::Constant(n, 0.01));
  for (const ConvexSetPtr& domain : {ball(Vector::Zero(n), 2.0), box(Vector::Constant(n, -1.0), Vector::Ones(n)),
                                     simplex(n, 1.0), l1_ball(Vector::Zero(n), 2.0), nonnegative_ball(n, 1.0)}) {
    const Result result = solve_with(Problem(upper, lower, domain), 1e-3, 1);
    EXPECT_EQ(result.status, Status::certified) << domain->name() << ": " << result.message;
    const Result by_default = solve(Problem(upper, lower, domain), {.accuracy = {1e-6, 1e-6}});
    EXPECT_LE(*result.certificate.upper_lower_bound, by_default.upper_value + 1e-6) << domain->name();
    EXPECT_LE(*result.certificate.lower_lower_bound, by_default.lower_value) << domain->name();
  }
}

TEST(FiniteSums, SaysWhatIsNotASumOverRows) {
  const auto refusal = [](const Function& upper, const Function& lower) {
    try {
      solve(Problem(upper, lower, ball(Vector::Zero(2), 1.0)), {.method = "fcbio-vr"});
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const RowMajorMatrix data = RowMajorMatrix::Identity(2, 2);
  const Function rows = least_squares(dense_map(data), Vector::Ones(2));
  EXPECT_NE(refusal(l1_norm(Vector::Zero(2)), rows).find("'l1-norm' is not a sum over rows"), std::string::npos);
  EXPECT_NE(refusal(hinge(dense_map(data), Vector::Ones(2)), rows).find("'hinge' is not smooth"),
            std::string::npos);
  EXPECT_NE(refusal(rows, linear(Vector::Ones(2))).find("has no rows of data"), std::string::npos);
  EXPECT_NE(refusal(log_sum_exp(dense_map(data), Vector::Ones(2)), rows).find("is not a sum over rows"),
            std::string::npos);
}

}  // namespace
}  // namespace fcbio
