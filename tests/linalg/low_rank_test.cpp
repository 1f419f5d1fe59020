// The randomised range finder and the banded Cholesky factor.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "fcbio/threads.hpp"
#include "linalg/banded_cholesky.hpp"
#include "linalg/range_finder.hpp"
#include "linalg/row_products.hpp"
#include "linalg/samples.hpp"

namespace fcbio {
namespace {

Eigen::MatrixXd decaying(Index rows, Index cols, double power) {
  Vector singular(std::min(rows, cols));
  for (Index i = 0; i < singular.size(); ++i) singular[i] = 3.0 * std::pow(static_cast<double>(i + 1), -power);
  return samples::with_spectrum(rows, cols, singular, 17);
}

TEST(RangeFinder, ProjectsEveryStorageAndLeavesWhatItSays) {
  const Eigen::MatrixXd data = decaying(70, 50, 3.0);
  for (const samples::Storage storage : samples::kStorages) {
    const LinearMapPtr map = samples::map(storage, data);
    RangeFinder finder(*map, 5);
    double before = kInfinity;
    for (const Index rank : {8, 12, 24}) {
      ASSERT_TRUE(finder.grow(rank, nullptr));
      ASSERT_EQ(finder.rank(), rank);
      const RowMajorMatrix image = finder.image().topRows(rank);
      const Eigen::MatrixXd left = data.transpose() * data - image.transpose() * image;
      const Vector spectrum = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(left).eigenvalues();
      EXPECT_GT(spectrum[0], -1e-12);  // B'B <= M'M
      EXPECT_LT(spectrum.sum(), before);
      EXPECT_NEAR(finder.residual(), spectrum.sum(), 1e-12 * data.squaredNorm()) << rank << " " << name(storage);
      const Vector all = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(data.transpose() * data).eigenvalues();
      EXPECT_LT(spectrum.sum(), 20.0 * all.head(50 - rank).sum());  // not far from the best of this rank
      before = spectrum.sum();
    }
    EXPECT_FALSE(finder.is_complete());
  }
}

TEST(RangeFinder, EndsAtTheRankOfTheData) {
  const Eigen::MatrixXd data = samples::dense(40, 6, 1) * samples::dense(6, 30, 2);
  const LinearMapPtr map = dense_map(RowMajorMatrix(data));
  RangeFinder finder(*map, 1);
  ASSERT_TRUE(finder.grow(20, nullptr));
  EXPECT_TRUE(finder.is_complete());
  EXPECT_EQ(finder.rank(), 6);
  EXPECT_EQ(finder.residual(), 0.0);
  const RowMajorMatrix image = finder.image().topRows(6);
  EXPECT_LT((data.transpose() * data - image.transpose() * image).norm(), 1e-10 * data.squaredNorm());

  const LinearMapPtr nothing = dense_map(RowMajorMatrix(RowMajorMatrix::Zero(5, 4)));
  RangeFinder empty(*nothing, 1);
  ASSERT_TRUE(empty.grow(3, nullptr));
  EXPECT_TRUE(empty.is_complete());
  EXPECT_EQ(empty.rank(), 0);
}

TEST(RangeFinder, SameBitsForAnyThreadsAndAnySteps) {
  const LinearMapPtr map = dense_map(RowMajorMatrix(decaying(300, 200, 2.0)));
  const auto found = [&](int threads, const std::vector<Index>& ranks) {
    const ThreadScope scope(threads);
    RangeFinder finder(*map, 9);
    for (Index rank : ranks) EXPECT_TRUE(finder.grow(rank, nullptr));
    return RowMajorMatrix(finder.image().topRows(finder.rank()));
  };
  const RowMajorMatrix once = found(1, {24});
  EXPECT_EQ(once, found(3, {24}));
  EXPECT_EQ(once, found(1, {8, 16, 24}));
}

TEST(RangeFinder, AWatchStopsIt) {
  const LinearMapPtr map = dense_map(RowMajorMatrix(decaying(300, 200, 2.0)));
  RangeFinder finder(*map, 9);
  OperationBudget none(10.0), some(1.2e6);
  EXPECT_FALSE(finder.grow(16, &none));
  EXPECT_EQ(finder.rank(), 0);
  EXPECT_FALSE(finder.grow(16, &some));
  EXPECT_TRUE(finder.grow(16, nullptr));
  EXPECT_EQ(finder.rank(), 16);
}

TEST(RowProducts, MatricesTimesMatrices) {
  for (Index rows : {1, 5, 37})
    for (Index inner : {1, 7, 300})
      for (Index cols : {1, 9, 530}) {
        const RowMajorMatrix a = samples::dense(rows, inner, 3), b = samples::dense(inner, cols, 4);
        RowMajorMatrix out = RowMajorMatrix::Constant(rows, cols, 2.0);
        ASSERT_TRUE(
            add_matrix_products({a.data(), rows, inner, inner}, {b.data(), inner, cols, cols}, out.data(), cols));
        EXPECT_LT((out - (RowMajorMatrix::Constant(rows, cols, 2.0) + a * b)).cwiseAbs().maxCoeff(), 1e-11);
      }
}

TEST(BandedCholesky, SolvesAsADenseOne) {
  for (const Index n : {1, 2, 5, 40})
    for (const Index band : {0, 1, 3}) {
      RowMajorMatrix half = RowMajorMatrix::Zero(n, n);
      const Eigen::MatrixXd numbers = samples::dense(n, n, 8);
      for (Index i = 0; i < n; ++i)
        for (Index j = std::max<Index>(0, i - band); j <= i; ++j)
          half(i, j) = numbers(i, j) + (i == j ? 3.0 : 0.0);
      const Eigen::MatrixXd dense = half * half.transpose();
      BandedCholesky cholesky(n, band);
      for (Index i = 0; i < n; ++i)
        for (Index d = 0; d <= band; ++d)
          cholesky.matrix()(i, d) = d <= i ? dense(i, i - d) : 7e7;  // not looked at
      ASSERT_TRUE(cholesky.factor());
      const Vector right = samples::vector(n, 2);
      Vector x = right;
      cholesky.solve_lower(VectorOut(x));
      RowMajorMatrix columns(n, 2);
      columns << right, 2.0 * right;
      cholesky.solve_lower(columns);
      EXPECT_LT((columns.col(1) - 2.0 * x).norm(), 1e-12);
      cholesky.solve_upper(x);
      EXPECT_LT((dense * x - right).norm(), 1e-9 * right.norm());
    }
  BandedCholesky indefinite(2, 1);
  indefinite.matrix() << 1.0, 0.0, 1.0, 2.0;
  EXPECT_FALSE(indefinite.factor());
}

}  // namespace
}  // namespace fcbio
