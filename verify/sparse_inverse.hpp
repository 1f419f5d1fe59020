// Many sparse equations M x = v (docs/certificates.md, section 5): K = M M', without the columns of coordinates that must
// stay as they are, has a least eigenvalue of at least s where a Cholesky factorisation of K - tI runs to its end, and
// then some solution is within |v - M x| / sqrt(s) of x.
#pragma once

#include "region.hpp"

namespace fcbio::verify {

class SparseInverse {
 public:
  /// `fixed[j]`: coordinate j must stay as it is.
  SparseInverse(SparseRows rows, RealVector values, std::vector<bool> fixed);
  /// At least the distance of x to a solution that agrees with x in the fixed coordinates; infinite: not proved.
  Real distance(std::span<const Real> x) const;

 private:
  using Line = std::vector<std::pair<std::size_t, Real>>;  // places and numbers, ascending

  void list_columns();
  bool find_order();
  bool factor(Real shift, bool may_drop);
  bool dropped_rows_depend_exactly();
  void prove_least_eigenvalue();
  RealVector solve(RealVector right) const;

  SparseRows rows_;
  RealVector values_;
  std::vector<bool> fixed_, dropped_;
  std::vector<Line> columns_;                        // of M: rows and numbers, empty for fixed ones
  std::vector<std::size_t> order_, place_;           // of elimination
  std::vector<std::vector<std::size_t>> structure_;  // places below the diagonal of each column of L, ascending
  std::vector<RealVector> lower_;                    // numbers there
  RealVector diagonal_;
  Real least_ = 0;  // s
};

}  // namespace fcbio::verify
