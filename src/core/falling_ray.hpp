// Rays of a set along which a linear function falls for ever.
//
// d is a ray of {low <= A x <= high} where (Ad)_i <= 0 for every finite high_i and >= 0 for every finite low_i; sides of
// x are rows of the identity.  With M d = 0 for some data M and |d_j| <= 1 that is a polyhedron K.  A linear programme
// finds a point of K with small <cost, d>; a step towards the middle of K gives every inequality room, and
// ConvexSet::settle proves a distance e within which a true point d' of K lies, equations and all.  Then
//     <cost, d'> <= <cost, d> + |cost| e < 0
// is the proof.  What is not proved is not told.
#pragma once

#include <optional>
#include <vector>

#include "fcbio/linear_map.hpp"
#include "fcbio/set.hpp"

namespace fcbio {

struct RayConditions {
  Vector cost;                         ///< <cost, d> < 0
  Vector not_rising;                   ///< <not_rising, d> <= 0; empty: nothing is asked
  std::vector<const LinearMap*> flat;  ///< M d = 0
};

/// Within rounding of a ray that meets the conditions; empty: none was found, which proves nothing.
std::optional<Vector> falling_ray(const SetShape& shape, const RayConditions& conditions);

}  // namespace fcbio
