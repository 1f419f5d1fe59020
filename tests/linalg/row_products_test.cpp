// Products of matrices and the Cholesky factor against naive ones; the same bits with and without AVX2 and for any
// number of threads; and a watch that stops them.
#include "linalg/row_products.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "fcbio/threads.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/samples.hpp"
#include "linalg/sparse_gram.hpp"
#include "support/both_versions.hpp"

namespace fcbio {
namespace {

RowMajorMatrix matrix(Index rows, Index cols, std::uint64_t seed) { return samples::dense(rows, cols, seed); }
RowBlock block(const RowMajorMatrix& m) { return {m.data(), m.rows(), m.cols(), m.cols()}; }

TEST(RowProducts, MatchNaiveOnesForAllShapes) {
  for (Index rows : {1, 2, 5, 9, 37, 300})
    for (Index others : {1, 3, 8, 37, 530})
      for (Index cols : {1, 4, 7, 600}) {
        const RowMajorMatrix a = matrix(rows, cols, 3), b = matrix(others, cols, 4);
        RowMajorMatrix out = RowMajorMatrix::Constant(rows, others + 2, 7.0);
        ASSERT_TRUE(add_row_products(block(a), block(b), -2.0, false, out.data(), out.cols()));
        const RowMajorMatrix expected = RowMajorMatrix::Constant(rows, others, 7.0) - 2.0 * a * b.transpose();
        EXPECT_LT((out.leftCols(others) - expected).cwiseAbs().maxCoeff(), 1e-11);
        EXPECT_EQ(out.rightCols(2), RowMajorMatrix::Constant(rows, 2, 7.0));
      }
}

void expect_lower(const RowMajorMatrix& found, const RowMajorMatrix& expected) {
  for (Index i = 0; i < found.rows(); ++i)
    for (Index j = 0; j < found.cols(); ++j) ASSERT_NEAR(found(i, j), j <= i ? expected(i, j) : 0.0, 1e-10);
}

TEST(RowProducts, LowerTrianglesWithAndWithoutWeights) {
  for (Index rows : {1, 2, 5, 9, 31, 32, 33, 150})
    for (Index cols : {1, 4, 7, 300}) {
      const RowMajorMatrix a = matrix(rows, cols, 5);
      const Vector by_column = samples::vector(cols, 6), by_row = samples::vector(rows, 7);
      RowMajorMatrix out = RowMajorMatrix::Zero(rows, rows);
      ASSERT_TRUE(add_row_products(block(a), block(a), 1.0, true, out.data(), rows));
      expect_lower(out, a * a.transpose());
      out.setZero();
      ASSERT_TRUE(add_weighted_row_products(block(a), block(a), by_column.data(), true, out.data(), rows));
      expect_lower(out, a * by_column.asDiagonal() * a.transpose());
      RowMajorMatrix gram = RowMajorMatrix::Zero(cols, cols);
      ASSERT_TRUE(add_weighted_gram(block(a), by_row.data(), gram.data(), cols));
      expect_lower(gram, a.transpose() * by_row.asDiagonal() * a);
    }
}

TEST(RowProducts, ReadOnlyTheirBlock) {
  const RowMajorMatrix whole = matrix(40, 50, 8);
  const RowMajorMatrix a = whole.block(3, 5, 21, 30);
  RowMajorMatrix out = RowMajorMatrix::Zero(30, 30), other = out;
  const Vector weights = samples::vector(21, 9);
  add_weighted_gram({whole.data() + 3 * 50 + 5, 21, 30, 50}, weights.data(), out.data(), 30);
  add_weighted_gram(block(a), weights.data(), other.data(), 30);
  EXPECT_EQ(out, other);
}

TEST(RowProducts, GiveTheSameBitsWithAndWithoutAvx2) {
  for (const Index cols : {1, 4, 7, 600}) {
    const RowMajorMatrix a = matrix(37, cols, 10), b = matrix(11, cols, 11);
    const Vector weights = samples::vector(37, 12);
    expect_same_bits_with_and_without_avx2([&] {
      RowMajorMatrix out = RowMajorMatrix::Zero(37, 11);
      add_row_products(block(a), block(b), -2.0, false, out.data(), 11);
      return out;
    });
    expect_same_bits_with_and_without_avx2([&] {
      RowMajorMatrix out = RowMajorMatrix::Zero(cols, cols);
      add_weighted_gram(block(a), weights.data(), out.data(), cols);
      return out;
    });
  }
}

TEST(RowProducts, AndTheFactorGiveTheSameBitsForAnyNumberOfThreads) {
  const Index n = 500;
  const RowMajorMatrix a = matrix(600, n, 13);
  const Vector weights = samples::vector(600, 14).cwiseAbs();
  RowMajorMatrix gram, factor;
  for (int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    Cholesky cholesky(n);
    RowMajorMatrix out = RowMajorMatrix::Zero(n, n);
    ASSERT_TRUE(add_weighted_gram(block(a), weights.data(), out.data(), n));
    cholesky.matrix() = out;
    cholesky.matrix().diagonal().array() += 1.0;
    ASSERT_TRUE(cholesky.factor(n));
    if (threads == 1) gram = out, factor = cholesky.matrix();
    EXPECT_EQ(out, gram);
    EXPECT_EQ(cholesky.matrix(), factor);
  }
}

TEST(RowProducts, StopWhenTold) {
  const RowMajorMatrix a = matrix(600, 600, 15);
  RowMajorMatrix out = RowMajorMatrix::Zero(600, 600);
  OperationBudget little(1e6), enough(1e12);
  EXPECT_FALSE(add_row_products(block(a), block(a), 1.0, true, out.data(), 600, &little));
  EXPECT_TRUE(add_row_products(block(a), block(a), 1.0, true, out.data(), 600, &enough));
  Cholesky cholesky(600);
  cholesky.matrix().setIdentity();
  EXPECT_FALSE(cholesky.factor(600, &little));
  const SparseGram gram(samples::csr(samples::thinned(2000, 600, 0.5, 16)));
  out.setZero();
  const Vector weights = Vector::Ones(2000);
  OperationBudget again(1e6);
  EXPECT_FALSE(gram.add_weighted(weights.data(), out.data(), 600, &again));
}

TEST(SparseGram, MatchesTheDenseOneForAnyNumberOfThreads) {
  for (double density : {0.0, 0.05, 0.4, 1.0}) {
    const Eigen::MatrixXd dense = samples::thinned(900, 120, density, 17);
    const Vector weights = samples::vector(900, 18);
    const LinearMapPtr map = sparse_map(samples::csr(dense));
    ASSERT_TRUE(map->copy_sparse_rows(nullptr));
    CsrMatrix copy;
    ASSERT_TRUE(map->copy_sparse_rows(&copy));
    ASSERT_EQ(copy.cols, 120);
    const SparseGram gram(copy);
    double operations = 0.0;
    for (Index i = 0; i < 900; ++i) {
      const auto k = static_cast<double>((dense.row(i).array() != 0.0).count());
      operations += k * (k + 1.0);
    }
    EXPECT_EQ(gram.operations(), operations);
    RowMajorMatrix first;
    for (int threads : {1, 3}) {
      const ThreadScope scope(threads);
      RowMajorMatrix out = RowMajorMatrix::Zero(120, 120);
      ASSERT_TRUE(gram.add_weighted(weights.data(), out.data(), 120));
      expect_lower(out, dense.transpose() * weights.asDiagonal() * dense);
      if (threads == 1) first = out;
      EXPECT_EQ(out, first);
    }
  }
}

TEST(SparseGram, EmptyColumnsKeepTheirPlaces) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(30, 40);  // most columns are empty: the map leaves them out
  for (Index j = 1; j < 40; j += 7) dense.col(j) = samples::vector(30, static_cast<std::uint64_t>(j));
  CsrMatrix copy;
  ASSERT_TRUE(sparse_map(samples::csr(dense))->copy_sparse_rows(&copy));
  EXPECT_EQ(copy.cols, 40);
  Eigen::MatrixXd found = Eigen::MatrixXd::Zero(30, 40);
  for (Index i = 0; i < 30; ++i)
    for (auto k = copy.starts[static_cast<std::size_t>(i)]; k < copy.starts[static_cast<std::size_t>(i) + 1]; ++k)
      found(i, copy.columns[static_cast<std::size_t>(k)]) = copy.values[static_cast<std::size_t>(k)];
  EXPECT_EQ(found, dense);
  EXPECT_FALSE(dense_map(dense)->copy_sparse_rows(nullptr));
}

TEST(Cholesky, SolvesAndRefuses) {
  Cholesky cholesky(300);
  for (Index n : {1, 2, 31, 32, 33, 64, 100, 127, 129, 300}) {
    const Eigen::MatrixXd b = samples::dense(n, n + 3, 19), a = b * b.transpose();
    cholesky.matrix().topLeftCorner(n, n) = a;
    ASSERT_TRUE(cholesky.factor(n)) << n;
    const Vector right = samples::vector(n, 20);
    Vector x = right, half = right;
    cholesky.solve(x);
    cholesky.solve_lower(half);
    EXPECT_LT((a * x - right).norm(), 1e-9 * (1.0 + a.norm() * x.norm()));
    EXPECT_NEAR(half.squaredNorm(), right.dot(a.ldlt().solve(right)), 1e-8 * half.squaredNorm());
    cholesky.matrix().topLeftCorner(n, n) = a;
    cholesky.matrix()(n - 1, n - 1) = -1.0;
    EXPECT_FALSE(cholesky.factor(n)) << n;
    cholesky.matrix().topLeftCorner(n, n).setConstant(std::numeric_limits<double>::quiet_NaN());
    EXPECT_FALSE(cholesky.factor(n)) << n;
  }
}

}  // namespace
}  // namespace fcbio
