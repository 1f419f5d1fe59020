// Intersections.  For every split s = s_1 + ... + s_k,
//     min over Z_1 n ... n Z_k of <s, z>  >=  sum_i  min over Z_i of <s_i, z>,
// so any split gives a bound, and the work is only to find a good one.  Duality says that the best split is exact.
//
// The proximal point method x <- P(x - step * s), P the projection on the intersection, ends at a minimiser.
// Dykstra's algorithm computes P with corrections q_i that satisfy  x + sum q_i = w  for the point w to be
// projected, each q_i normal to Z_i; so s = sum(-q_i / step) + (previous x - x) / step, and the last part
// vanishes.  Stopped anywhere, -q_i / step for all members but one and the rest of s for that one is a split that
// adds up exactly.
#include <algorithm>

#include "region.hpp"

namespace fcbio::verify {
namespace {

/// The step grows to this many typical lengths of the region.
constexpr Real kLongestStep = 64;

/// Dykstra's algorithm; the corrections can be carried from one target to the next.
class Dykstra {
 public:
  Dykstra(const std::vector<Region>& members, std::size_t dimension)
      : members_(members), x_(dimension, 0), corrections_(members.size(), RealVector(dimension, 0)) {}

  const RealVector& x() const { return x_; }
  const RealVector& correction(std::size_t i) const { return corrections_[i]; }

  /// Sets x so that x + sum of corrections = target.
  void aim(std::span<const Real> target) {
    for (std::size_t j = 0; j < x_.size(); ++j) {
      Accumulator rest;
      rest.add(target[j]);
      for (const RealVector& correction : corrections_) rest.add(-correction[j]);
      x_[j] = rest.value();
    }
  }

  void scale_corrections(Real factor) {
    for (RealVector& correction : corrections_) {
      for (Real& number : correction) number *= factor;
    }
  }

  /// One projection on every member; returns how far the corrections moved.
  Real sweep() {
    Real moved = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      for (std::size_t j = 0; j < x_.size(); ++j) x_[j] += corrections_[i][j];
      const RealVector pulled = x_;
      project(members_[i], x_);
      Real square = 0;
      for (std::size_t j = 0; j < x_.size(); ++j) {
        const Real correction = pulled[j] - x_[j];
        square += (correction - corrections_[i][j]) * (correction - corrections_[i][j]);
        corrections_[i][j] = correction;
      }
      moved += std::sqrt(square);
    }
    return moved;
  }

 private:
  const std::vector<Region>& members_;
  RealVector x_;
  std::vector<RealVector> corrections_;
};

/// Sweeps that keep the work of one call near a few seconds at most; a count, so that results never depend on
/// time.
int allowed_sweeps(std::size_t members, std::size_t dimension) {
  const double sweeps = 1e9 / (20.0 * static_cast<double>(members * dimension));
  return static_cast<int>(std::clamp(sweeps, 300.0, 40000.0));
}

/// The bound of the split -q_i/step with the rest of the slope given to member `rest`.
Number bound_of_split(const Region& region, std::span<const Number> slope, const Dykstra& dykstra, Real step,
                      std::size_t rest) {
  std::vector<Accumulator> left(slope.size());
  for (std::size_t j = 0; j < slope.size(); ++j) left[j].add(slope[j]);
  Accumulator sum;
  std::vector<Number> part(slope.size());
  for (std::size_t i = 0; i < region.parts.size(); ++i) {
    if (i == rest) continue;
    for (std::size_t j = 0; j < slope.size(); ++j) {
      part[j] = exact(-dykstra.correction(i)[j] / step);
      left[j].add(-part[j].value);
    }
    const Number bound = linear_lower_bound(region.parts[i], part);
    if (!std::isfinite(bound.value)) return bound;
    sum.add(bound);
  }
  for (std::size_t j = 0; j < slope.size(); ++j) part[j] = left[j].number();
  const Number bound = linear_lower_bound(region.parts[rest], part);
  if (!std::isfinite(bound.value)) return bound;
  sum.add(bound);
  return sum.number();
}

/// A length typical of the region: half the width of a bounded member in some direction.
Real typical_length(const Region& region, std::span<const Number> direction, Real direction_norm) {
  Real length = kRealInfinity;
  for (const Region& part : region.parts) {
    if (!is_bounded(part)) continue;
    std::vector<Number> there(direction.size()), back(direction.size());
    for (std::size_t j = 0; j < direction.size(); ++j) {
      there[j] = exact(direction[j].value);
      back[j] = exact(-direction[j].value);
    }
    const Real width = -linear_lower_bound(part, there).value - linear_lower_bound(part, back).value;
    if (width > 0) length = std::min(length, width / (2 * direction_norm));
  }
  return std::isfinite(length) ? length : 1;
}

}  // namespace

void project_on_all(const std::vector<Region>& members, std::span<Real> x) {
  Dykstra dykstra(members, x.size());
  dykstra.aim(x);
  const Real scale = 1 + norm(x);
  const int sweeps = allowed_sweeps(members.size(), x.size());
  for (int k = 0; k < sweeps; ++k) {
    if (dykstra.sweep() <= kRounding * scale) break;
  }
  std::copy(dykstra.x().begin(), dykstra.x().end(), x.begin());
}

Number split_lower_bound(const Region& region, std::span<const Number> slope) {
  const std::size_t n = slope.size();
  RealVector s(n);
  for (std::size_t j = 0; j < n; ++j) s[j] = slope[j].value;
  const Real slope_norm = norm(s);
  Number best{-kRealInfinity, kRealInfinity};
  const auto keep_better = [&best](const Number& bound) {
    if (!std::isfinite(best.value) || bound.value - bound.error() > best.value - best.error()) best = bound;
  };
  for (const Region& part : region.parts) keep_better(linear_lower_bound(part, slope));
  if (slope_norm == 0) return best;

  const Real length = typical_length(region, slope, slope_norm);
  const Real negligible = kRounding * slope_norm * length;
  Real step = length / slope_norm;
  Dykstra dykstra(region.parts, n);
  RealVector anchor(n, 0), target(n);
  int sweeps_left = allowed_sweeps(region.parts.size(), n);
  int rounds_without_gain = 0;
  while (sweeps_left > 0 && rounds_without_gain < 30) {
    for (std::size_t j = 0; j < n; ++j) target[j] = anchor[j] - step * s[j];
    dykstra.aim(target);
    for (int k = 0; k < 400 && sweeps_left > 0; ++k, --sweeps_left) {
      const Real moved = dykstra.sweep();
      Real square = 0;
      for (std::size_t j = 0; j < n; ++j) square += (dykstra.x()[j] - anchor[j]) * (dykstra.x()[j] - anchor[j]);
      if (moved <= std::max(Real{0.05} * std::sqrt(square), kRounding * length)) break;
    }
    anchor = dykstra.x();

    const Real before = best.value;
    for (std::size_t rest = 0; rest < region.parts.size(); ++rest) {
      keep_better(bound_of_split(region, slope, dykstra, step, rest));
    }
    const Real enough = std::isfinite(best.value) ? std::max(negligible, best.error()) : negligible;
    rounds_without_gain = best.value - before > enough ? 0 : rounds_without_gain + 1;
    if (std::abs(dot(s, anchor) - best.value) <= enough) break;
    if (step < kLongestStep * length / slope_norm) {
      step *= 2;
      dykstra.scale_corrections(2);
    }
  }
  return best;
}

}  // namespace fcbio::verify
