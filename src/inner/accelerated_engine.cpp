#include "inner/accelerated_engine.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio {
namespace {

constexpr double kShrink = 0.95;  // of L from step to step: curvature may have fallen
constexpr double kGrow = 1.7;
constexpr double kForget = 0.98;  // of the curvature seen per level, from step to step
constexpr int kMostStepTrials = 200;
constexpr double kRounding = 1e-14;  // relative error granted to a value
constexpr int kCheckEvery = 5;       // steps between evaluations of the bound, but for the first ones
constexpr int kAlwaysCheck = 10;
// Steps without progress, of value or bound, before the engine gives up; below its own rounding a value makes
// none.
constexpr StallRules kStallRules{.lower = 4.0 * kEpsilon, .most_idle = 199};

}  // namespace

AcceleratedEngine::AcceleratedEngine(Oracle& oracle, AcceleratedEngineOptions options)
    : Engine(oracle),
      options_(options),
      l1_(oracle.problem()),
      descent_(oracle),
      y_(oracle.problem()),
      previous_(oracle.problem()),
      next_(oracle.problem()),
      moved_(oracle.problem()),
      at_y_{Linearization(oracle.problem().upper()), Linearization(oracle.problem().lower())},
      dual_scratch_{oracle.problem().upper().make_duals(), oracle.problem().lower().make_duals()},
      averages_{MinorantAverage(oracle.problem().upper()), MinorantAverage(oracle.problem().lower())},
      best_averages_(averages_),
      best_duals_(dual_scratch_),
      watch_(kStallRules),
      slope_(Vector::Zero(oracle.problem().dimension())),
      point_(slope_),
      residual_(slope_),
      dual_(slope_) {}

std::string AcceleratedEngine::misfit(const Problem& problem) {
  for (Level level : kLevels) {
    for (const Function::Part& part : problem.function(level).parts()) {
      if (part.weight == 0.0 || part.term->l1_centre() != nullptr || part.term->differentiable()) continue;
      return "a term that is not known to be differentiable: " + std::string(part.term->name());
    }
  }
  return L1Part::misfit(problem);
}

void AcceleratedEngine::archive(Archive& archive) {
  archive(previous_, weight_sum_, carry_, modulus_, largest_modulus_, level_modulus_, restart_due_, fixed_point_,
          averages_, best_averages_, best_duals_, best_used_, best_low_, steps_, steps_at_check_, watch_);
}

std::int64_t AcceleratedEngine::step_cost(const Weights& weights) const {
  std::int64_t passes = 0;
  for (Level level : kLevels)
    if (weights.uses(level)) passes += oracle_.step_cost(level);
  return passes;
}

bool AcceleratedEngine::begin(const Weights& weights, Iterate& at) {
  modulus_ = largest_modulus_ = 0.0;
  for (Level level : kLevels)
    if (weights.uses(level)) modulus_ += weights.of(level) * level_modulus_[level];
  restart_due_ = true;
  fixed_point_ = false;
  watch_ = StallWatch(kStallRules, at.phi(weights));
  steps_ = 0;
  steps_at_check_ = -1;
  // What was known about the functions stays true for other weights.
  best_low_ = -kInfinity;
  bool known = true;
  for (Level level : kLevels) known = known && (!weights.uses(level) || best_used_[level]);
  if (known) evaluate_bound(weights, best_averages_);
  return !oracle_.monitor().stopped();
}

void AcceleratedEngine::combine(const Weights& weights, double p_weight, const Point& p, double q_weight,
                                const Point& q, Point& out) const {
  blend(p_weight, p.x, q_weight, q.x, out.x);
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    PartVectors& images = out.images_of(level);
    for (std::size_t i = 0; i < images.size(); ++i)
      blend(p_weight, p.images_of(level)[i], q_weight, q.images_of(level)[i], images[i]);
  }
}

bool AcceleratedEngine::step(const Weights& weights, Iterate& at) {
  if (fixed_point_) return false;
  if (restart_due_) {
    weight_sum_ = carry_ = 0.0;
    restart_due_ = false;
  }
  double modulus = modulus_, theta = 1.0, added = 0.0;
  Trial trial;
  for (int trials = 0;; ++trials) {
    if (trials == 0 && modulus == 0.0) {  // nothing is known yet: y = x, whatever L is
      combine(weights, 1.0, at.point, 0.0, at.point, y_);
      if (!linearize_at_y(weights, at)) return false;
      modulus = first_modulus(weights);
    } else if (trials == 0 || weight_sum_ > 0.0) {
      added = (1.0 + std::sqrt(1.0 + 4.0 * modulus * weight_sum_)) / (2.0 * modulus);
      theta = added / (weight_sum_ + added);
      // (1 - theta) x + theta z with z = x + carry (x - previous): z itself is never needed.
      const double beta = theta * carry_;
      combine(weights, 1.0 + beta, at.point, -beta, beta != 0.0 ? previous_ : at.point, y_);
      if (!linearize_at_y(weights, at)) return false;
    }
    if (weight_sum_ == 0.0) added = 1.0 / modulus;
    if (!try_step(weights, modulus, at)) return false;
    trial = judge(weights, modulus);
    if (trial.accepted || trials == kMostStepTrials) break;
    modulus = std::max(kGrow * modulus, std::min(trial.modulus, 1e3 * modulus));
    if (!oracle_.monitor().may_spend(step_cost(weights))) return false;
  }

  for (Level level : kLevels)
    if (weights.uses(level)) averages_[level].blend(1.0 - theta, theta, at_y_[level], y_.x);
  if (options_.momentum) {
    carry_ = 1.0 / theta - 1.0;
    weight_sum_ += added;
  }
  // A step from y = x that stays there found a minimiser; the bound may still need this linearisation.
  fixed_point_ = theta == 1.0 && next_.x == at.point.x;
  // (y - x+) L is the gradient mapping at y: where it points along x+ - x, momentum carries uphill.
  restart_due_ = options_.restart && moved_sums_.carried < 0.0;
  std::swap(previous_, at.point);
  std::swap(at.point, next_);
  at.values = next_values_;
  at.linearized = {};
  modulus_ = trial.above_rounding ? std::max(kShrink * modulus, trial.modulus) : modulus;
  ++steps_;
  const double phi = at.phi(weights);
  return !watch_.stalls(phi, phi - best_low_);
}

bool AcceleratedEngine::linearize_at_y(const Weights& weights, const Iterate& at) {
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    if (weight_sum_ == 0.0 && at.linearized[level]) {
      at_y_[level] = at.at[level];
    } else {
      oracle_.linearize(level, y_, at_y_[level]);
    }
    l1_.remove_from(level, at_y_[level]);
  }
  return !oracle_.monitor().stopped();
}

// The first trial moves by a tenth of the diameter; its own inequality then tells the scale of L.
double AcceleratedEngine::first_modulus(const Weights& weights) {
  const double length = 0.1 * oracle_.problem().domain().diameter().value_or(10.0 * std::max(1.0, y_.x.norm()));
  slope_.setZero();
  for (Level level : kLevels)
    if (weights.uses(level)) slope_ += weights.of(level) * at_y_[level].gradient;
  const double slope = slope_.norm();
  return slope > 0.0 && length > 0.0 ? slope / length : 1.0;
}

bool AcceleratedEngine::try_step(const Weights& weights, double modulus, const Iterate& at) {
  // The gradient of a level that is not in use is not looked at: the other one's stands in for it, with weight 0.
  const Vector& f_slope = at_y_[weights.uses(Level::upper) ? Level::upper : Level::lower].gradient;
  const Vector& g_slope = at_y_[weights.uses(Level::lower) ? Level::lower : Level::upper].gradient;
  const Descent by{weights.upper / modulus, weights.lower / modulus};
  if (l1_.empty()) {
    moved_sums_ = descent_.step(y_.x, f_slope, g_slope, at.point.x, by, 0.0, next_.x);
  } else {
    const StepVectors vectors{y_.x, f_slope, g_slope, at.point.x, y_.x};
    descend(vectors, by, 0.0, next_.x);
    l1_.prox(oracle_, l1_.weight(weights) / modulus, next_.x);
    moved_sums_ = step_sums(vectors, by, 0.0, next_.x);
  }
  next_values_ = {kUnknown, kUnknown};
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    oracle_.update_images(level, next_);
    next_values_[level] = oracle_.value(level, next_);
  }
  return !oracle_.monitor().stopped();
}

// s(x+) - s(y) - <s'(y), x+ - y> <= L/2 |x+ - y|^2.  Close to a solution the left side is lost in the rounding of
// the values; there the gradients are compared along the step, <s'(x+) - s'(y), x+ - y> <= L |x+ - y|^2, the same
// for a quadratic, where the images make that free.  Below rounding L is never raised above what was needed
// before.
AcceleratedEngine::Trial AcceleratedEngine::judge(const Weights& weights, double modulus) {
  const PerLevel<double> along{moved_sums_.along_p, moved_sums_.along_q};
  const double squared = moved_sums_.squared;
  if (squared == 0.0) return {.modulus = modulus, .above_rounding = false, .accepted = true};
  const double norm_difference = l1_.norm(next_.x) - l1_.norm(y_.x);
  PerLevel<double> bent;
  double difference = 0.0, magnitude = 0.0, slope_at_y = 0.0;
  bool free_slopes = true;
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    bent[level] = next_values_[level] - at_y_[level].value - l1_.weight(level) * norm_difference - along[level];
    difference += weights.of(level) * bent[level];
    magnitude += weights.of(level) * (std::abs(at_y_[level].value) + std::abs(next_values_[level]));
    slope_at_y += weights.of(level) * along[level];
    free_slopes = free_slopes && oracle_.problem().function(level).cost().slope_along == 0;
  }
  const double rounding = kRounding * magnitude;
  if (std::max(0.5 * modulus * squared, std::abs(difference)) > 100.0 * rounding) {
    const double needed = 2.0 * difference / squared;
    largest_modulus_ = std::max(largest_modulus_, needed);
    for (Level level : kLevels)
      level_modulus_[level] = std::max(kForget * level_modulus_[level], 2.0 * bent[level] / squared);
    return {needed, true, difference <= 0.5 * modulus * squared + rounding};
  }
  if (!free_slopes || modulus >= largest_modulus_) return {modulus, false, true};
  combine(weights, 1.0, next_, -1.0, y_, moved_);
  double slope = -slope_at_y - l1_.weight(weights) * l1_.slope_along(next_.x, moved_.x);
  for (Level level : kLevels)
    if (weights.uses(level))
      slope += weights.of(level) * oracle_.slope_along(level, next_, moved_, dual_scratch_[level]);
  return {std::min(slope / squared, largest_modulus_), false, slope <= modulus * squared};
}

EngineBound AcceleratedEngine::bound(const Weights& weights, const Iterate& at) {
  if (steps_ > 0 && steps_ != steps_at_check_ &&
      (steps_ < kAlwaysCheck || steps_ - steps_at_check_ >= kCheckEvery || restart_due_ || fixed_point_)) {
    evaluate_bound(weights, averages_);
    steps_at_check_ = steps_;
  }
  EngineBound bound;
  if (best_low_ == -kInfinity) return bound;
  bound.gap = std::max(0.0, at.phi(weights) - best_low_);
  if (weights.uses(Level::upper)) bound.upper_duals = &best_duals_.upper;
  if (weights.uses(Level::lower)) bound.lower_duals = &best_duals_.lower;
  return bound;
}

void AcceleratedEngine::evaluate_bound(const Weights& weights, PerLevel<MinorantAverage>& averages) {
  const auto used = [&](Level level) { return weights.uses(level) ? &averages[level] : nullptr; };
  double constant =
      MinorantAverage::combine(weights.upper, used(Level::upper), weights.lower, used(Level::lower), slope_);
  double curvature = 0.0;
  for (Level level : kLevels)
    if (weights.uses(level)) curvature += weights.of(level) * oracle_.problem().function(level).exact_curvature();
  const double l1_weight = l1_.weight(weights);
  if (l1_weight > 0.0) {
    l1_.best_dual(oracle_, slope_, curvature, l1_weight, point_, dual_);
    slope_ += l1_weight * dual_;
    constant -= l1_weight * dual_.dot(l1_.centre());
  }
  const double low = minimum_over_domain(oracle_, constant, curvature, slope_, point_, residual_);
  if (!(low > best_low_)) return;
  best_low_ = low;
  for (Level level : kLevels) {
    best_used_[level] = weights.uses(level);
    if (!weights.uses(level)) continue;
    if (&averages != &best_averages_) best_averages_[level] = averages[level];
    best_duals_[level] = averages[level].duals();
    if (l1_weight > 0.0) l1_.write_dual(level, dual_, best_duals_[level]);
  }
}

}  // namespace fcbio
