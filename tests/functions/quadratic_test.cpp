// Quadratic forms: symmetric and positive semidefinite Q only, in every range of sizes, with the defect named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "fcbio/eigen_sparse.hpp"
#include "fcbio/error.hpp"
#include "functions/cases.hpp"
#include "support/refusal.hpp"

namespace fcbio::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Tridiagonal -1 2 -1 (positive definite), as sparse data.
CsrMatrix chain(Index n) {
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(n, n);
  for (Index i = 0; i < n; ++i) {
    matrix.insert(i, i) = 2.0;
    if (i > 0) matrix.insert(i, i - 1) = -1.0;
    if (i + 1 < n) matrix.insert(i, i + 1) = -1.0;
  }
  return to_csr(matrix);
}

std::size_t position(const CsrMatrix& q, Index row, Index column) {
  for (auto k = q.starts[static_cast<std::size_t>(row)]; k < q.starts[static_cast<std::size_t>(row) + 1]; ++k) {
    if (q.columns[static_cast<std::size_t>(k)] == column) return static_cast<std::size_t>(k);
  }
  throw std::logic_error("no such entry");
}

TEST(Quadratic, RefusesAsymmetryWithTheEntry) {
  RowMajorMatrix q = RowMajorMatrix::Identity(4, 4);
  q(1, 3) = 0.5;
  q(3, 1) = 0.25;
  const auto text = AllOf(HasSubstr("quadratic: expected a symmetric matrix"), HasSubstr("0.5 at (1, 3)"),
                          HasSubstr("0.25 at (3, 1)"), HasSubstr("(Q + Q')/2"));
  EXPECT_THAT(refusal([&] { quadratic_term(q, Vector::Zero(4)); }), text);
  EXPECT_THAT(refusal([&] { quadratic_term(csr_of(q), Vector::Zero(4)); }), text);
  q(3, 1) = 0.0;  // not stored at all
  EXPECT_THAT(refusal([&] { quadratic_term(csr_of(q), Vector::Zero(4)); }), HasSubstr("0 at (3, 1)"));
}

TEST(Quadratic, AcceptsAsymmetryAtRoundingAndEvensItOut) {
  RowMajorMatrix q = 2.0 * RowMajorMatrix::Identity(3, 3);
  q(0, 2) = 1.0;
  q(2, 0) = 1.0 + 1e-13;
  for (const TermPtr& term : {quadratic_term(q, Vector::Zero(3)), quadratic_term(csr_of(q), Vector::Zero(3))}) {
    Vector first(3), last(3);
    term->image(Vector::Unit(3, 0), first);
    term->image(Vector::Unit(3, 2), last);
    EXPECT_EQ(first[2], last[0]);
    EXPECT_NEAR(first[2], 1.0 + 5e-14, 1e-15);
  }
}

TEST(Quadratic, RefusesNegativeCurvatureWithTheEigenvalue) {
  RowMajorMatrix q = RowMajorMatrix::Identity(2, 2);
  q(0, 1) = q(1, 0) = 1.5;  // eigenvalues -0.5 and 2.5
  const auto text = AllOf(HasSubstr("positive semidefinite"), HasSubstr("the negative curvature -0.5"),
                          HasSubstr("smallest eigenvalue"), HasSubstr("not convex"));
  EXPECT_THAT(refusal([&] { quadratic_term(q, Vector::Zero(2)); }), text);
  EXPECT_THAT(refusal([&] { quadratic_term(csr_of(q), Vector::Zero(2)); }), text);
}

TEST(Quadratic, SingularMatricesAreAcceptedInEverySize) {
  Random random(91);
  for (const Index n : {1, 3, 60, 500, 501, 700}) {
    const RowMajorMatrix q = random_semidefinite(random, n, std::max<Index>(1, std::min<Index>(n / 2, 20)));
    EXPECT_NO_THROW(quadratic_term(q, Vector::Zero(n))) << n;
  }
  EXPECT_NO_THROW(quadratic_term(RowMajorMatrix::Zero(5, 5), Vector::Zero(5)));
  EXPECT_NO_THROW(quadratic_term(chain(5000), Vector::Zero(5000)));
}

TEST(Quadratic, FindsNegativeCurvatureInEverySize) {
  for (const Index n : {400, 600, 2500}) {  // all eigenvalues, Cholesky, beyond
    CsrMatrix q = chain(n);
    q.values[position(q, n / 2, n / 2)] = -0.001;
    EXPECT_THAT(refusal([&] { quadratic_term(q, Vector::Zero(n)); }), HasSubstr("the negative curvature -")) << n;
    // Every 2 x 2 block is fine here, and the smallest eigenvalue is near -0.2 all the same.
    q = chain(n);
    for (Index i = 0; i < n; ++i) q.values[position(q, i, i)] = 1.8;
    EXPECT_THAT(refusal([&] { quadratic_term(q, Vector::Zero(n)); }), HasSubstr("the negative curvature -0."))
        << n;
  }
}

TEST(Quadratic, RefusesADefectInOneBlockOfALargeMatrix) {
  const Index n = 3000;
  CsrMatrix q = chain(n);
  q.values[position(q, 7, 8)] = q.values[position(q, 8, 7)] = -2.5;
  EXPECT_THAT(refusal([&] { quadratic_term(q, Vector::Zero(n)); }),
              AllOf(HasSubstr("curvature -0.5"), HasSubstr("variables 7 and 8")));
}

TEST(Quadratic, RefusesWrongShapesAndNumbers) {
  EXPECT_THAT(refusal([] { quadratic_term(RowMajorMatrix::Zero(2, 3), Vector::Zero(3)); }), HasSubstr("2 x 3"));
  EXPECT_THAT(refusal([] { quadratic_term(RowMajorMatrix::Identity(3, 3), Vector::Zero(2)); }),
              AllOf(HasSubstr("2 x 2"), HasSubstr("3 x 3")));
  EXPECT_THAT(refusal([] { quadratic_term(RowMajorMatrix::Identity(2, 2), Vector::Zero(2), NAN); }),
              HasSubstr("a finite constant"));
  EXPECT_THAT(refusal([] { quadratic_term(RowMajorMatrix::Constant(2, 2, NAN), Vector::Zero(2)); }),
              HasSubstr("finite"));
  EXPECT_THAT(refusal([] { quadratic_term(RowMajorMatrix::Identity(2, 2), Vector::Constant(2, kInfinity)); }),
              HasSubstr("finite coefficients"));
}

TEST(Quadratic, StrongConvexityIsTheSmallestEigenvalueAndNeverMore) {
  Random random(92);
  for (int trial = 0; trial < 10; ++trial) {
    const RowMajorMatrix q = random_semidefinite(random, 8, 12);
    const double smallest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(q).eigenvalues()[0];
    const TermPtr term = quadratic_term(q, Vector::Zero(8));
    EXPECT_NEAR(term->strong_convexity(), smallest, 1e-12);
    EXPECT_LE(term->strong_convexity(), smallest);
    EXPECT_EQ(term->exact_curvature(), 0.0);
  }
  EXPECT_EQ(quadratic_term(random_semidefinite(random, 8, 3), Vector::Zero(8))->strong_convexity(), 0.0);
}

TEST(Quadratic, SmoothnessBoundsTheLargestEigenvalue) {
  Random random(93);
  const RowMajorMatrix q = random_semidefinite(random, 15, 15);
  const double largest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(q).eigenvalues()[14];
  const double bound = *quadratic_term(q, Vector::Zero(15))->smoothness().value;
  EXPECT_GE(bound, largest * (1 - 1e-12));
  EXPECT_LE(bound, 2 * largest);
}

}  // namespace
}  // namespace fcbio::test
