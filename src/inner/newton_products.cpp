// Written once with vectors of four numbers and compiled twice, for AVX2 and plain, with the same bits: no
// contraction of products and sums, and an order that depends on the sizes only (compare
// linalg/dense_kernels.cpp). Tiles of 4 x 2 inner products keep eight running sums in registers; columns are taken
// in chunks and rows in groups that stay in the caches.
#include "inner/newton_products.hpp"

#include <algorithm>

#include "linalg/lanes.hpp"

namespace fcbio {
namespace {

constexpr Index kChunk = 512;  // columns at a time: 4 kB of a row
constexpr Index kGroup = 32;   // rows of a at a time

template <int kRows, int kCols>
FCBIO_PART_OF_KERNEL void tile(const double* a, Index a_stride, const double* b, Index b_stride, Index length,
                               double sign, double* out, Index stride) {
  Lanes sums[kRows][kCols] = {};
  Index k = 0;
  for (; k + kLanes <= length; k += kLanes) {
    Lanes right[kCols];
    for (int j = 0; j < kCols; ++j) load(right[j], b + j * b_stride + k);
    for (int i = 0; i < kRows; ++i) {
      Lanes left;
      load(left, a + i * a_stride + k);
      for (int j = 0; j < kCols; ++j) sums[i][j] += left * right[j];
    }
  }
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kCols; ++j) {
      double sum = total(sums[i][j]);
      for (Index rest = k; rest < length; ++rest) sum += a[i * a_stride + rest] * b[j * b_stride + rest];
      out[i * stride + j] += sign * sum;
    }
  }
}

/// Rows i .. i + kRows of a with those rows of b that `lower` leaves: tiles across the diagonal are done one by
/// one.
template <int kRows>
FCBIO_PART_OF_KERNEL void band(const RowBlock& a, const RowBlock& b, Index i, Index first, Index length,
                               double sign, bool lower, double* out, Index stride) {
  const double* left = a.data + i * a.stride + first;
  const Index whole = lower ? std::min(b.rows, i + 1) : b.rows;  // columns j that all rows of the band have
  Index j = 0;
  for (; j + 2 <= whole; j += 2)
    tile<kRows, 2>(left, a.stride, b.data + j * b.stride + first, b.stride, length, sign, out + i * stride + j,
                   stride);
  for (; j < whole; ++j)
    tile<kRows, 1>(left, a.stride, b.data + j * b.stride + first, b.stride, length, sign, out + i * stride + j,
                   stride);
  for (Index row = i + 1; row < i + kRows && lower; ++row)
    for (Index column = j; column <= std::min(row, b.rows - 1); ++column)
      tile<1, 1>(a.data + row * a.stride + first, a.stride, b.data + column * b.stride + first, b.stride, length,
                 sign, out + row * stride + column, stride);
}

/// Rows `group` .. `end` of a, columns `first` .. `first + length`.
FCBIO_PART_OF_KERNEL void products(const RowBlock& a, const RowBlock& b, Index group, Index end, Index first,
                                   Index length, double sign, bool lower, double* out, Index stride) {
  Index i = group;
  for (; i + 4 <= end; i += 4) band<4>(a, b, i, first, length, sign, lower, out, stride);
  for (; i < end; ++i) band<1>(a, b, i, first, length, sign, lower, out, stride);
}

void plain_products(const RowBlock& a, const RowBlock& b, Index group, Index end, Index first, Index length,
                    double sign, bool lower, double* out, Index stride) {
  products(a, b, group, end, first, length, sign, lower, out, stride);
}

FCBIO_FOR_AVX2 void avx2_products(const RowBlock& a, const RowBlock& b, Index group, Index end, Index first,
                                  Index length, double sign, bool lower, double* out, Index stride) {
  products(a, b, group, end, first, length, sign, lower, out, stride);
}

}  // namespace

bool add_row_products(const RowBlock& a, const RowBlock& b, double sign, bool lower, double* out, Index stride,
                      Watch* watch) {
  const auto kernel = use_avx2 ? avx2_products : plain_products;
  for (Index first = 0; first < a.cols; first += kChunk) {
    const Index length = std::min(kChunk, a.cols - first);
    for (Index group = 0; group < a.rows; group += kGroup) {
      const Index end = std::min(group + kGroup, a.rows);
      kernel(a, b, group, end, first, length, sign, lower, out, stride);
      const double pairs = static_cast<double>(end - group) * static_cast<double>(b.rows);
      if (watch != nullptr && watch->is_over(2.0 * pairs * static_cast<double>(length))) return false;
    }
  }
  return true;
}

}  // namespace fcbio
