// Bands of sparse rows against naive products, for every way of cutting: one band of 16-bit places, several, and
// one of 32-bit columns.
#include "linalg/banded_rows.hpp"

#include <gtest/gtest.h>

#include <random>

#include "fcbio/threads.hpp"
#include "linalg/samples.hpp"

namespace fcbio {
namespace {

/// About `in_row` numbers in each row; row 0 is left empty, and the last column is hit in the last row.
CsrMatrix scattered(Index rows, Index cols, Index in_row, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  CsrMatrix matrix;
  matrix.rows = rows;
  matrix.cols = cols;
  matrix.starts.push_back(0);
  const Index step = std::max<Index>(1, cols / in_row);
  for (Index row = 0; row < rows; ++row) {
    for (Index first = 0; row > 0 && first < cols; first += step) {
      const Index width = std::min(step, cols - first);
      const auto offset = static_cast<Index>(engine() % static_cast<std::uint64_t>(width));
      const bool last = row == rows - 1 && first + step >= cols;
      matrix.columns.push_back(static_cast<std::int32_t>(last ? cols - 1 : first + offset));
      matrix.values.push_back(samples::gaussian(engine));
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
  }
  return matrix;
}

struct Naive {
  Vector product, magnitude;
};

/// M' y and |M|' |y| in long double.
Naive naive_transpose(const CsrMatrix& matrix, const Vector& y) {
  std::vector<long double> sum(static_cast<std::size_t>(matrix.cols), 0.0L), size = sum;
  for (Index row = 0; row < matrix.rows; ++row) {
    for (auto k = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row)]);
         k < static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row) + 1]); ++k) {
      const long double term = static_cast<long double>(matrix.values[k]) * y[row];
      sum[static_cast<std::size_t>(matrix.columns[k])] += term;
      size[static_cast<std::size_t>(matrix.columns[k])] += std::abs(term);
    }
  }
  Naive naive{Vector(matrix.cols), Vector(matrix.cols)};
  for (Index j = 0; j < matrix.cols; ++j) {
    naive.product[j] = static_cast<double>(sum[static_cast<std::size_t>(j)]);
    naive.magnitude[j] = static_cast<double>(size[static_cast<std::size_t>(j)]);
  }
  return naive;
}

/// M x and |M| |x| in long double.
Naive naive_product(const CsrMatrix& matrix, const Vector& x) {
  Naive naive{Vector(matrix.rows), Vector(matrix.rows)};
  for (Index row = 0; row < matrix.rows; ++row) {
    long double sum = 0.0L, size = 0.0L;
    for (auto k = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row)]);
         k < static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row) + 1]); ++k) {
      const long double term = static_cast<long double>(matrix.values[k]) * x[matrix.columns[k]];
      sum += term;
      size += std::abs(term);
    }
    naive.product[row] = static_cast<double>(sum);
    naive.magnitude[row] = static_cast<double>(size);
  }
  return naive;
}

void expect_near(const Vector& found, const Naive& expected, Index longest, const char* what) {
  for (Index i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected.product[i], static_cast<double>(longest + 4) * kEpsilon * expected.magnitude[i])
        << what << " at " << i;
}

struct Case {
  Index rows, cols, in_row, bands_forward, bands_transposed;
};

class BandsOf : public ::testing::TestWithParam<Case> {
 protected:
  ~BandsOf() override { set_thread_count(1); }
};

TEST_P(BandsOf, GiveTheProductsOfTheMatrix) {
  const auto [rows, cols, in_row, bands_forward, bands_transposed] = GetParam();
  const CsrMatrix matrix = scattered(rows, cols, in_row, 7);
  const BandedRows transposed = BandedRows::transpose_of(matrix);
  const BandedRows forward = BandedRows::transpose_of(transposed);
  EXPECT_EQ(forward.bands(), bands_forward);
  EXPECT_EQ(transposed.bands(), bands_transposed);
  ASSERT_EQ(forward.rows(), rows);
  ASSERT_EQ(forward.cols(), cols);

  Index longest = 0;
  for (std::size_t r = 0; r + 1 < matrix.starts.size(); ++r)
    longest = std::max(longest, static_cast<Index>(matrix.starts[r + 1] - matrix.starts[r]));
  EXPECT_EQ(forward.longest_row(), longest);

  const Vector x = samples::vector(cols, 1);
  const Vector y = samples::vector(rows, 2);
  Vector image = Vector::Constant(rows, 1e300);  // nothing of it may be left
  forward.multiply(x.data(), image.data());
  expect_near(image, naive_product(matrix, x), longest, "M x");

  Vector gradient = Vector::Zero(cols);
  transposed.add_product(1.0, y.data(), gradient.data());
  expect_near(gradient, naive_transpose(matrix, y), transposed.longest_row(), "M' y");
  Vector twice = gradient;
  transposed.add_product(-1.0, y.data(), twice.data());
  EXPECT_LE(twice.norm(), 1e-12 * gradient.norm());
}

TEST_P(BandsOf, DoNotDependOnTheNumberOfThreads) {
  const auto [rows, cols, in_row, bands_forward, bands_transposed] = GetParam();
  const BandedRows transposed = BandedRows::transpose_of(scattered(rows, cols, in_row, 8));
  const Vector y = samples::vector(rows, 2);
  const Vector start = samples::vector(cols, 3);
  Vector one = start;
  transposed.add_product(0.3, y.data(), one.data());
  for (const int threads : {2, 5}) {
    set_thread_count(threads);
    Vector several = start;
    transposed.add_product(0.3, y.data(), several.data());
    EXPECT_EQ(several, one) << threads;
  }
}

// Widths go from 2^12 to 2^16 with 20 numbers of a row in each band; 8 are enough for the widest.
INSTANTIATE_TEST_SUITE_P(Cuts, BandsOf,
                         ::testing::Values(Case{5, 7, 3, 1, 1},           // small
                                           Case{40, 9000, 100, 3, 1},     // first-level cache
                                           Case{30, 200000, 200, 7, 1},   // several widths
                                           Case{20, 200000, 40, 4, 1},    // the widest only
                                           Case{20, 200000, 3, 1, 1},     // not worth cutting
                                           Case{70000, 30, 15, 1, 18},    // long columns
                                           Case{3000, 65536, 4, 1, 1},    // 16 bits to the last
                                           Case{3000, 65537, 4, 1, 1}));  // and one beyond

TEST(BandedRows, CountTheirBytes) {
  // One band each way: 10 bytes a number, 8 a row and 8 more.
  const CsrMatrix matrix = scattered(50, 60, 10, 1);
  const BandedRows transposed = BandedRows::transpose_of(matrix);
  EXPECT_EQ(transposed.bytes(), 10 * matrix.nonzeros() + 8 * 61);
}

}  // namespace
}  // namespace fcbio
