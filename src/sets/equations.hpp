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
#pragma once

#include <vector>

#include "sets/conditions.hpp"
#include "sets/extended.hpp"

namespace fcbio::sets {

class Equations {
 public:
  Equations() = default;
  /// `fixed[j]`: coordinate j must stay as it is.
  Equations(Index dimension, const std::vector<Conditions::Equation>& equations, const std::vector<bool>& fixed);

  /// Whether so many equations can be looked at; otherwise nothing is proved about them.
  static bool is_small(Index dimension, Index count);

  bool empty() const { return values_.empty(); }
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
  bool depends_exactly(Index row, const std::vector<Index>& kept, const Matrix& coefficients) const;
  void bound_inverse();
  bool invert_in_double(const std::vector<bool>& fixed);
  /// v_i - <row i, x>, with a bound of its error.
  Extended residual(Index row, VectorIn x, Extended& error) const;

  Matrix matrix_;               // M, rows scaled by powers of two to a norm near 1; the numbers are doubles
  std::vector<double> values_;  // v
  Matrix inverse_;              // X
  Extended factor_ = kExtendedInfinity;  // |X| / (1 - |E|); infinite: not proved
};

}  // namespace fcbio::sets
