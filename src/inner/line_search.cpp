#include "inner/line_search.hpp"

#include <cmath>

namespace fcbio {
namespace {

constexpr double kTolerance = 1e-4;  // tighter than 1e-3 buys nothing, looser loses iterations
constexpr int kMostSearchTrials = 40;

}  // namespace

LineSearch::LineSearch(const Problem& problem)
    : trial_(problem), duals_{problem.upper().make_duals(), problem.lower().make_duals()} {
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts()) needs_x_ |= part.term->image_size() == 0;
  trial_cost_ = problem.upper().cost().slope_along + problem.lower().cost().slope_along;
}

double LineSearch::slope(Oracle& oracle, const Weights& weights, const Point& x, const Point& direction,
                         double alpha) {
  if (needs_x_) trial_.x = x.x + alpha * direction.x;
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    PartVectors& images = trial_.images_of(level);
    for (std::size_t i = 0; i < images.size(); ++i)
      images[i] = x.images_of(level)[i] + alpha * direction.images_of(level)[i];
  }
  double sum = 0.0;
  for (Level level : kLevels)
    if (weights.uses(level))
      sum += weights.of(level) * oracle.slope_along(level, trial_, direction, duals_[level]);
  return sum;
}

double LineSearch::search(Oracle& oracle, const Weights& weights, const Point& x, const Point& direction,
                          double slope0, double first, double longest, double linear) {
  double low = 0.0, slope_low = slope0;             // phi' < 0
  double high = kInfinity, slope_high = kInfinity;  // phi' > 0
  double alpha = std::min(first, longest);
  int side = 0;
  for (int trial = 0; trial < kMostSearchTrials; ++trial) {
    if (trial_cost_ > 0 && !oracle.monitor().may_spend(trial_cost_)) return low;
    const double s = linear + slope(oracle, weights, x, direction, alpha);
    if (oracle.monitor().stopped()) return 0.0;  // not finite
    if (std::abs(s) <= kTolerance * std::abs(slope0)) return alpha;
    if (s < 0.0) {
      if (alpha >= longest) return longest;
      const double previous = low, previous_slope = slope_low;
      low = alpha, slope_low = s;
      if (side < 0) slope_high *= 0.5;  // Illinois
      side = -1;
      if (high == kInfinity) {  // extrapolate, at most ten times as far
        const double secant =
            s > previous_slope ? alpha - s * (alpha - previous) / (s - previous_slope) : kInfinity;
        alpha = std::min({std::max(secant, 1.2 * alpha), 10.0 * alpha, longest});
        continue;
      }
    } else {
      high = alpha, slope_high = s;
      if (side > 0) slope_low *= 0.5;
      side = 1;
    }
    if (high - low <= 1e-14 * high) return low;
    alpha = slope_high < kInfinity ? (low * slope_high - high * slope_low) / (slope_high - slope_low)
                                   : 0.5 * (low + high);
    if (!(alpha > low && alpha < high)) alpha = 0.5 * (low + high);
  }
  return low;
}

}  // namespace fcbio
