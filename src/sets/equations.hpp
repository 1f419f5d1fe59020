// How far a point is from the solutions of M x = v, proved.
//
// Let X be any matrix, E = M X - I and |E| < 1.  Then M X is invertible, and for every residual r = v - M x the
// point z = x + X (M X)^{-1} r solves M z = v, with
//     |z - x| <= |X| |r| / (1 - |E|).
// A good X is the pseudo-inverse of M, from a QR factorisation; how it was found does not matter, E is evaluated
// with a bound of its rounding.  An ill-conditioned M has a large |X|: that is the true price of its nearly
// parallel rows. Coordinates that a box fixes are left out of X (its rows there are 0), so that z keeps them.
//
// A row that depends on the others has no place in X.  It is left out where the dependence is exact: a combination
// of the others with short coefficients that gives the row and its value without any rounding.  Otherwise nothing
// is proved.
//
// Where there are so many equations that a dense X would be too large or take too long, and they are sparse, the same is
// done with a sparse factor (sparse_equations.hpp).
#pragma once

#include <vector>

#include "sets/conditions.hpp"
#include "sets/sparse_equations.hpp"

namespace fcbio::sets {

/// M and v.
struct EquationRows {
  CsrMatrix matrix;
  std::vector<double> values;

  explicit EquationRows(Index dimension) {
    matrix.cols = dimension;
    matrix.starts = {0};
  }
  /// What was appended to columns and values of the matrix since the last call is a row.
  void close(double value) {
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
    ++matrix.rows;
    values.push_back(value);
  }
};

class Equations {
 public:
  Equations() = default;
  /// `fixed[j]`: coordinate j must stay as it is.
  Equations(EquationRows rows, const std::vector<bool>& fixed);

  bool empty() const { return rows_.values.empty(); }
  /// At least the distance of x to the nearest solution that agrees with x in the fixed coordinates.
  double distance(VectorIn x) const;
  /// x <- x + X (v - M x), nearly a solution.
  void approach(VectorOut x) const;
  /// d <- d - X M d, nearly a direction along the solutions.
  void flatten(VectorOut d) const;

 private:
  using Matrix = Eigen::Matrix<Extended, Eigen::Dynamic, Eigen::Dynamic>;
  /// The rows of a factorisation that count, and X for them; false: the others are not proved to depend on these.
  bool find_inverse(const std::vector<bool>& fixed);
  bool holds_exactly(VectorIn x) const;
  bool depends_exactly(Index row, const std::vector<Index>& kept, const Matrix& coefficients) const;
  void bound_inverse();
  bool invert_in_double(const std::vector<bool>& fixed);
  /// v_i - <row i, x> of a row of matrix_, with a bound of its error.
  Extended residual(Index row, VectorIn x, Extended& error) const;

  EquationRows rows_{0};                 // all of them, scaled by powers of two to a norm near 1
  std::vector<Index> kept_;              // those in matrix_
  Matrix matrix_;                        // M; the numbers are doubles
  Matrix inverse_;                       // X
  Extended factor_ = kExtendedInfinity;  // |X| / (1 - |E|); infinite: not proved
  std::optional<SparseEquations> sparse_;
};

}  // namespace fcbio::sets
