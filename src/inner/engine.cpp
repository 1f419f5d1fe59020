#include "inner/engine.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio {

Index stored_numbers(const Problem& problem) {
  Index numbers = 0;
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts())
      if (const LinearMap* map = part.term->map(); map != nullptr && !map->free()) numbers += map->numbers();
  return std::max(problem.dimension(), numbers);
}

double Iterate::phi(const Weights& weights) const {
  double sum = 0.0;
  for (Level level : kLevels)
    if (weights.uses(level)) sum += weights.of(level) * value(level);
  return sum;
}

void Iterate::gradient(const Weights& weights, VectorOut out) const {
  if (weights.uses(Level::upper) && weights.uses(Level::lower)) {
    out = weights.upper * at.upper.gradient + weights.lower * at.lower.gradient;
    return;
  }
  out.setZero();
  for (Level level : kLevels)
    if (weights.uses(level)) out += weights.of(level) * at[level].gradient;
}

void Iterate::linearize(Oracle& oracle, Level level) {
  oracle.linearize(level, point, at[level]);
  values[level] = at[level].value;
  linearized[level] = true;
}

namespace {

/// A bound that overflows is none; where not even an absurd multiplier is to blame, the data are.
EngineBound checked(Oracle& oracle, const Weights& weights, const EngineBound& bound) {
  constexpr double kAbsurd = 1e100;
  if (std::isfinite(bound.gap)) return bound;
  if (!(weights.lower > kAbsurd))
    oracle.monitor().stop(
        Status::not_finite,
        "a linear bound over the domain overflows double precision: the gradients, or the size of "
        "the domain, are too large to be squared; rescale the data and weights");
  return {};
}

}  // namespace

// With z' the minimiser over Z of the minorant, the square is at least its tangent at z', which leaves a linear
// function for the set to bound:
//   min over Z  >=  phi(x) - curvature/2 |z' - x|^2 + min over Z of <phi'(x) + curvature (z' - x), z> - <.., x>.
double tangent_gap(Oracle& oracle, VectorIn x, VectorIn gradient, double curvature, Vector& point, Vector& slope) {
  if (curvature <= 0.0) return gradient.dot(x) - oracle.linear_lower_bound(gradient);
  point = x - gradient / curvature;
  oracle.project_where_bounded(point);
  slope = gradient + curvature * (point - x);
  return 0.5 * curvature * (point - x).squaredNorm() + slope.dot(x) - oracle.linear_lower_bound(slope);
}

TangentBound::TangentBound(const Problem& problem)
    : gradient_(Vector::Zero(problem.dimension())), slope_(gradient_), point_(gradient_) {}

EngineBound TangentBound::at(Oracle& oracle, const Weights& weights, const Iterate& iterate) {
  EngineBound bound;
  double curvature = 0.0;
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    curvature += weights.of(level) * oracle.problem().function(level).exact_curvature();
    (level == Level::upper ? bound.upper_duals : bound.lower_duals) = &iterate.at[level].duals;
  }
  iterate.gradient(weights, gradient_);
  bound.gap = tangent_gap(oracle, iterate.point.x, gradient_, curvature, point_, slope_);
  return checked(oracle, weights, bound);
}

}  // namespace fcbio
