// Proofs that a point lies in a set, or within a small distance of it; the one principle for all sets.
//
// Let the set be {M z = v} cut by inequalities, and let x satisfy every inequality with room e: all points within
// e of x satisfy it too.  If a solution z of the equations lies within e of x (equations.hpp), that z is a point
// of the set:
//     distance(x, set) <= e.
// Without equations e = 0, and x itself is the point.  The room is how far x lies inside:
//     plane   (value - <a, x>) / |a|        ball     R - |x - c|
//     sides   min of x_j - l_j, u_j - x_j   l1 ball  (R - |x - c|_1) / sqrt(n)
// all evaluated in extended precision and rounded down.  Each is concave in x, so a step from x towards a point s
// with room r raises the room at least linearly: that is how settle() moves a point inside.
#pragma once

#include <memory>

#include "fcbio/set.hpp"
#include "sets/equations.hpp"

namespace fcbio::sets {

class Membership {
 public:
  Membership(Index dimension, Conditions conditions);

  const Conditions& conditions() const { return conditions_; }
  const Equations& equations() const { return equations_; }
  const std::vector<bool>& fixed() const { return fixed_; }

  /// How far x lies inside the inequalities, from below; negative outside.  A coordinate that is fixed counts only
  /// when it is wrong.
  double room(VectorIn x) const;
  /// See ConvexSet::settle; `interior` may be empty.
  double settle(VectorOut x, const Vector& interior) const;

 private:
  double distance(VectorIn x) const;

  Conditions conditions_;
  std::vector<bool> fixed_;
  Equations equations_;
};

/// Of any set that describes itself; null: it does not.
std::unique_ptr<Membership> membership_of(const ConvexSet& set);

/// s <- a point with much room, found by a barrier method from `start` in the span of the conditions' normals and
/// centres; false: no point with room was found.  The work is bounded by an operation count.
bool find_interior(const Membership& membership, VectorIn start, double size, Vector& s);

}  // namespace fcbio::sets
