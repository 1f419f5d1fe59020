#include "baselines/cutting_planes.hpp"

#include <cmath>

namespace fcbio {

CuttingPlanes::CuttingPlanes(Oracle& oracle, Index capacity)
    : oracle_(oracle),
      bundle_(oracle.problem(), capacity, LevelProjection::shift_of(oracle.problem())),
      projection_(oracle, capacity),
      dual_(Vector::Zero(capacity)),
      step_dual_(dual_),
      slope_(oracle.problem().start()),
      minimiser_(slope_),
      trial_(slope_) {}

void CuttingPlanes::add(Level level, const Linearization& at_x, VectorIn x) {
  if (bundle_.size() == bundle_.capacity()) make_room();
  dual_[bundle_.size()] = step_dual_[bundle_.size()] = 0.0;
  bundle_.add(level, at_x, x);
}

// Cuts that neither the last minimum nor the last step leant on, the oldest first, until a quarter is free; where
// there is none, the oldest of all.
void CuttingPlanes::make_room() {
  dropped_ = true;
  const auto oldest = [&](bool unused) {
    Index found = -1;
    for (Index i = 0; i < bundle_.size(); ++i)
      if ((!unused || (dual_[i] == 0.0 && step_dual_[i] == 0.0)) &&
          (found < 0 || bundle_.birth(i) < bundle_.birth(found)))
        found = i;
    return found;
  };
  const auto remove = [&](Index i) {
    const Index last = bundle_.size() - 1;
    dual_[i] = dual_[last];
    step_dual_[i] = step_dual_[last];
    bundle_.remove(i);
  };
  const Index keep = bundle_.capacity() - bundle_.capacity() / 4;
  for (Index i = oldest(true); i >= 0 && bundle_.size() > keep; i = oldest(true)) remove(i);
  if (bundle_.size() == bundle_.capacity()) remove(oldest(false));
}

double CuttingPlanes::value(const Target& target, VectorIn x) {
  double largest = -kInfinity;
  for (Index i = 0; i < bundle_.size(); ++i) {
    const double cut = bundle_.slope(i).dot(x) + bundle_.constant(i);
    largest =
        std::max(largest, bundle_.weight(Level::upper, i) > 0.0 ? target.upper_part(cut) : target.lower_part(cut));
  }
  return largest;
}

bool CuttingPlanes::project(const Target& target, double level, VectorIn centre, Vector& nu, VectorOut x) {
  const LevelProjection::Levels levels{target.level + level, target.lower_reference + level / target.scale};
  return projection_.project(bundle_, levels, centre, nu, x);
}

CuttingPlanes::Proof CuttingPlanes::prove(const Vector& nu) {
  Proof proof;
  double constant = 0.0;
  slope_.setZero();
  for (Index i = 0; i < bundle_.size(); ++i) {
    if (!(nu[i] > 0.0)) continue;
    slope_ += nu[i] * bundle_.slope(i);
    constant += nu[i] * bundle_.constant(i);
    (bundle_.weight(Level::upper, i) > 0.0 ? proof.upper : proof.lower) += nu[i];
  }
  if (proof.upper + proof.lower > 0.0) proof.constant = constant + oracle_.linear_lower_bound(slope_);
  return proof;
}

CuttingPlanes::Minimum CuttingPlanes::minimum(const Target& target, double best, double share, double width) {
  constexpr int kMostTrials = 60;
  Minimum found;
  found.low = proof_.bound(target);
  if (!(found.low > -kInfinity)) {  // no proof yet: the newest cut is one
    dual_.head(bundle_.size()).setZero();
    dual_[bundle_.size() - 1] = 1.0;
    proof_ = prove(dual_);
    dual_[bundle_.size() - 1] = 0.0;
    found.low = proof_.bound(target);
  }
  found.high = value(target, minimiser_);
  double depth = 0.5;  // where in the bracket the next trial lies, from its top
  for (int trial = 0; trial < kMostTrials; ++trial) {
    const double bracket = found.high - found.low;
    if (bracket <= std::max(share * (best - found.low), width)) break;
    if (bracket <= 1e-13 * (std::abs(found.high) + std::abs(found.low))) break;
    const double level = found.high - depth * bracket;
    const bool reached = project(target, level, minimiser_, dual_, trial_);
    const Proof proof = prove(dual_);
    double gained = 0.0;
    if (const double low = proof.bound(target); low > found.low) {
      gained += low - found.low;
      found.low = low;
      proof_ = proof;
    }
    if (reached) {
      const double high = value(target, trial_);
      if (high < found.high) {
        gained += found.high - high;
        found.high = high;
        minimiser_ = trial_;
      }
    }
    // A trial that closes most of the bracket was well placed; one that found a point may go deeper.
    depth = reached ? std::min(0.98, 0.5 * (1.0 + depth)) : 0.5 * depth;
    if (!(gained > 0.0)) depth = reached ? 0.5 * depth : depth;
  }
  return found;
}

double CuttingPlanes::root(Target target, double tolerance) {
  constexpr int kMostSteps = 50;
  for (int step = 0; step < kMostSteps; ++step) {
    const Minimum at = minimum(target, -kInfinity, 0.0, 0.1 * tolerance);
    if (!(at.low > tolerance) || !(proof_.upper > 0.0)) break;
    const double next = (proof_.constant - proof_.lower * target.lower_reference) / proof_.upper;
    if (!(next > target.level)) break;
    target.level = next;
  }
  return target.level;
}

void CuttingPlanes::project(const Target& target, double level, Vector& x) {
  if (project(target, level, x, step_dual_, trial_))
    x = trial_;
  else
    x = minimiser_;
}

}  // namespace fcbio
