// The arithmetic of proofs.  A bound is called proved only if it survives floating point: every function here
// evaluates afresh from x or from duals and moves the result to the safe side by a bound of its own rounding error
// (the terms bound theirs; sums and products over n numbers are charged n * epsilon * magnitudes).
#pragma once

#include <vector>

#include "core/oracle.hpp"
#include "core/state.hpp"

namespace fcbio {

/// A value and a bound of its floating-point error.
struct CheckedValue {
  double value = 0.0;
  double rounding = 0.0;
};
/// Images are recomputed from point.x, so that drift of carried images cannot enter a proof.
CheckedValue checked_value(Oracle& oracle, Level level, Point& point);

/// g at a point of Z, from above: point.x is projected and settled (ConvexSet::settle), and what g may change on
/// the proved way that is left to Z is allowed for: infinitely much where nothing is proved, and then the bound
/// that needs it is dropped.
CheckedValue checked_reference(Oracle& oracle, Point& point);

/// One function of a Lagrangian: its factor (1 for f, mu for g) and one dual per part.
struct DualPart {
  Level level;
  double factor;
  const PartVectors* duals;
};
/// What an engine that has found a bound knows about its proof, so that none of it is searched for again.
struct BoundHint {
  SetWitness domain;  ///< for the linear bound over Z (ConvexSet::prove_linear_bound, take_duals); empty: none
  Vector point;       ///< where an exactly kept curvature is linearised; empty: at a projection
  void archive(Archive& archive) { archive(domain, point); }
};
/// A number that is at most min over Z of the sum of factor * function; -infinity where nothing can be proved.
/// `witness` receives what proves it.  A null `hint`: none.
double prove_minimum(Oracle& oracle, const std::vector<DualPart>& parts, BoundWitness& witness,
                     const BoundHint* hint = nullptr);

/// low - mu g(reference), rounded down.
double lagrangian_bound(double low, double mu, const CheckedValue& reference);
/// value - bound, rounded up: an upper bound of value - (the number that `bound` bounds from below).
double excess(const CheckedValue& value, double bound);

}  // namespace fcbio
