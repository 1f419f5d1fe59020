#include "baselines/method_run.hpp"

#include <cmath>

#include "core/conclusion.hpp"
#include "core/minorant.hpp"

namespace fcbio {

namespace {

double smoothness_of(const Term& term, SmoothnessKind kind, std::int64_t& passes) {
  const CostedBound bound = term.smoothness();
  passes = bound.passes;
  if (kind == SmoothnessKind::safe || term.map() == nullptr || term.loss() == nullptr)
    return bound.value.value_or(0.0);
  return term.loss()->smoothness().value_or(0.0) * term.map()->norm_bound().nearest;
}

}  // namespace

MethodRun::MethodRun(const Problem& problem, const Accuracy& accuracy, std::int64_t iterations,
                     SmoothnessKind smoothness, Monitor& monitor)
    : problem_(problem),
      accuracy_(accuracy),
      iterations_(iterations),
      kind_(smoothness),
      monitor_(monitor),
      oracle_(problem, monitor),
      l1_(problem),
      at_(problem),
      linearizations_{Linearization(problem.upper()), Linearization(problem.lower())},
      output_(problem.start()) {}

double MethodRun::smoothness(Level level) {
  std::optional<double>& known = smoothness_[level];
  if (known) return *known;
  double sum = 0.0;
  for (const Function::Part& part : problem_.function(level).parts()) {
    if (part.weight == 0.0 || part.term->l1_centre() != nullptr) continue;
    std::int64_t passes = 0;
    sum += part.weight * smoothness_of(*part.term, kind_, passes);
    oracle_.charge(level, passes);
  }
  if (sum == 0.0) {
    const double asked = level == Level::upper ? accuracy_.upper : accuracy_.lower;
    const double diameter = problem_.domain().diameter().value_or(0.0);
    sum = diameter > 0.0 ? asked / (4.0 * diameter * diameter) : 1.0;
  }
  known = sum;
  return sum;
}

double MethodRun::lipschitz(Level level) {
  std::optional<double>& known = lipschitz_[level];
  if (known) return *known;
  Vector centre = problem_.start();
  const double radius = problem_.domain().enclosing_ball(centre).value_or(kInfinity);
  const CostedBound bound = problem_.function(level).lipschitz(centre, radius);
  oracle_.charge(level, bound.passes);
  known = bound.value.value_or(0.0) > 0.0 ? *bound.value : 1.0;  // constant function: any step will do
  return *known;
}

const Linearization& MethodRun::linearize(Level level, VectorIn x) {
  at_.x = x;
  oracle_.update_images(level, at_);
  oracle_.linearize(level, at_, linearizations_[level]);
  return linearizations_[level];
}

const Vector& MethodRun::smooth_gradient(Level level, VectorIn x) {
  linearize(level, x);
  Linearization& at = linearizations_[level];
  if (!l1_.empty()) l1_.remove_from(level, at);
  return at.gradient;
}

double MethodRun::value(Level level, VectorIn x) {
  at_.x = x;
  oracle_.update_images(level, at_);
  return oracle_.value(level, at_);
}

void MethodRun::prox(double step, double upper_weight, double lower_weight, VectorOut x) {
  l1_.prox(oracle_, step * l1_.weight(Weights{upper_weight, lower_weight}), x);
}

std::int64_t MethodRun::evaluation_cost(Level level) const {
  const PassCost cost = problem_.function(level).cost();
  return cost.image + cost.value + cost.gradient;
}

bool MethodRun::may_step(int upper_evaluations, int lower_evaluations) {
  return may_step_with_passes(upper_evaluations * evaluation_cost(Level::upper) +
                              lower_evaluations * evaluation_cost(Level::lower));
}

bool MethodRun::may_step_with_passes(std::int64_t passes) {
  return monitor_.may_iterate(passes) && monitor_.work().iterations < iterations_;
}

void MethodRun::step_done(VectorIn output, std::string_view phase, std::int64_t round) {
  if (!output.allFinite())
    monitor_.stop(
        Status::not_finite,
        "a step of the method overflows double precision; rescale the data and weights, or choose smaller "
        "steps");
  if (monitor_.why() == Status::not_finite || monitor_.gave_up()) return;
  output_ = output;
  // What is unknown here observers may evaluate, at their cost.
  Progress progress;
  progress.phase = phase;
  progress.round = round;
  progress.upper_value = progress.lower_value = progress.level = kUnknown;
  progress.bracket_low = progress.bracket_high = progress.upper_excess = progress.lower_gap = kUnknown;
  progress.x = &output_;
  monitor_.iteration_done(progress);
}

Result MethodRun::finish(bool rule_satisfied) {
  Result result;
  result.accuracy = accuracy_;
  result.work = monitor_.work();
  result.solve_seconds = monitor_.seconds();

  Monitor uncharged = monitor_.for_judgement();
  const Monitor::Grace grace(uncharged);
  Oracle judge(oracle_, uncharged);
  Ledger ledger(problem_);
  ledger.set_candidate(output_, kUnknown, kUnknown);
  at_.x = output_;
  judge.update_images(Level::lower, at_);
  judge.linearize(Level::lower, at_, linearizations_.lower);
  if (!uncharged.stopped()) {
    MinorantAverage minorant(problem_.lower());
    minorant.blend(0.0, 1.0, linearizations_.lower, at_.x);
    ledger.offer_lower_bound(MinorantBounds(problem_).minimum(judge, minorant), minorant.duals());
  }
  ledger.prove(judge, result);
  probe_if_certified(judge, accuracy_, result);
  if (uncharged.violation())
    monitor_.refute(*uncharged.violation());
  else if (uncharged.stopped())
    monitor_.stop(*uncharged.why(), uncharged.reason());  // broke down after the method's last look
  decide_status(problem_, accuracy_, monitor_,
                {.rule_satisfied = rule_satisfied, .remedy = "raise iterations or accuracy.lower"}, result);
  return result;
}

}  // namespace fcbio
