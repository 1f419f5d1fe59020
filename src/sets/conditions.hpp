// What a set is made of: the equations and inequalities that define it, as they were given, so that membership can
// be proved (membership.hpp).  Pointers live as long as the set; every condition is on the coordinates from
// `first` on.
#pragma once

#include <vector>

#include "fcbio/types.hpp"

namespace fcbio::sets {

struct Conditions {
  struct Plane {  ///< <normal, x> <= value
    Index first;
    const Vector* normal;
    double value;
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
  std::vector<Round> balls;
  std::vector<Round> l1_balls;
  std::vector<Sides> sides;
  std::vector<Equation> equations;
};

}  // namespace fcbio::sets
