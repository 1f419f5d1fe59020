// Nearest points, linear minima and deepest points of polyhedra {row_lower <= A x <= row_upper, lower <= x <= upper}.
#pragma once

#include "fcbio/matrix.hpp"
#include "fcbio/types.hpp"
#include "fcbio/watch.hpp"

namespace fcbio::interior {

/// Entries of the sides may be infinite; a row with equal sides is an equation.
struct PolyhedronView {
  const RowMajorMatrix* dense = nullptr;  ///< one of the two, or both null: no rows
  const CsrMatrix* sparse = nullptr;
  const Vector* row_lower = nullptr;
  const Vector* row_upper = nullptr;
  const Vector* lower = nullptr;
  const Vector* upper = nullptr;
};

enum class Outcome { solved, infeasible, unbounded, failed };

/// x <- the point of the polyhedron nearest to x; row_duals <- y of the nearest point's optimality condition; with
/// Outcome::infeasible row_duals <- y of a Farkas proof.
Outcome nearest_point(const PolyhedronView& polyhedron, VectorOut x, VectorOut row_duals, Watch* watch);

/// x <- a minimiser of <direction, .>; row_duals <- y that proves it: with r = direction - A'y,
/// sum of (y_i >= 0 ? row_lower_i : row_upper_i) y_i + min over the box of <r, .> is near the minimum.
Outcome minimize_linear(const PolyhedronView& polyhedron, VectorIn direction, VectorOut x, VectorOut row_duals,
                        Watch* watch);

/// A point far from all sides, and how far.
struct DeepestPoint {
  Outcome outcome = Outcome::failed;  ///< infeasible: `row_duals` are y of a Farkas proof
  Vector x;           ///< satisfies the equations to rounding, or to a thousandth of its room
  double room = 0.0;  ///< every point within it that satisfies the equations satisfies the inequalities; < 0: no point
                      ///< has any, and at 0 some inequalities hold as equations only
  Vector row_duals;
  /// How much each inequality resists more room, all together 1: rows, then lower, then upper sides.  At room 0 the
  /// ones with weight hold as equations.
  Vector row_weights, lower_weights, upper_weights;
};
/// A point with at least half of the most room, up to `enough` (> 0, in units of x).
DeepestPoint deepest_point(const PolyhedronView& polyhedron, double enough, Watch* watch);

}  // namespace fcbio::interior
