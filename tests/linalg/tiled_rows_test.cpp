// Tiles of a sparse matrix against naive products, for every way of cutting: blocks, bands, stripes, pieces, and
// rows side by side or folded.
#include "linalg/tiled_rows.hpp"

#include <gtest/gtest.h>

#include <random>

#include "fcbio/threads.hpp"
#include "linalg/samples.hpp"
#include "support/both_versions.hpp"

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

Index longest_row(const CsrMatrix& matrix) {
  Index longest = 0;
  for (std::size_t r = 0; r + 1 < matrix.starts.size(); ++r)
    longest = std::max(longest, static_cast<Index>(matrix.starts[r + 1] - matrix.starts[r]));
  return longest;
}

/// Both orientations, in the way sparse_map makes them.
struct Both {
  explicit Both(const CsrMatrix& matrix)
      : transposed(TiledRows::transpose_of(matrix)), forward(TiledRows::transpose_of(transposed)) {}
  TiledRows transposed, forward;
};

void expect_products(const CsrMatrix& matrix) {
  const Both tiles(matrix);
  ASSERT_EQ(tiles.forward.rows(), matrix.rows);
  ASSERT_EQ(tiles.forward.cols(), matrix.cols);
  EXPECT_EQ(tiles.forward.longest_row(), longest_row(matrix));

  const Vector x = samples::vector(matrix.cols, 1);
  const Vector y = samples::vector(matrix.rows, 2);
  Vector image = Vector::Constant(matrix.rows, 1e300);  // nothing of it may be left
  tiles.forward.multiply(1.0, x.data(), image.data());
  expect_near(image, naive_product(matrix, x), tiles.forward.longest_row(), "M x");

  Vector gradient = Vector::Zero(matrix.cols);
  tiles.transposed.add_product(1.0, y.data(), gradient.data());
  expect_near(gradient, naive_transpose(matrix, y), tiles.transposed.longest_row(), "M' y");
  Vector over = Vector::Constant(matrix.cols, 1e300);
  tiles.transposed.multiply(1.0, y.data(), over.data());
  EXPECT_EQ(over, gradient);
  Vector twice = gradient;
  tiles.transposed.add_product(-1.0, y.data(), twice.data());
  EXPECT_LE(twice.norm(), 1e-12 * gradient.norm());
}

struct Cuts {
  Index blocks, bands, stripes;
  friend bool operator==(const Cuts&, const Cuts&) = default;
  friend void PrintTo(const Cuts& cuts, std::ostream* out) {
    *out << cuts.blocks << " blocks, " << cuts.bands << " bands, " << cuts.stripes << " stripes";
  }
};
Cuts cuts_of(const TiledRows& rows) { return {rows.blocks(), rows.bands(), rows.stripes()}; }

struct Case {
  Index rows, cols, in_row;
  Cuts forward, transposed;
  friend void PrintTo(const Case& one, std::ostream* out) {
    *out << one.rows << " x " << one.cols << ", " << one.in_row << " in a row";
  }
};

class TilesOf : public ::testing::TestWithParam<Case> {
 protected:
  const CsrMatrix matrix = scattered(GetParam().rows, GetParam().cols, GetParam().in_row, 7);
};

TEST_P(TilesOf, AreCutAsTheSizesAsk) {
  const Both tiles(matrix);
  EXPECT_EQ(cuts_of(tiles.forward), GetParam().forward);
  EXPECT_EQ(cuts_of(tiles.transposed), GetParam().transposed);
}

TEST_P(TilesOf, GiveTheProductsOfTheMatrix) { expect_products(matrix); }

TEST_P(TilesOf, DoNotDependOnTheNumberOfThreads) {
  const Both tiles(matrix);
  const Vector x = samples::vector(matrix.cols, 1), y = samples::vector(matrix.rows, 2),
               start = samples::vector(matrix.cols, 3);
  Vector gradient = start, image(matrix.rows);
  tiles.transposed.add_product(0.3, y.data(), gradient.data());
  tiles.forward.multiply(1.0, x.data(), image.data());
  for (const int threads : {2, 5}) {
    const ThreadScope scope(threads);
    Vector several = start, of_several(matrix.rows);
    tiles.transposed.add_product(0.3, y.data(), several.data());
    tiles.forward.multiply(1.0, x.data(), of_several.data());
    EXPECT_EQ(several, gradient) << threads;
    EXPECT_EQ(of_several, image) << threads;
  }
}

TEST_P(TilesOf, GiveTheSameBitsWithAndWithoutAvx2) {
  const Both tiles(matrix);
  const Vector x = samples::vector(matrix.cols, 1), y = samples::vector(matrix.rows, 2);
  expect_same_bits_with_and_without_avx2([&] {
    Vector all = Vector::Ones(matrix.rows + matrix.cols);
    tiles.forward.add_product(0.3, x.data(), all.data());
    tiles.transposed.add_product(0.3, y.data(), all.data() + matrix.rows);
    return all;
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, TilesOf,
                         ::testing::Values(Case{5, 7, 3, {1, 1, 1}, {1, 1, 1}},              // small
                                           Case{1, 20000, 9000, {1, 1, 1}, {2, 1, 1}},       // no number at all
                                           Case{2, 20000, 9000, {1, 5, 1}, {2, 1, 1}},       // one long row
                                           Case{40, 9000, 100, {1, 3, 1}, {1, 1, 1}},        // narrow bands
                                           Case{30, 200000, 20, {1, 13, 1}, {13, 1, 1}},     // wider
                                           Case{20, 200000, 3, {1, 4, 1}, {13, 1, 1}},       // the widest
                                           Case{70000, 30, 15, {17, 1, 1}, {5, 18, 1}},      // long columns
                                           Case{3000, 65537, 4, {2, 3, 1}, {5, 1, 1}},       // one column beyond
                                           Case{8, 600000, 300000, {7, 147, 2}, {37, 1, 1}}  // stripes, pieces
                                           ));

CsrMatrix of_rows(Index cols, const std::vector<std::vector<std::pair<Index, double>>>& rows) {
  CsrMatrix matrix;
  matrix.rows = static_cast<Index>(rows.size());
  matrix.cols = cols;
  matrix.starts.push_back(0);
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      matrix.columns.push_back(static_cast<std::int32_t>(column));
      matrix.values.push_back(value);
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
  }
  return matrix;
}

/// A row of every length up to 70, and `long_rows` full ones among them.
CsrMatrix of_all_lengths(Index cols, int long_rows) {
  std::mt19937_64 engine(5);
  std::vector<std::vector<std::pair<Index, double>>> rows;
  for (Index length = 0; length <= 70; ++length) {
    rows.emplace_back();
    for (Index k = 0; k < length; ++k)
      rows.back().emplace_back(k * (cols / 70) + length % 3, samples::gaussian(engine));
    if (length % 20 == 7 && length / 20 < long_rows) {
      rows.emplace_back();
      for (Index k = 0; k < cols; ++k) rows.back().emplace_back(k, samples::gaussian(engine));
    }
  }
  return of_rows(cols, rows);
}

TEST(TiledRows, OfEveryLengthSideBySideAndFolded) {
  for (const int long_rows : {0, 1, 3}) {
    expect_products(of_all_lengths(300, long_rows));
    expect_products(of_all_lengths(10000, long_rows));
  }
}

TEST(TiledRows, ALongRowAmongShortOnesTakesNoMoreThanItsNumbers) {
  // As a column of ones does in the transpose.
  std::vector<std::vector<std::pair<Index, double>>> rows(1000);
  for (Index k = 0; k < 4000; ++k) rows[500].emplace_back(k, 1.0);
  for (Index row = 0; row < 1000; ++row)
    if (row != 500) rows[static_cast<std::size_t>(row)].emplace_back(4 * row, 2.0);
  const CsrMatrix matrix = of_rows(4000, rows);
  const Both tiles(matrix);
  EXPECT_LE(tiles.forward.bytes(), 12 * matrix.nonzeros() + 300);
}

TEST(TiledRows, LeaveZerosOut) {
  const Both tiles(of_rows(3, {{{0, 0.0}, {1, 2.0}, {2, -0.0}}, {{2, 0.0}}}));
  EXPECT_EQ(tiles.forward.longest_row(), 1);
  EXPECT_EQ(tiles.transposed.longest_row(), 1);
  const Vector x = Vector::Constant(3, 5.0);
  Vector image(2);
  tiles.forward.multiply(1.0, x.data(), image.data());
  EXPECT_EQ(image, Vector((Vector(2) << 10.0, 0.0).finished()));
  const Both nothing(of_rows(3, {{}, {}}));
  image.setConstant(7.0);
  nothing.forward.multiply(1.0, x.data(), image.data());
  EXPECT_EQ(image, Vector::Zero(2));
}

TEST(TiledRows, AnInfinityReachesOnlyTheRowsThatHaveItsColumn) {
  const CsrMatrix matrix = of_all_lengths(300, 1);
  const Both tiles(matrix);
  for (Index column = 0; column < matrix.cols; ++column) {
    Vector x = Vector::Ones(matrix.cols);
    x[column] = kInfinity;
    Vector image(matrix.rows);
    tiles.forward.multiply(1.0, x.data(), image.data());
    for (Index row = 0; row < matrix.rows; ++row) {
      const auto begin = matrix.columns.begin() + matrix.starts[static_cast<std::size_t>(row)];
      const auto end = matrix.columns.begin() + matrix.starts[static_cast<std::size_t>(row) + 1];
      EXPECT_NE(std::isfinite(image[row]), std::binary_search(begin, end, static_cast<std::int32_t>(column)))
          << row << " " << column;
    }
  }
}

TEST(TiledRows, CountTheirBytes) {
  // 10 bytes a number, 2 a row; padding, runs and one tile beside that.
  const CsrMatrix matrix = scattered(500, 600, 10, 1);
  const TiledRows transposed = TiledRows::transpose_of(matrix);
  EXPECT_GE(transposed.bytes(), 10 * matrix.nonzeros() + 2 * 600);
  EXPECT_LE(transposed.bytes(), 10 * matrix.nonzeros() + 2 * 600 + 2000);
}

}  // namespace
}  // namespace fcbio
