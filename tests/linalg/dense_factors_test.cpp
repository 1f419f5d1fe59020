// Facades of Eigen's decompositions: what they promise, on matrices with and without full rank.
#include <gtest/gtest.h>

#include "linalg/pivoted_qr.hpp"
#include "linalg/samples.hpp"
#include "linalg/symmetric_solve.hpp"

namespace fcbio {
namespace {

template <class Real>
class DenseFactors : public testing::Test {};
using Reals = testing::Types<double, long double>;
TYPED_TEST_SUITE(DenseFactors, Reals);

// 60 columns: Eigen works in blocks from 48 on.
TYPED_TEST(DenseFactors, PivotsSpanTheOtherColumns) {
  using Real = TypeParam;
  using Matrix = typename PivotedQr<Real>::Matrix;
  for (const Index independent : {Index{3}, Index{60}}) {
    Matrix columns(80, independent + 2);
    columns.leftCols(independent) = samples::dense(80, independent, 1).template cast<Real>();
    columns.col(independent) = columns.col(0) + 2 * columns.col(1);
    columns.col(independent + 1) = -columns.col(2);
    PivotedQr<Real> factors(columns);
    const Index rank = factors.rank(static_cast<Real>(1e-12));
    ASSERT_EQ(rank, independent);

    Matrix pivots(80, rank), others(80, 2);
    for (Index k = 0; k < rank; ++k) pivots.col(k) = columns.col(factors.pivot(k));
    for (Index k = 0; k < 2; ++k) others.col(k) = columns.col(factors.pivot(rank + k));
    const Matrix basis = factors.basis(rank), triangle = factors.triangle(rank);
    const Matrix identity = Matrix::Identity(rank, rank);
    const auto small = static_cast<Real>(1e-9);
    EXPECT_LT((basis.transpose() * basis - identity).norm(), small);
    EXPECT_LT((basis * triangle - pivots).norm(), small);
    EXPECT_EQ(triangle(rank - 1, 0), 0);
    EXPECT_EQ(triangle(0, 0), factors.diagonal(0));
    EXPECT_LT((pivots * factors.dependences(rank) - others).norm(), small);
    EXPECT_LT((pivots.transpose() * factors.right_inverse(rank) - identity).norm(), small);

    const typename PivotedQr<Real>::Column right = samples::vector(rank, 2).template cast<Real>();
    typename PivotedQr<Real>::Column x = right;
    factors.solve_transposed(rank, x);
    EXPECT_LT((triangle.transpose() * x - right).norm(), small);
  }
}

TEST(RightInverse, TimesRowsIsTheIdentity) {
  const Eigen::MatrixXd rows = samples::dense(60, 80, 3);
  EXPECT_LT((rows * right_inverse(rows) - Eigen::MatrixXd::Identity(60, 60)).norm(), 1e-9);
}

TEST(MinimumNormSolver, IsLeastAmongTheSolutions) {
  Eigen::MatrixXd a = samples::dense(6, 9, 5);
  a.row(5) = a.row(0) + a.row(1);  // of rank 5 at the most
  const Vector known = Vector::LinSpaced(9, -1.0, 1.0), b = a * known;
  const Vector x = MinimumNormSolver(a).solve(b);
  EXPECT_LT((a * x - b).norm(), 1e-9);
  EXPECT_LT((a.transpose() * Vector(MinimumNormSolver(a.transpose()).solve(x)) - x).norm(),
            1e-9);  // x is in the rows
}

TEST(SolveSymmetric, ReadsTheLowerTriangle) {
  Eigen::MatrixXd matrix = samples::dense(12, 12, 4);
  matrix = (matrix + matrix.transpose()).eval();  // indefinite
  const Vector x = Vector::LinSpaced(12, -1.0, 1.0), right = matrix * x;
  matrix.triangularView<Eigen::StrictlyUpper>().setConstant(7.0);
  const std::optional<Vector> solved = solve_symmetric(matrix, right);
  ASSERT_TRUE(solved);
  EXPECT_LT((*solved - x).norm(), 1e-9);
}

}  // namespace
}  // namespace fcbio
