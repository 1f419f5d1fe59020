// Proofs that a point lies in a set, or within a small distance of it; the one principle for all sets.
//
// Let the set be {M z = v} cut by inequalities, and let x satisfy every inequality with room e: all points within
// e of x satisfy it too.  If a solution z of the equations lies within e of x (equations.hpp), that z is a point
// of the set:
//     distance(x, set) <= e.
// Without equations e = 0, and x itself is the point.  The room is how far x lies inside:
//     plane, row  (value - <a, x>) / |a|        ball     R - |x - c|
//     sides       min of x_j - l_j, u_j - x_j   l1 ball  (R - |x - c|_1) / sqrt(n)
// all evaluated in extended precision and rounded down.  Each is concave in x, so a step from x towards a point s
// with room r raises the room at least linearly: that is how settle() moves a point inside.
//
// A set without interior (rows that leave nothing between them) has no point with room.  But any inequality may be
// taken for an equation: that only makes the set smaller, and what is proved to be in the smaller set is in the
// larger.  The rule, which a checker applies to the point by itself (docs/certificates.md, section 5): planes and rows
// whose slack is at rounding level become equations, coordinates that lie exactly on a side stay there.
#pragma once

#include <memory>
#include <optional>

#include "fcbio/set.hpp"
#include "interior/tight.hpp"
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

  /// The same conditions, with those as equations that are tight everywhere; s is moved onto them.  Null: the others
  /// have no room there.  Rows of `tight` are planes, rows and equations, in this order.
  std::unique_ptr<Membership> tightened(const interior::Tight& tight, Vector& s) const;
  /// The same conditions, with those as equations that the rule above takes at x.
  std::unique_ptr<Membership> picked(VectorIn x) const;

 private:
  enum class Side : signed char { none, lower, upper };
  struct TightRow {
    std::size_t block;  // of conditions_.rows; planes are the block kPlanes
    Index row;
    Side side;
  };
  static constexpr std::size_t kPlanes = static_cast<std::size_t>(-1);

  Membership(Index dimension, Conditions conditions, std::vector<TightRow> tight, std::vector<bool> fixed);
  double distance(VectorIn x) const;
  bool is_tight(std::size_t block, Index row) const;
  /// Whether the rule above, applied to x, takes the equations of this object.
  bool picks_agree(VectorIn x) const;

  Conditions conditions_;
  std::vector<TightRow> tight_;
  std::vector<bool> fixed_;
  Equations equations_;
};

/// Of any set that describes itself; null: it does not.
std::unique_ptr<Membership> membership_of(const ConvexSet& set);

/// s <- a point with much room, found by a barrier method from `start` in the span of the conditions' normals and
/// centres; false: no point with room was found.  The work is bounded by an operation count.
bool find_interior(const Membership& membership, VectorIn start, double size, Vector& s);

/// A membership, its interior point, and where there is none the same for the tightened conditions.
class Settler {
 public:
  /// `start` and `size` as for find_interior.
  Settler(std::unique_ptr<Membership> membership, VectorIn start, double size);
  bool interior_point(VectorOut s) const;
  /// Null: there is an interior, or a ball, or it is not known.
  const interior::Tight* tight() const { return tight_ ? &*tight_ : nullptr; }
  double settle(VectorOut x) const;

 private:
  bool find_deepest(double size);
  double settle_on_face(VectorOut x) const;

  std::unique_ptr<Membership> membership_, tightened_;
  Vector interior_;                      // empty: none with room was found
  std::optional<interior::Tight> tight_;  // of a set without interior
  Vector tight_interior_;                // nothing but rounding away from tight_->x
};

}  // namespace fcbio::sets
