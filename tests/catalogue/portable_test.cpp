// The plain-loop linear algebra against Eigen's, and against the conditions that define the results.
#include "catalogue/portable.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "catalogue/random.hpp"

namespace fcbio::catalogue {
namespace {

RowMajorMatrix random_matrix(Index rows, Index cols, Random& random) {
  RowMajorMatrix matrix(rows, cols);
  for (Index i = 0; i < rows; ++i) matrix.row(i) = random.normal_vector(cols).transpose();
  return matrix;
}

TEST(Portable, ProductsAgreeWithEigen) {
  Random random(1);
  const RowMajorMatrix matrix = random_matrix(7, 11, random);
  const Vector x = random.normal_vector(11);
  const Vector y = random.normal_vector(7);
  EXPECT_LT((times(matrix, x) - matrix * x).norm(), 1e-13);
  EXPECT_LT((times_transpose(matrix, y) - matrix.transpose() * y).norm(), 1e-13);
  EXPECT_NEAR(dot(x, x), x.squaredNorm(), 1e-13);
}

TEST(Portable, RowFactorsMultiplyBackAndAreOrthonormal) {
  Random random(2);
  RowMajorMatrix matrix = random_matrix(20, 30, random);
  matrix.row(5) = matrix.row(4) + 1e-7 * matrix.row(5);  // nearly dependent: needs the second pass
  const RowFactors factors = orthonormal_rows(matrix);
  EXPECT_LT((factors.lower * factors.rows - matrix).norm(), 1e-12);
  EXPECT_LT((factors.rows * factors.rows.transpose() - Eigen::MatrixXd::Identity(20, 20)).norm(), 1e-13);
  EXPECT_TRUE(factors.lower.isLowerTriangular());
}

TEST(Portable, SmallestSolutionIsThePseudoInverse) {
  Random random(3);
  const RowMajorMatrix matrix = random_matrix(12, 25, random);
  const Vector b = random.normal_vector(12);
  const Vector reference = Eigen::MatrixXd(matrix).completeOrthogonalDecomposition().solve(b);
  EXPECT_LT((smallest_solution(matrix, b) - reference).norm(), 1e-12);
}

TEST(Portable, NearestOnSimplexMeetsItsOptimalityConditions) {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + static_cast<Index>(random.below(12));
    const double total = random.uniform(0.1, 3.0);
    const Vector point = 2.0 * random.normal_vector(n);
    const Vector x = nearest_on_simplex(point, total);
    ASSERT_GE(x.minCoeff(), 0.0);
    ASSERT_NEAR(x.sum(), total, 1e-12);
    // <point - x, z - x> <= 0 at every vertex z = total e_j.
    const Vector residual = point - x;
    ASSERT_LE(total * residual.maxCoeff() - residual.dot(x), 1e-11);
  }
}

}  // namespace
}  // namespace fcbio::catalogue
