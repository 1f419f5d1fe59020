// Orthogonal factors of dense matrices, A P = Q R by Householder reflections.  Facades: Eigen's decompositions take
// many seconds to compile and are included in pivoted_qr.cpp alone.
#pragma once

#include <memory>

#include "fcbio/types.hpp"

namespace fcbio {

/// The columns of A are taken in the order of what is left of them, so that the first `rank` span the others but for
/// rounding.  Real: double or long double.
template <class Real>
class PivotedQr {
 public:
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  explicit PivotedQr(const Matrix& columns);
  ~PivotedQr();

  /// How many columns are left that are longer than this share of the longest.
  Index rank(Real threshold);
  /// The column of A that was taken as number k.
  Index pivot(Index k) const;
  /// Number k of the diagonal of R.
  Real diagonal(Index k) const;

  // Of the first `rank` pivots, with Q and R cut to them:
  Matrix basis(Index rank) const;     ///< Q
  Matrix triangle(Index rank) const;  ///< R
  /// The other columns as combinations of them, in the order of the pivots.
  Matrix dependences(Index rank) const;
  /// Q R^{-T}: its product with the pivots, as rows, is the identity.
  Matrix right_inverse(Index rank) const;
  /// x <- R^{-T} x
  void solve_transposed(Index rank, Column& x) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

extern template class PivotedQr<double>;
extern template class PivotedQr<long double>;

/// x of the least length for which |A x - b| is least, for A of any rank.
class MinimumNormSolver {
 public:
  explicit MinimumNormSolver(const Eigen::MatrixXd& a);
  ~MinimumNormSolver();
  Vector solve(const Vector& b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// Q R^{-T} of the QR factors of rows', in the order given: rows times it is the identity where they are independent.
Eigen::MatrixXd right_inverse(const Eigen::MatrixXd& rows);

}  // namespace fcbio
