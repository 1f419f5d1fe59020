// The nearest point to c in the intersection of two halfspaces of which the second one is {z : <x - c, z - x> >=
// 0}, the halfspace on whose boundary x is the nearest point to c:
//
//     minimise |z - c|^2   over   <G, x - z> >= depth,   <x - c, z - x> >= 0.
//
// Optimality: z = c - l1 G + l2 (x - c), l1, l2 >= 0, each 0 where its inequality is slack.  Four active sets:
//     none         z = c, where c satisfies both (x = c, or nothing to cut)
//     first        z = c - r/|G|^2 G,   r = <G, c - x> + depth
//     second       z = x, where depth <= 0 or G = 0
//     both         z = x - l1 P,   P = G - <G, d>/|d|^2 d,   d = x - c,   l1 = depth / |P|^2
// In the last one l2 = 1 + l1 <G, d>/|d|^2.  It is written from x, not from c, so that nothing cancels when x
// barely moves.
#pragma once

#include <algorithm>

#include "fcbio/types.hpp"

namespace fcbio {

/// z <- the nearest point.  False: the halfspaces do not meet (parallel, to rounding); z is then x.
inline bool nearest_in_two_halfspaces(VectorIn c, VectorIn x, VectorIn g, double depth, VectorOut z) {
  const double squared = g.squaredNorm();
  const double distance = (x - c).squaredNorm();
  const double along = g.dot(x - c);  // <G, d>
  if (!(squared > 0.0)) {
    z = x;
    return !(depth > 0.0);
  }
  const double first = std::max(0.0, (depth - along) / squared);
  z = c - first * g;
  if ((x - c).dot(z - x) >= 0.0) return true;
  z = g - (along / distance) * (x - c);
  const double across = z.squaredNorm();
  if (!(across > 64.0 * kEpsilon * kEpsilon * squared)) {
    z = x;
    return false;
  }
  z = x - (std::max(0.0, depth) / across) * z;
  return true;
}

}  // namespace fcbio
