// What holds as an equation everywhere in a polyhedron without interior.
#pragma once

#include <optional>
#include <vector>

#include "interior/polyhedron.hpp"
#include "interior/rows.hpp"

namespace fcbio::interior {

/// Room that may be nothing but rounding, of the size of a polyhedron.
inline constexpr double kNoRoom = 1e-9;

struct Tight {
  enum class Tie : signed char { none, low, high };
  std::vector<Tie> rows = {}, sides = {};                     ///< which side each is on everywhere
  std::vector<Index> kept = {};                               ///< rows that no other equations imply
  Vector x = {};                                              ///< inside of all other inequalities

  /// The rows and sides with equations for what is on its side; rows that follow are left out.
  void apply(CsrMatrix& matrix, Vector& row_lower, Vector& row_upper, Vector& lower, Vector& upper) const;
  /// Multipliers y of all rows, from those of the rows that are kept, for  slope + A'y = (multipliers of sides): what was
  /// made an equation gets the signs that inequalities must have.
  Vector all_multipliers(const Vector& kept_multipliers, VectorIn slope) const;

  std::vector<Index> signed_rows = {};  ///< inequalities that hold as equations
  /// Multipliers of rows (as InteriorPoint counts them: >= 0 holds from above) that are 0 together, with those of sides:
  /// any multiple may be added to others.
  Vector nothing = {};
  Vector change = {};  ///< A'nothing
  Rows all_rows = Rows::identity(0);
};

/// Nothing: there are points with more room than rounding, or the question was too large or too hard.  `size`: of the
/// polyhedron.
std::optional<Tight> find_tight(const PolyhedronView& polyhedron, const DeepestPoint& deepest, double size);

/// The polyhedron with equations for what is tight, without rows that follow.
struct TightPolyhedron {
  TightPolyhedron(const PolyhedronView& polyhedron, const Tight& tight);
  PolyhedronView view() const { return {nullptr, &matrix, &row_lower, &row_upper, &lower, &upper}; }
  CsrMatrix matrix;
  Vector row_lower, row_upper, lower, upper;
};

}  // namespace fcbio::interior
