// Cholesky factor A = L L' of a symmetric matrix with numbers near its diagonal only: L has the same band, and a
// factorisation with band w takes n w^2 operations.
#pragma once

#include "fcbio/matrix.hpp"
#include "linalg/archive.hpp"

namespace fcbio {

class BandedCholesky {
 public:
  BandedCholesky() = default;
  BandedCholesky(Index size, Index band) : band_(band), factor_(RowMajorMatrix::Zero(size, band + 1)) {}

  Index size() const { return factor_.rows(); }
  Index band() const { return band_; }
  /// The matrix to be factored: number (i, i - d) in row i and column d, for 0 <= d <= min(i, band).  Others are not
  /// looked at.
  RowMajorMatrix& matrix() { return factor_; }
  /// False: not positive definite (to rounding).
  bool factor();
  double operations() const { return static_cast<double>(size()) * static_cast<double>(band_ * band_ + 2); }

  /// x <- L^{-1} x, and x <- L'^{-1} x.
  void solve_lower(VectorOut x) const;
  void solve_upper(VectorOut x) const;
  /// The same as solve_lower for each column of a matrix with as many rows.
  void solve_lower(RowMajorMatrix& columns) const;

  void archive(Archive& archive) { archive(band_, factor_); }

 private:
  Index reach(Index i) const { return i < band_ ? i : band_; }

  Index band_ = 0;
  RowMajorMatrix factor_;
};

}  // namespace fcbio
