#include "inner/accelerated.hpp"

#include <cmath>

#include "core/checkpoints.hpp"

namespace fcbio {

AcceleratedSolver::AcceleratedSolver(Oracle& oracle, double upper_smoothness, double lower_smoothness,
                                     AcceleratedOptions options)
    : InnerSolver(oracle),
      smoothness_{upper_smoothness, lower_smoothness},
      options_(options),
      mapping_(oracle, options.mapping_tolerance),
      at_y_{Linearization(oracle.problem().upper()), Linearization(oracle.problem().lower())},
      y_(oracle.problem()),
      next_(oracle.problem()) {}

double AcceleratedSolver::smoothness(const Target& target) const {
  return std::max({target.uses_upper ? smoothness_.upper : 0.0,
                   target.uses_lower ? target.scale * smoothness_.lower : 0.0, options_.smoothness_floor});
}

std::optional<std::int64_t> AcceleratedSolver::theory_budget(const Target& target, double tolerance) const {
  const std::optional<double> diameter = oracle_.problem().domain().diameter();
  if (!diameter) return std::nullopt;
  // alpha0 = 1: 2 L D^2 / K^2 <= tolerance.  Otherwise the paper's 6 L D^2 / K^2, which its proof does not
  // establish.
  const double factor = options_.alpha0 == 1.0 ? 2.0 : 6.0;
  const double steps = std::ceil(*diameter * std::sqrt(factor * smoothness(target) / tolerance));
  return static_cast<std::int64_t>(std::clamp(steps, 1.0, 9e15));
}

RunEnd AcceleratedSolver::run(const Target& target, Point& x, std::int64_t budget, Judge& judge) {
  Monitor& monitor = oracle_.monitor();
  double modulus = smoothness(target);
  std::int64_t cost = 0;
  for (Level level : kLevels)
    if (target.uses(level)) cost += oracle_.step_cost(level);

  Momentum momentum(options_.alpha0);
  std::int64_t k = 1;
  const Frame frame(monitor, [&](Archive& archive) { archive(modulus, momentum, k, x, y_, averages_, mapping_); });
  if (!frame.is_resumed()) {
    for (Level level : kLevels) averages_[level].clear();
    y_ = x;
  }
  for (; k <= budget; ++k) {
    monitor.safe_point();
    if (!monitor.may_iterate(cost)) return RunEnd::by_monitor;
    if (!step(target, modulus)) return RunEnd::by_monitor;

    const double alpha = momentum.alpha();
    if (target.uses_upper) averages_.upper.blend(1.0 - alpha, alpha * lambda_, at_y_.upper, y_.x);
    if (target.uses_lower) averages_.lower.blend(1.0 - alpha, alpha * (1.0 - lambda_), at_y_.lower, y_.x);

    const double beta = options_.momentum ? momentum.advance() : 0.0;
    y_.set_combination(1.0 + beta, next_, -beta, x);
    std::swap(x, next_);

    Progress progress;
    const bool ended = judge.ends_run({k, f_, g_, &x, k == budget}, progress);
    progress.upper_value = f_;
    progress.lower_value = g_;
    progress.x = &x.x;
    monitor.iteration_done(progress);
    if (ended) return RunEnd::by_judge;
  }
  return RunEnd::by_budget;
}

// next_ <- gradient mapping at y_; the descent inequality psi(next) <= model + modulus/2 |next - y|^2, all that
// the convergence proof needs of the smoothness, is checked and the modulus doubled until it holds.
bool AcceleratedSolver::step(const Target& target, double& modulus) {
  constexpr int kMostDoublings = 60;
  Monitor& monitor = oracle_.monitor();
  for (Level level : kLevels)
    if (target.uses(level)) oracle_.linearize(level, y_, at_y_[level]);
  if (monitor.stopped()) return false;
  f_ = g_ = kUnknown;
  for (int doublings = 0;; ++doublings) {
    lambda_ = mapping_.step(target, y_.x, at_y_.upper, at_y_.lower, modulus, next_.x);
    if (target.uses_upper) {
      oracle_.update_images(Level::upper, next_);
      f_ = oracle_.value(Level::upper, next_);
    }
    if (target.uses_lower) {
      oracle_.update_images(Level::lower, next_);
      g_ = oracle_.value(Level::lower, next_);
    }
    if (monitor.stopped()) return false;

    const StepSums& moved = mapping_.sums();
    // Over a step this short (relative length 1e-7) the rounding of the values exceeds the term to be checked.
    if (moved.squared <= 1e-14 * moved.start_squared) return true;
    double model = -kInfinity, magnitude = 0.0;
    if (target.uses_upper) {
      model = target.upper_part(at_y_.upper.value) + moved.along_p;
      magnitude += std::abs(at_y_.upper.value) + std::abs(f_) + std::abs(target.level);
    }
    if (target.uses_lower) {
      model = std::max(model, target.lower_part(at_y_.lower.value) + target.scale * moved.along_q);
      magnitude += target.scale * (std::abs(at_y_.lower.value) + std::abs(g_) + std::abs(target.lower_reference));
    }
    const double rounding = 1e-12 * magnitude;
    if (target.psi(f_, g_) <= model + 0.5 * modulus * moved.squared + rounding || doublings == kMostDoublings)
      return true;
    modulus *= 2.0;
    std::int64_t again = 0;
    for (Level level : kLevels)
      if (target.uses(level)) {
        const PassCost price = oracle_.problem().function(level).cost();
        again += price.image + price.value;
      }
    if (!monitor.may_spend(again)) return false;
  }
}

}  // namespace fcbio
