// Cholesky factor A = L L' of a dense matrix, by blocks of columns from left to right: block J of the rows below
// is A_IJ - sum over K < J of L_IK L_JK', inner products of rows (linalg/row_products.hpp), then solved against the
// small triangle L_JJ.  All memory is taken at construction but for that of the products; bits depend on the numbers
// and the size only, not on the threads.
#pragma once

#include "fcbio/linear_map.hpp"
#include "fcbio/watch.hpp"
#include "linalg/archive.hpp"

namespace fcbio {

class Cholesky {
 public:
  /// For matrices of up to `largest` rows.
  explicit Cholesky(Index largest = 0) : factor_(RowMajorMatrix::Zero(largest, largest)) {}

  /// The matrix to be factored: the caller fills the lower triangle of its top left block.
  RowMajorMatrix& matrix() { return factor_; }
  /// Factors the top left block of `size` rows.  False: not positive definite (to rounding), or `watch` asked to
  /// stop.
  bool factor(Index size, Watch* watch = nullptr);
  Index size() const { return size_; }
  /// x <- A^{-1} x, and x <- L^{-1} x.
  void solve(VectorOut x) const;
  void solve_lower(VectorOut x) const;

  void archive(Archive& archive) { archive(factor_, size_); }

 private:
  bool factor_columns(Index first, Index width, Index size);

  RowMajorMatrix factor_;
  Index size_ = 0;
};

/// Operations of a factorisation: additions and multiplications.
inline double cholesky_operations(Index size) {
  const double n = static_cast<double>(size);
  return n * n * n / 3.0;
}

}  // namespace fcbio
