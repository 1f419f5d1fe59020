// Two sizes of blocks: wide ones, so that the rows to their left are packed as seldom as possible, and narrow ones
// within them, whose triangle is small enough to be solved against row by row.
#include "linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "fcbio/threads.hpp"
#include "linalg/lanes.hpp"
#include "linalg/row_products.hpp"

namespace fcbio {
namespace {

constexpr Index kWide = 128;
constexpr Index kNarrow = 32;
constexpr Index kRowsOfShard = 64;

/// Rows below a triangle, solved against it.
struct Solve {
  const double (*across)[kNarrow];  // the transposed triangle: its columns, contiguous, zeros below the diagonal
  Index width;
  double* rows;
  Index count, stride;
};

/// Four rows at a time: each number waits for the one before it in its row, and for no other row.
template <Index kRows>
FCBIO_PART_OF_KERNEL void solve_rows(const Solve& solve, double* rows) {
  double block[kRows][kNarrow] = {};
  for (Index i = 0; i < kRows; ++i) std::copy_n(rows + i * solve.stride, solve.width, block[i]);
  for (Index j = 0; j < solve.width; ++j) {
    const double* const column = solve.across[j];
    for (Index i = 0; i < kRows; ++i) block[i][j] /= column[j];
    // The vectors from the one that holds j on; what they hold up to j must stay.
    for (Index i = 0; i < kRows; ++i) {
      const double number = block[i][j];
      for (Index k = j + 1; k % kLanes != 0 && k < solve.width; ++k) block[i][k] -= number * column[k];
      for (Index k = (j + kLanes) / kLanes * kLanes; k < kNarrow; k += kLanes) {
        Lanes right, left;
        load(right, column + k);
        load(left, block[i] + k);
        left -= number * right;
        store(block[i] + k, left);
      }
    }
  }
  for (Index i = 0; i < kRows; ++i) std::copy_n(block[i], solve.width, rows + i * solve.stride);
}

FCBIO_PART_OF_KERNEL void solve_shard(const Solve& solve, Index shard) {
  const Index end = std::min((shard + 1) * kRowsOfShard, solve.count);
  Index i = shard * kRowsOfShard;
  for (; i + 4 <= end; i += 4) solve_rows<4>(solve, solve.rows + i * solve.stride);
  for (; i < end; ++i) solve_rows<1>(solve, solve.rows + i * solve.stride);
}

void plain_solve(const Solve& solve, Index shard) { solve_shard(solve, shard); }
FCBIO_FOR_AVX2 void avx2_solve(const Solve& solve, Index shard) { solve_shard(solve, shard); }

}  // namespace

/// Columns `first` .. `first + width` of rows `first` .. `size`, from which all columns to the left are subtracted.
bool Cholesky::factor_columns(Index first, Index width, Index size) {
  const Index stride = factor_.cols();
  double* const corner = factor_.data() + first * stride + first;
  double across[kNarrow][kNarrow] = {};
  for (Index i = 0; i < width; ++i) {
    double* const row = corner + i * stride;
    for (Index j = 0; j < i; ++j) {
      row[j] /= across[j][j];
      for (Index k = j + 1; k < i; ++k) row[k] -= row[j] * across[j][k];
    }
    for (Index j = 0; j < i; ++j) {
      row[i] -= row[j] * row[j];
      across[j][i] = row[j];
    }
    if (!(row[i] > 0.0) || !std::isfinite(row[i])) return false;
    row[i] = std::sqrt(row[i]);
    across[i][i] = row[i];
  }
  const Solve solve{across, width, corner + width * stride, size - first - width, stride};
  run_shards((solve.count + kRowsOfShard - 1) / kRowsOfShard,
             [&solve](Index shard) { (use_avx2 ? avx2_solve : plain_solve)(solve, shard); });
  return true;
}

bool Cholesky::factor(Index size, Watch* watch) {
  size_ = 0;
  const Index stride = factor_.cols();
  double* const base = factor_.data();
  // Subtracts from columns `column` .. `column + width` what columns `from` .. `column` leave there.
  const auto subtract = [&](Index from, Index column, Index width) {
    const double* const left = base + column * stride + from;
    return add_row_products({left, size - column, column - from, stride}, {left, width, column - from, stride},
                            -1.0, true, base + column * stride + column, stride, watch);
  };
  for (Index wide = 0; wide < size; wide += kWide) {
    const Index end = std::min(wide + kWide, size);
    if (!subtract(0, wide, end - wide)) return false;
    for (Index first = wide; first < end; first += kNarrow) {
      const Index width = std::min(kNarrow, end - first);
      if (!subtract(wide, first, width) || !factor_columns(first, width, size)) return false;
    }
  }
  size_ = size;
  return true;
}

void Cholesky::solve_lower(VectorOut x) const {
  for (Index i = 0; i < size_; ++i)
    x[i] = (x[i] - factor_.row(i).head(i).dot(x.head(i).transpose())) / factor_(i, i);
}

void Cholesky::solve(VectorOut x) const {
  solve_lower(x);
  for (Index i = size_ - 1; i >= 0; --i) {
    x[i] /= factor_(i, i);
    x.head(i) -= x[i] * factor_.row(i).head(i).transpose();
  }
}

}  // namespace fcbio
