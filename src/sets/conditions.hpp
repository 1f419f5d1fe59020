// What a set is made of: the equations and inequalities that define it, as they were given, so that membership can
// be proved (membership.hpp).  Pointers live as long as the set; every condition is on the coordinates from
// `first` on.
#pragma once

#include <vector>

#include "fcbio/types.hpp"
#include "sets/row_view.hpp"

namespace fcbio::sets {

struct Conditions {
  struct Plane {  ///< <normal, x> <= value
    Index first;
    const Vector* normal;
    double value;
  };
  struct Rows {  ///< lower <= A x <= upper; an equation where both are equal; sides may be infinite
    Index first;
    RowView matrix;
    const Vector* lower;
    const Vector* upper;
    bool is_equation(Index i) const { return (*lower)[i] == (*upper)[i]; }
  };
  struct Round {  ///< |x - centre| <= radius, or the sum of |x_j - c_j|; a null centre is 0
    Index first, size;
    const Vector* centre;
    double radius;
  };
  struct Sides {  ///< lower <= x <= upper; a null lower is 0, a null upper +infinity
    Index first, size;
    const Vector* lower;
    const Vector* upper;
    double lower_side(Index j) const { return lower != nullptr ? (*lower)[j] : 0.0; }
    double upper_side(Index j) const { return upper != nullptr ? (*upper)[j] : kInfinity; }
    bool fixes(Index j) const { return lower_side(j) == upper_side(j); }
  };
  struct Equation {  ///< <row, x> = value
    Index first;
    Vector row;
    double value;
  };

  std::vector<Plane> planes;
  std::vector<Rows> rows;
  std::vector<Round> balls;
  std::vector<Round> l1_balls;
  std::vector<Sides> sides;
  std::vector<Equation> equations;

  Index row_count() const {
    Index count = 0;
    for (const Rows& block : rows) count += block.matrix.count();
    return count;
  }
};

/// Multipliers of conditions, in their order.  Each set takes those of its own (ConvexSet::take_duals).
class ConditionDuals {
 public:
  Vector planes;                        ///< m >= 0: accounts for -m normal of the direction
  Vector rows;                          ///< y, of all blocks: accounts for A'y; >= 0 weighs the lower side
  std::vector<Vector> balls, l1_balls;  ///< the part of the direction itself; empty: none
  std::vector<Vector> sides;            ///< likewise
  Vector equations;                     ///< any number: accounts for m row

  /// From the multipliers of a PolyhedronShape, whose rows are planes, rows and equations in this order.
  static ConditionDuals of_rows(const Conditions& conditions, VectorIn row_duals);

  // What comes next, without taking it.
  double plane_ahead() const { return planes[next_plane_]; }
  Eigen::Ref<const Vector> rows_ahead(Index count) const { return rows.segment(next_row_, count); }
  double equation_ahead(Index k) const { return equations[next_equation_ + k]; }

  double next_plane() { return planes[next_plane_++]; }
  Eigen::Ref<const Vector> next_rows(Index count) {
    next_row_ += count;
    return rows.segment(next_row_ - count, count);
  }
  const Vector& next_ball() { return balls[next_ball_++]; }
  const Vector& next_l1_ball() { return l1_balls[next_l1_ball_++]; }
  const Vector& next_sides() { return sides[next_sides_++]; }
  double next_equation() { return equations[next_equation_++]; }

 private:
  Index next_plane_ = 0, next_row_ = 0, next_equation_ = 0;
  std::size_t next_ball_ = 0, next_l1_ball_ = 0, next_sides_ = 0;
};

}  // namespace fcbio::sets
