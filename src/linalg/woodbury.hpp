// H = T + C'C with T >= 0 a band and C' a few columns, and solutions with H and a diagonal.  With L L' = T + diagonal and
// W = L^{-1} C',
//     (T + diagonal + C'C)^{-1} = L'^{-1} (I - W (I + W'W)^{-1} W') L^{-1}      (Woodbury),
// n k^2 operations a factorisation.  What rounding does to it where W is large is repaired by refinement.
#pragma once

#include <vector>

#include "linalg/banded_cholesky.hpp"
#include "linalg/cholesky.hpp"

namespace fcbio {

class Woodbury {
 public:
  /// `band` as BandedCholesky::matrix() has it; `columns` is C'.
  void set(RowMajorMatrix band, RowMajorMatrix columns);
  Index size() const { return columns_.rows(); }
  Index rank() const { return columns_.cols(); }

  void multiply(VectorIn x, Vector& out) const;  ///< out <- H x
  double multiply_operations() const;
  /// Of factor() and three solve()s at that rank.
  static double operations(Index size, Index rank, Index band);

  /// Factors H + diag(diagonal) in the coordinates `free`; none: in all.  False: not positive definite (to rounding), or
  /// `watch` asked to stop.
  bool factor(const Vector& diagonal, const std::vector<Index>& free, Watch* watch);
  /// Whether this diagonal was factored last, in all coordinates, and H is the same.
  bool is_factored(const Vector& diagonal) const { return factored_ && all_free_ && diagonal == diagonal_; }
  /// x <- (H + diag)^{-1} x in the coordinates of the last factor(); others are not read, and are 0 afterwards.
  void solve(Vector& x);

  void archive(Archive& archive) {
    archive(band_, columns_, woven_, banded_, cholesky_, is_free_, all_free_, factored_, diagonal_);
  }

 private:
  bool is_free(Index i) const { return is_free_[static_cast<std::size_t>(i)]; }
  void clear_fixed(Vector& x) const;
  void solve_once(Vector& x);

  RowMajorMatrix band_, columns_, woven_;  // T, C' and W
  BandedCholesky banded_;
  Cholesky cholesky_;
  std::vector<bool> is_free_;
  bool all_free_ = true, factored_ = false;
  Vector diagonal_, right_, left_;
  mutable Vector small_;
};

}  // namespace fcbio
