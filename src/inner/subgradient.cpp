#include "inner/subgradient.hpp"

#include <cmath>

#include "core/checkpoints.hpp"

namespace fcbio {

SubgradientSolver::SubgradientSolver(Oracle& oracle, double upper_lipschitz, double lower_lipschitz,
                                     SubgradientOptions options)
    : InnerSolver(oracle),
      lipschitz_{upper_lipschitz, lower_lipschitz},
      options_(options),
      at_x_{Linearization(oracle.problem().upper()), Linearization(oracle.problem().lower())},
      average_(oracle.problem()) {}

double SubgradientSolver::lipschitz(const Target& target) const {
  return std::max(target.uses_upper ? lipschitz_.upper : 0.0,
                  target.uses_lower ? target.scale * lipschitz_.lower : 0.0);
}

std::optional<std::int64_t> SubgradientSolver::theory_budget(const Target& target, double tolerance) const {
  const std::optional<double> diameter = oracle_.problem().domain().diameter();
  if (!diameter) return std::nullopt;
  const double fixed_horizon = std::pow(*diameter * lipschitz(target) / tolerance, 2);
  double steps = std::ceil(fixed_horizon);
  if (options_.anytime) {
    // With eta_k = D / (C sqrt k) the gap is at most (D^2/2 + C^2/2 sum eta_k^2) / sum eta_k, and since
    // sum 1/k <= 1 + ln K and sum 1/sqrt k >= sqrt K, that is at most D C (2 + ln K) / (2 sqrt K).
    for (int refine = 0; refine < 30; ++refine)
      steps = std::ceil(fixed_horizon * std::pow(1.0 + 0.5 * std::log(std::max(steps, 1.0)), 2));
  }
  return static_cast<std::int64_t>(std::clamp(steps, 1.0, 9e15));
}

double SubgradientSolver::step_length(const Target& target, std::int64_t k, std::int64_t budget) const {
  if (options_.eta > 0.0) return options_.eta;
  const double constant = lipschitz(target);
  const double diameter = oracle_.problem().domain().diameter().value_or(1.0);
  const double reach = diameter > 0.0 ? diameter : 1.0;  // a single point: no step leaves it
  if (constant <= 0.0) return reach;                     // constant objectives: nothing moves
  return reach / (constant * std::sqrt(static_cast<double>(options_.anytime ? k : budget)));
}

RunEnd SubgradientSolver::run(const Target& target, Point& x, std::int64_t budget, Judge& judge) {
  Monitor& monitor = oracle_.monitor();
  std::int64_t cost = 0;
  for (Level level : kLevels)
    if (target.uses(level)) cost += oracle_.step_cost(level) + oracle_.problem().function(level).cost().value;

  double weights = 0.0;
  std::int64_t k = 1;
  const Frame frame(monitor, [&](Archive& archive) { archive(weights, k, x, average_, averages_); });
  if (!frame.is_resumed())
    for (Level level : kLevels) averages_[level].clear();
  const auto value = [&](Level level, const Point& point) {
    return target.uses(level) ? oracle_.value(level, point) : kUnknown;
  };
  for (; k <= budget; ++k) {
    monitor.safe_point();
    if (!monitor.may_iterate(cost)) return RunEnd::by_monitor;
    const double f = value(Level::upper, x), g = value(Level::lower, x);
    const bool steps_on_upper =
        !target.uses_lower || (target.uses_upper && target.upper_part(f) >= target.lower_part(g));
    const Level active = steps_on_upper ? Level::upper : Level::lower;
    Linearization& at_x = at_x_[active];
    oracle_.linearize(active, x, at_x);
    if (monitor.stopped()) return RunEnd::by_monitor;

    const double eta = step_length(target, k, budget);
    weights += eta;
    const double share = eta / weights;
    average_.set_combination(1.0 - share, average_, share, x);
    for (Level level : kLevels)
      averages_[level].blend(1.0 - share, level == active ? share : 0.0, at_x_[level], x.x);

    // The judge sees the better of the current point and the average; at the end of a fixed budget the average,
    // which is the method's answer.
    const double average_f = value(Level::upper, average_), average_g = value(Level::lower, average_);
    const bool average_is_better =
        (k == budget && !options_.anytime) || target.psi(average_f, average_g) <= target.psi(f, g);
    Progress progress;
    const bool ended = judge.ends_run({k, average_is_better ? average_f : f, average_is_better ? average_g : g,
                                       average_is_better ? &average_ : &x, k == budget},
                                      progress);
    progress.upper_value = average_is_better ? average_f : f;
    progress.lower_value = average_is_better ? average_g : g;
    progress.x = average_is_better ? &average_.x : &x.x;
    monitor.iteration_done(progress);
    if (ended) {
      if (average_is_better) x = average_;
      return RunEnd::by_judge;
    }
    if (k == budget) break;

    x.x -= (eta * (active == Level::upper ? 1.0 : target.scale)) * at_x.gradient;
    oracle_.project(x.x);
    for (Level level : kLevels)
      if (target.uses(level)) oracle_.update_images(level, x);
  }
  x = average_;
  return RunEnd::by_budget;
}

}  // namespace fcbio
