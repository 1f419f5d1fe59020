// How deep a point lies inside a set.
#pragma once

#include <optional>

#include "fcbio/set.hpp"

namespace fcbio {

/// Whether depth_in() knows this set: one that tells its inequalities, and has no equations.
bool depth_is_known(const ConvexSet& set);

/// A lower bound d of the distance from `point` to what is outside the set, rounding allowed for: the ball of
/// radius d about the point lies in the set.  Negative outside, infinite in a whole space without a radius; with
/// one, it is the depth in the ball that was told.  Empty: not known for this kind of set.
std::optional<double> depth_in(const ConvexSet& set, VectorIn point);

}  // namespace fcbio
