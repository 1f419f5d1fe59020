// Maps over memory of somebody else's: the bits of maps that own the same numbers, the memory itself and no copy of
// it, and an owner that lives as long as the map.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "linalg/samples.hpp"
#include "support/refusal.hpp"

namespace fcbio {
namespace {

using test::refusal;
using ::testing::HasSubstr;

constexpr Index kRows = 37, kCols = 23, kGap = 5;

/// Lines of the matrix with kGap numbers of no meaning after each.
std::shared_ptr<std::vector<double>> with_gaps(const Eigen::MatrixXd& matrix, bool by_rows) {
  const Index inner = by_rows ? matrix.cols() : matrix.rows(), outer = by_rows ? matrix.rows() : matrix.cols();
  auto memory = std::make_shared<std::vector<double>>(static_cast<std::size_t>((inner + kGap) * outer), kUnknown);
  for (Index o = 0; o < outer; ++o)
    for (Index i = 0; i < inner; ++i)
      (*memory)[static_cast<std::size_t>(o * (inner + kGap) + i)] = by_rows ? matrix(o, i) : matrix(i, o);
  return memory;
}

void expect_same_bits(const LinearMap& a, const LinearMap& b) {
  const Vector x = Vector::LinSpaced(a.cols(), -1.0, 2.0), y = Vector::LinSpaced(a.rows(), 3.0, -1.0);
  Vector image_a(a.rows()), image_b(b.rows()), back_a(a.cols()), back_b(b.cols());
  a.apply(x, image_a);
  b.apply(x, image_b);
  EXPECT_EQ(image_a, image_b);
  a.transpose(0.5, y, back_a);
  b.transpose(0.5, y, back_b);
  EXPECT_EQ(back_a, back_b);
  EXPECT_EQ(a.norm_bound().squared, b.norm_bound().squared);
  EXPECT_EQ(a.frobenius_bound(), b.frobenius_bound());
  RowMajorMatrix rows_a, rows_b;
  ASSERT_TRUE(a.copy_rows(&rows_a) && b.copy_rows(&rows_b));
  EXPECT_EQ(rows_a, rows_b);
}

TEST(Borrowed, DenseLinesWithGapsGiveTheSameBits) {
  const Eigen::MatrixXd matrix = samples::dense(kRows, kCols, 3);
  for (const bool by_rows : {true, false}) {
    const auto memory = with_gaps(matrix, by_rows);
    const Index inner = by_rows ? kCols : kRows;
    const LinearMapPtr borrowed =
        dense_map(DenseView{memory->data(), kRows, kCols, inner + kGap, by_rows}, memory);
    expect_same_bits(*borrowed, by_rows ? *dense_map(RowMajorMatrix(matrix)) : *dense_map(matrix));
  }
}

TEST(Borrowed, DenseMemoryIsUsedWhereItIsAndKeptAlive) {
  auto memory = std::make_shared<std::vector<double>>(std::vector<double>{1.0, 2.0, 3.0, 4.0});
  const std::weak_ptr<std::vector<double>> watch = memory;
  LinearMapPtr map = dense_map(DenseView{memory->data(), 2, 2, 2, true}, memory);
  memory->front() = 10.0;
  memory.reset();
  ASSERT_FALSE(watch.expired());
  Vector image(2);
  map->apply(Vector::Ones(2), image);
  EXPECT_EQ(image, (Vector{{12.0, 7.0}}));
  map.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(Borrowed, SparseRowsAreReadOnce) {
  for (const Index columns : {kCols, 4 * kCols}) {  // the second has many empty columns
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(kRows, columns);
    matrix.leftCols(kCols) = samples::dense(kRows, kCols, 4);
    CsrMatrix rows = samples::csr(matrix);
    const LinearMapPtr owned = sparse_map(rows), borrowed = sparse_map(view_of(rows));
    rows.values.assign(rows.values.size(), kUnknown);
    expect_same_bits(*borrowed, *owned);
  }
}

TEST(Borrowed, RefusesLinesThatOverlap) {
  const double numbers[4] = {1.0, 2.0, 3.0, 4.0};
  EXPECT_THAT(refusal([&] {
                dense_map(DenseView{numbers, 2, 2, 1, true}, nullptr);
              }),
              HasSubstr("lines of 2 numbers that do not overlap, found a stride of 1"));
  EXPECT_THAT(refusal([] { dense_map(DenseView{nullptr, 2, 2, 2, true}, nullptr); }), HasSubstr("dense_map"));
}

}  // namespace
}  // namespace fcbio
