#include "inner/newton_cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "inner/newton_products.hpp"

namespace fcbio {
namespace {

constexpr Index kBlock = 32;

}  // namespace

bool Cholesky::factor(Index size, Watch* watch) {
  size_ = 0;
  const Index stride = factor_.cols();
  double* const base = factor_.data();
  double across[kBlock][kBlock];  // the transposed triangle of the block: its columns, contiguous
  for (Index first = 0; first < size; first += kBlock) {
    const Index width = std::min(kBlock, size - first);
    const RowBlock below{base + first * stride, size - first, first, stride};
    const RowBlock beside{base + first * stride, width, first, stride};
    if (!add_row_products(below, beside, -1.0, true, base + first * stride + first, stride, watch)) return false;
    for (Index i = 0; i < size - first; ++i) {
      double* const row = base + (first + i) * stride + first;
      const Index done = std::min(i, width);
      for (Index j = 0; j < done; ++j) {
        row[j] /= across[j][j];
        for (Index k = j + 1; k < done; ++k) row[k] -= row[j] * across[j][k];
      }
      if (i >= width) continue;
      for (Index j = 0; j < i; ++j) {
        row[i] -= row[j] * row[j];
        across[j][i] = row[j];
      }
      if (!(row[i] > 0.0) || !std::isfinite(row[i])) return false;
      row[i] = std::sqrt(row[i]);
      across[i][i] = row[i];
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
