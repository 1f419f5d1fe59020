// Dykstra's algorithm: the projection of a target w on an intersection of sets that can each be projected on.
//
// It keeps one correction q_i per member and a point x with  x + sum of q_i = w.  A cycle visits the members in
// order:
//     y = x + q_i,   x <- projection of y on member i,   q_i <- y - x,
// so q_i is always a normal of member i at the point last projected on it.  This is exact block ascent on the dual
// of the projection problem, so it converges from any corrections, not only from zero; the warm start uses that.
// When no member moves x any more, x lies in all of them and w - x is a sum of their normals: x is the projection.
// The stop therefore looks at the largest move of a member within a cycle.  (The change of x from cycle to cycle
// is no test: it can be zero for many cycles while the corrections still travel.)
//
// Once the faces are settled the corrections follow a fixed affine rule, and its slowest part dominates: the steps
// become parallel with a constant ratio.  Every kPeriod cycles that ratio is measured, and where it is clear the
// corrections jump to the limit it predicts.  A jump that does not make the next moves smaller is taken back.
#pragma once

#include <vector>

#include "fcbio/set.hpp"

namespace fcbio::sets {

struct DykstraOutcome {
  double movement = 0.0;  ///< largest move of a member in the last cycle
  int cycles = 0;
  bool converged = false;    ///< movement at the level asked for, or at rounding level
  bool at_rounding = false;  ///< more cycles would only move noise
};

class Dykstra {
 public:
  /// Takes slots 0 .. kSlots-1 of the scratch and child i for member i; all must outlive this object.
  Dykstra(const std::vector<ConvexSetPtr>& members, Index dimension, Scratch& scratch);
  static constexpr std::size_t kSlots = 6;

  /// A new target.  The corrections are multiplied by `keep`; 0 starts afresh.
  void aim(VectorIn target, double keep);
  /// Cycles until no member moves x by more than `tolerance` (or rounding level, whichever is larger).
  DykstraOutcome run(double tolerance, int max_cycles);
  /// Projects x on one member after the other, keeping the best point seen, until the largest violation is at
  /// rounding level or no longer falls.  The corrections stay; returns that violation.
  double polish(int max_cycles);

  /// The watch of the scratch asked to stop: the point is not the projection, the corrections are what they are.
  bool gave_up() const { return gave_up_; }
  Vector& point() { return point_; }
  Eigen::Map<const Vector> correction(std::size_t member) const {
    return {corrections_.data() + static_cast<Index>(member) * dimension_, dimension_};
  }
  double largest_violation(VectorIn x) const;

 private:
  double cycle();
  void balance();  // x <- w - sum of q_i, and the rounding level that goes with these numbers
  bool jump();     // false: the steps do not follow one ratio

  const std::vector<ConvexSetPtr>& members_;
  Index dimension_;
  Scratch& scratch_;
  Vector& target_;       // w
  Vector& point_;        // x
  Vector& before_;       // x before a projection; the best point while polishing
  Vector& corrections_;  // all q_i, one after the other
  Vector& saved_;        // corrections of an earlier cycle
  Vector& step_;         // their last change but one
  double rounding_ = 0.0;
  bool gave_up_ = false;
  double reach_ = 0.0;  // largest number of cycles a jump may stand for
};

}  // namespace fcbio::sets
