// Which engines have a turn, by default, where several may.
#include <gtest/gtest.h>

#include "fcbio/method.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

Result solved(const Problem& problem, double eps) {
  SolveOptions options{.accuracy = {eps, eps}};
  options.certified.refine = 0.0;
  Result result = solve(problem, options);
  EXPECT_EQ(result.status, Status::certified) << result.message;
  return result;
}

TEST(Turns, FirstOrderStepsAndThenTheInteriorPointWhereTheAccuracyAsksForIt) {
  const Problem problem = test::pair_on_product(1e7);
  EXPECT_EQ(solved(problem, 1e-1).engine, "accelerated");
  EXPECT_EQ(solved(problem, 1e-8).engine, "accelerated, then interior-point");
}

/// The l1 norm above a logistic loss on a nonnegative ball.
Problem under_l1_norm(Index rows, Index n) {
  std::mt19937_64 random(5);
  Vector labels(rows);
  for (Index i = 0; i < rows; ++i) labels[i] = i % 3 == 0 ? 1.0 : -1.0;
  return Problem(l1_norm(Vector::Zero(n)),
                 1.0 / static_cast<double>(rows) *
                     logistic(dense_map(test::random_matrix(rows, n, random)), std::move(labels)),
                 nonnegative_ball(n, 1.0));
}

// Where a pass takes longer than all that cutting planes do besides, they have a first look, and it is not long.
TEST(Turns, CuttingPlanesLookFirstWherePassesAreDear) {
  const Result few = solved(under_l1_norm(200, 50), 1e-2);
  EXPECT_EQ(few.engine.find("bundle"), std::string::npos) << few.engine;
  const Result many = solved(under_l1_norm(8000, 520), 1e-2);
  EXPECT_EQ(many.engine, "bundle-level");
  EXPECT_LE(many.work.passes(), 100);
}

}  // namespace
}  // namespace fcbio
