#include "inner/row_bound.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/sweeps.hpp"

namespace fcbio {
namespace {

// The best place of a concave function on [0, 1] is near 0, as a rule: steps from there that grow, then golden sections.
constexpr double kFirstStep = 2e-4, kStepGrowth = 6.0;
constexpr int kSections = 7;
constexpr double kGolden = 0.381966;
constexpr double kLeastScale = 0.05;
// Multiplications that the conjugate of a row takes the time of.
constexpr double kOfRow = 2.0, kOfCurvedRow = 10.0;  // logarithms

struct Height {
  double at = 0.0, value = -kInfinity;
};

double operations_of(const Term& term) {
  const bool plain = term.loss() == nullptr || std::holds_alternative<DualBoxShape>(term.loss()->shape()) ||
                     std::holds_alternative<MaxAffineShape>(term.loss()->shape());
  return (plain ? kOfRow : kOfCurvedRow) * static_cast<double>(term.dual_size());
}

/// `at_zero`: the value at 0.  `end`: 1, or 0 where there is nothing to search.
template <class Value>
Height highest(double at_zero, const Value& value, double end = 1.0) {
  Height best{0.0, at_zero};
  if (end == 0.0) return best;
  double left = 0.0, right = 1.0;
  const auto look = [&](double at) {
    const double found = value(at);
    if (found > best.value) best = {at, found};
    return found;
  };
  double before = at_zero;
  for (double at = kFirstStep, last = 0.0;; at = std::min(1.0, kStepGrowth * at)) {
    const double found = look(at);
    if (!(found > before)) {
      right = at;
      break;
    }
    left = last;
    last = at;
    before = found;
    if (at >= 1.0) break;
  }
  if (best.at == 0.0) return best;  // no better within the first step
  double inner = left + kGolden * (right - left), outer = right - kGolden * (right - left);
  double inner_value = look(inner), outer_value = look(outer);
  for (int turn = 0; turn < kSections; ++turn) {
    if (inner_value > outer_value) {
      right = outer;
      outer = inner, outer_value = inner_value;
      inner = left + kGolden * (right - left), inner_value = look(inner);
    } else {
      left = inner;
      inner = outer, inner_value = outer_value;
      outer = right - kGolden * (right - left), outer_value = look(outer);
    }
  }
  return best;
}

bool zero_is_dual(const Problem& problem) {
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts()) {
      if (!RowDuals::covers(part)) continue;
      Vector dual = Vector::Zero(part.term->dual_size());
      part.term->repair_dual(dual);
      if (!dual.isZero(0.0) || !std::isfinite(part.term->dual_constant(dual))) return false;
      // A slope that is not linear in the dual (a tangent's, say) is not scaled by it.
      if (part.term->loss() == nullptr) return false;
    }
  return true;
}

}  // namespace

RowDuals::RowDuals(const Problem& problem)
    : duals{problem.upper().make_duals(), problem.lower().make_duals()},
      slopes{Vector::Zero(problem.dimension()), Vector::Zero(problem.dimension())} {
  for (Level level : kLevels)
    for (std::size_t i = 0; i < duals[level].size(); ++i)
      if (!covers(problem.function(level).parts()[i])) duals[level][i].resize(0);
}

void RowDuals::set_combination(double a, const RowDuals& p, double b, const RowDuals& q) {
  for (Level level : kLevels) {
    blend(a, p.slopes[level], b, q.slopes[level], slopes[level]);
    for (std::size_t i = 0; i < duals[level].size(); ++i)
      blend(a, p.duals[level][i], b, q.duals[level][i], duals[level][i]);
  }
}

RowBound::RowBound(Oracle& oracle)
    : oracle_(oracle),
      l1_(oracle.problem()),
      scales_(zero_is_dual(oracle.problem())),
      direction_(oracle.problem()),
      other_(direction_),
      trial_(direction_),
      published_{oracle.problem().upper().make_duals(), oracle.problem().lower().make_duals()},
      own_slope_(Vector::Zero(oracle.problem().dimension())),
      slope_(own_slope_),
      point_(own_slope_),
      residual_(own_slope_),
      dual_(own_slope_) {
  for (Level level : kLevels)
    for (const Function::Part& part : oracle.problem().function(level).parts())
      if (RowDuals::covers(part)) of_conjugates_[level] += operations_of(*part.term);
}

bool RowBound::has_direction() const {
  for (Level level : kLevels)
    if (weights_.uses(level) && !known_level_[level]) return false;
  return true;
}

void RowBound::begin(const Weights& weights) {
  weights_ = weights;
  low_ = -kInfinity;
  known_ = curvature_ = constant_ = 0.0;
  l1_weight_ = l1_.weight(weights);
  own_slope_.setZero();
  const Vector none;
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    const Function& function = oracle_.problem().function(level);
    known_ += weights.of(level) * function.lower_bound();
    curvature_ += weights.of(level) * function.exact_curvature();
    for (const Function::Part& part : function.parts()) {
      if (part.term->dual_size() > 0) continue;
      constant_ += weights.of(level) * part.weight * part.term->dual_constant(none);
      part.term->add_slope(weights.of(level) * part.weight, none, own_slope_);
    }
  }
  if (has_direction()) take(scaled(direction_));
}

// low(a p + b q); leaves the combination in trial_ and the dual of the l1 norm in dual_.
double RowBound::evaluate(double a, const RowDuals& p, double b, const RowDuals& q) {
  double constant = constant_;
  slope_ = own_slope_;
  for (Level level : kLevels) {
    if (!weights_.uses(level)) continue;
    const double weight = weights_.of(level);
    blend(a, p.slopes[level], b, q.slopes[level], trial_.slopes[level]);
    slope_ += weight * trial_.slopes[level];
    operations_ += of_conjugates_[level];
    const std::vector<Function::Part>& parts = oracle_.problem().function(level).parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!RowDuals::covers(parts[i])) continue;
      Vector& dual = trial_.duals[level][i];
      blend(a, p.duals[level][i], b, q.duals[level][i], dual);
      parts[i].term->repair_dual(dual);
      constant += weight * parts[i].weight * parts[i].term->dual_constant(dual);
    }
  }
  if (l1_weight_ > 0.0) {
    l1_.best_dual(oracle_, slope_, curvature_, l1_weight_, point_, dual_);
    slope_ += l1_weight_ * dual_;
    constant -= l1_weight_ * dual_.dot(l1_.centre());
  }
  const double low = minimum_over_domain(oracle_, constant, curvature_, slope_, point_, residual_);
  return std::isnan(low) ? -kInfinity : low;
}

void RowBound::keep(double low) {
  if (!(low > low_)) return;
  low_ = low;
  for (Level level : kLevels) {
    if (!weights_.uses(level)) continue;
    for (std::size_t i = 0; i < published_[level].size(); ++i)
      if (trial_.duals[level][i].size() > 0) published_[level][i] = trial_.duals[level][i];
    if (l1_weight_ > 0.0) l1_.write_dual(level, dual_, published_[level]);
  }
}

// The better of the direction and the new duals, each at its best scale, and what the segment from it to the other has at
// that scale; then the best scale there.  A scale next to nothing says that a direction is not worth much yet: it is
// improved as it is.
void RowBound::offer(const RowDuals& duals) {
  const bool first = !has_direction();
  other_ = duals;
  if (const Scaled alone = scaled(other_); first || alone.value > value_) {
    std::swap(direction_, other_);
    take(alone);
  }
  for (Level level : kLevels) known_level_[level] = known_level_[level] || weights_.uses(level);
  if (first) return;
  const double scale = scale_ > kLeastScale ? scale_ : 1.0;
  const double here = scale == scale_ ? value_ : evaluate(scale, direction_, 0.0, direction_);
  const double share =
      highest(here, [&](double s) { return evaluate(scale * (1.0 - s), direction_, scale * s, other_); }).at;
  if (share == 0.0) return;
  direction_.set_combination(1.0 - share, direction_, share, other_);
  take(scaled(direction_));
}

RowBound::Scaled RowBound::scaled(const RowDuals& duals) {
  const auto at_scale = [&](double less) { return evaluate(1.0 - less, duals, 0.0, duals); };
  const Height best = highest(at_scale(0.0), at_scale, scales_ ? 1.0 : 0.0);
  return {1.0 - best.at, best.value};
}

void RowBound::take(const Scaled& found) {
  scale_ = found.scale;
  value_ = found.value;
  if (found.value > low_) keep(evaluate(scale_, direction_, 0.0, direction_));
}

EngineBound RowBound::bound(double phi) const {
  EngineBound bound;
  if (low_ == -kInfinity) return bound;
  bound.gap = std::max(0.0, phi - low_);
  if (weights_.uses(Level::upper)) bound.upper_duals = &published_.upper;
  if (weights_.uses(Level::lower)) bound.lower_duals = &published_.lower;
  return bound;
}

}  // namespace fcbio
