#include "solver/skeleton/feasible_segment.hpp"

#include "linalg/sweeps.hpp"

namespace fcbio {

FeasibleSegment::FeasibleSegment(Oracle& oracle)
    : oracle_(oracle),
      is_free_(oracle.problem().upper().cost().value + oracle.problem().lower().cost().value == 0),
      between_(oracle.problem()) {
  for (const Function::Part& part : oracle.problem().lower().parts()) lower_needs_x_ |= part.term->value_needs_x();
}

// Only what g is evaluated from is made; the rest follows for the point that is kept.
double FeasibleSegment::lower_between(const End& inside, const End& outside, double share) {
  if (lower_needs_x_) blend(1.0 - share, inside.point.x, share, outside.point.x, between_.x);
  PartVectors& images = between_.images_of(Level::lower);
  for (std::size_t i = 0; i < images.size(); ++i)
    blend(1.0 - share, inside.point.images_of(Level::lower)[i], share, outside.point.images_of(Level::lower)[i],
          images[i]);
  return oracle_.value(Level::lower, between_);
}

std::optional<FeasibleSegment::Found> FeasibleSegment::search(const End& inside, const End& outside,
                                                              double most_lower, const Rules& rules) {
  constexpr int kBisectEvery = 3;  // a secant alone may creep up from one side
  if (!is_free_) return std::nullopt;
  double in = 0.0, out = 1.0;  // share of the outer end
  const double limit = most_lower - rules.origin;
  double value_in = inside.lower - rules.origin, value_out = outside.lower - rules.origin;
  double reached_lower = inside.lower;
  for (int trial = 0; trial < rules.most_trials && out - in > rules.shortest; ++trial) {
    double share = in + (out - in) * (limit - value_in) / (value_out - value_in);
    if (!(share > in && share < out) || trial % kBisectEvery == kBisectEvery - 1) share = 0.5 * (in + out);
    const double g = lower_between(inside, outside, share);
    if (!(g <= most_lower)) {
      out = share;
      value_out = g - rules.origin;
      continue;
    }
    in = share;
    value_in = g - rules.origin;
    reached_lower = g;
    if (most_lower - g <= rules.near) break;
  }
  if (in == 0.0) return std::nullopt;
  between_.set_combination(1.0 - in, inside.point, in, outside.point);
  return Found{between_, oracle_.value(Level::upper, between_), reached_lower};
}

}  // namespace fcbio
