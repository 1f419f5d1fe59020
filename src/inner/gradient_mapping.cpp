#include "inner/gradient_mapping.hpp"

#include <cmath>

namespace fcbio {

GradientMapping::GradientMapping(Oracle& oracle, double tolerance) : descent_(oracle), tolerance_(tolerance) {}

GradientMapping::Trial GradientMapping::trial(double lambda, VectorIn y, const Linearization& f,
                                              const Linearization& g, double scale, double smoothness,
                                              VectorOut next) {
  const Descent by{lambda / smoothness, (1.0 - lambda) * scale / smoothness};
  sums_ = descent_.step(y, f.gradient, g.gradient, y, by, scale, next);
  return {value_difference_ + sums_.along_difference, !sums_.is_descent};
}

double GradientMapping::step(const Target& target, VectorIn y, const Linearization& f, const Linearization& g,
                             double smoothness, VectorOut next) {
  if (!target.uses_upper || !target.uses_lower) {
    const Vector& only = (target.uses_upper ? f : g).gradient;
    const Descent by{(target.uses_upper ? 1.0 : target.scale) / smoothness, 0.0};
    sums_ = descent_.step(y, only, only, y, by, 0.0, next);
    return target.uses_upper ? 1.0 : 0.0;
  }

  value_difference_ = target.upper_part(f.value) - target.lower_part(g.value);
  const auto [squared, along] = difference_sums(f.gradient, target.scale, g.gradient);
  double lambda = value_difference_ >= 0.0 ? 1.0 : 0.0;
  if (squared > 0.0)
    lambda = std::clamp((value_difference_ * smoothness - target.scale * along) / squared, 0.0, 1.0);
  const Trial first = trial(lambda, y, f, g, target.scale, smoothness, next);
  if (first.projection_active && squared > 0.0)
    lambda = root(lambda, first, y, f, g, target.scale, smoothness, next);
  last_lambda_ = lambda;
  return lambda;
}

double GradientMapping::root(double lambda, Trial current, VectorIn y, const Linearization& f,
                             const Linearization& g, double scale, double smoothness, VectorOut next) {
  constexpr int kMostTrials = 100;
  double low = 0.0, high = 1.0;  // h(low) > 0 > h(high), once known
  double h_low = kInfinity, h_high = -kInfinity;
  bool tried_last = false;
  int side = 0;  // which end moved last, for the Illinois weight
  for (int trials = 0; trials < kMostTrials; ++trials) {
    const double rounding =
        4.0 * kEpsilon * (std::abs(value_difference_) + std::abs(current.h - value_difference_));
    if (std::abs(current.h) <= std::max(tolerance_, rounding)) return lambda;
    if (current.h > 0.0) {
      if (lambda >= 1.0) return 1.0;
      low = lambda;
      h_low = current.h;
      if (side > 0) h_high *= 0.5;
      side = 1;
    } else {
      if (lambda <= 0.0) return 0.0;
      high = lambda;
      h_high = current.h;
      if (side < 0) h_low *= 0.5;
      side = -1;
    }
    if (high - low <= 2.0 * kEpsilon) return lambda;

    const bool bracketed = h_low < kInfinity && h_high > -kInfinity;
    if (!bracketed && !tried_last && last_lambda_ > low && last_lambda_ < high) {
      lambda = last_lambda_;
      tried_last = true;
    } else if (!bracketed) {
      lambda = h_low < kInfinity ? 1.0 : 0.0;  // the end that was not looked at yet
    } else {
      lambda = (low * h_high - high * h_low) / (h_high - h_low);
      if (!(lambda > low && lambda < high) || trials % 8 == 7) lambda = 0.5 * (low + high);
    }
    current = trial(lambda, y, f, g, scale, smoothness, next);
  }
  return lambda;
}

}  // namespace fcbio
