#include "inner/switching_engine.hpp"

namespace fcbio {

SwitchingEngine::SwitchingEngine(Oracle& oracle, Index memory)
    : Engine(oracle),
      first_(oracle, memory),
      second_(oracle),
      threshold_(static_cast<std::int64_t>(kShare * static_cast<double>(second_.expected_cost()))) {
  if (second_.expected_cost() <= (second_.remakes_curvature() ? kTallAtOnce : kAtOnce)) threshold_ = 0;
}

std::int64_t SwitchingEngine::step_cost(const Weights& weights) const {
  return switched_ && !handed_back_ ? second_.step_cost(weights) : first_.step_cost(weights);
}

bool SwitchingEngine::switch_when_due(const Weights& weights, Iterate& at) {
  if (switched_ || oracle_.monitor().work().passes() - passes_before_ < threshold_) return true;
  switched_ = true;
  return second_.begin(weights, at);
}

bool SwitchingEngine::begin(const Weights& weights, Iterate& at) {
  if (passes_before_ < 0) passes_before_ = oracle_.monitor().work().passes();
  handed_back_ = false;
  if (switched_) return second_.begin(weights, at);
  return first_.begin(weights, at) && switch_when_due(weights, at);
}

bool SwitchingEngine::step(const Weights& weights, Iterate& at) {
  if (!switched_) {
    first_stepped_ = true;
    return first_.step(weights, at) && switch_when_due(weights, at);
  }
  if (!handed_back_) {
    if (second_.step(weights, at)) return true;
    if (!oracle_.monitor().may_spend(first_.step_cost(weights))) return false;
    handed_back_ = true;
    if (!first_.begin(weights, at)) return false;
  }
  return first_.step(weights, at);
}

EngineBound SwitchingEngine::bound(const Weights& weights, const Iterate& at) {
  return switched_ && !handed_back_ ? second_.bound(weights, at) : first_.bound(weights, at);
}

}  // namespace fcbio
