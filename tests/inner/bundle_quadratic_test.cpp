// The nonnegative quadratic programme of the bundle against its optimality conditions and a naive twin.
#include "inner/bundle_quadratic.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/problems.hpp"

namespace fcbio {
namespace {

struct Programme {
  Eigen::MatrixXd gram;
  Vector linear;
};

// Unit vectors in a space of `rank` dimensions: singular where there are more of them than that.
Programme random_programme(Index size, Index rank, std::mt19937_64& random) {
  Eigen::MatrixXd rows = test::random_matrix(size, rank, random);
  rows.rowwise().normalize();
  return {rows * rows.transpose(), test::random_vector(size, random)};
}

double value(const Programme& programme, const Vector& v) {
  return 0.5 * v.dot(programme.gram * v) - programme.linear.dot(v);
}

// Projected gradient, many steps.
Vector naive_solution(const Programme& programme, int steps) {
  Vector v = Vector::Zero(programme.linear.size());
  const double length = 1.0 / programme.gram.trace();
  for (int k = 0; k < steps; ++k) v = (v - length * (programme.gram * v - programme.linear)).cwiseMax(0.0);
  return v;
}

RC_GTEST_PROP(NonnegativeQuadratic, SolvesRegularProgrammesLikeTheNaiveTwin, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  const Index size = *rc::gen::inRange<Index>(1, 7);
  const Programme programme = random_programme(size, size + 3, random);
  NonnegativeQuadratic solver(size);
  Vector v = Vector::Zero(size);
  solver.solve(programme.gram, programme.linear, size, v);
  RC_ASSERT(v.minCoeff() >= 0.0);
  const Vector residual = programme.linear - programme.gram * v;
  for (Index i = 0; i < size; ++i) RC_ASSERT((v[i] > 0.0 ? std::abs(residual[i]) : residual[i]) <= 1e-9);
  const Vector naive = naive_solution(programme, 3000);
  RC_ASSERT(value(programme, v) <= value(programme, naive) + 1e-10);
}

RC_GTEST_PROP(NonnegativeQuadratic, GoesOnFromAnyStartAndFromItsLastFactor, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  const Index size = *rc::gen::inRange<Index>(2, 30);
  Programme programme = random_programme(size, size + 5, random);
  NonnegativeQuadratic solver(size), fresh(size);
  Vector v = test::random_vector(size, random).cwiseMax(0.0);
  for (int change = 0; change < 6; ++change) {
    // Fewer cuts than before, too: the factor must forget those.
    const Index used = change == 3 ? size - 1 : size;
    solver.solve(programme.gram, programme.linear, used, v, change > 0);
    Vector from_zero = Vector::Zero(size);
    fresh.solve(programme.gram, programme.linear, used, from_zero);
    RC_ASSERT((v.head(used) - from_zero.head(used)).norm() <= 1e-7 * (1.0 + from_zero.norm()));
    v[size - 1] = change == 3 ? 0.0 : v[size - 1];
    programme.linear += 0.5 * test::random_vector(size, random);
  }
}

TEST(NonnegativeQuadratic, SurvivesDuplicatesAndSingularMatrices) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 50; ++round) {
    Programme programme = random_programme(12, 4, random);
    programme.linear = programme.gram * test::random_vector(12, random);  // in the range: a minimum exists
    programme.gram.col(1) = programme.gram.col(0);
    programme.gram.row(1) = programme.gram.row(0);
    programme.gram(1, 1) = programme.gram(0, 0);
    programme.linear[1] = programme.linear[0];
    NonnegativeQuadratic solver(12);
    Vector v = Vector::Zero(12);
    solver.solve(programme.gram, programme.linear, 12, v);
    ASSERT_TRUE(v.allFinite());
    EXPECT_GE(v.minCoeff(), 0.0);
    EXPECT_LE(value(programme, v), value(programme, naive_solution(programme, 20000)) + 1e-6);
  }
}

TEST(NonnegativeQuadratic, AnswersZeroWhenNothingIsViolated) {
  NonnegativeQuadratic solver(3);
  Vector v = Vector::Ones(3);
  solver.solve(Eigen::MatrixXd::Identity(3, 3), Vector::Constant(3, -1.0), 3, v);
  EXPECT_EQ(v, Vector::Zero(3));
  EXPECT_EQ(solver.active(), 0);
}

}  // namespace
}  // namespace fcbio
