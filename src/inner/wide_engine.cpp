#include "inner/wide_engine.hpp"

namespace fcbio {

std::string WideEngine::misfit(const Problem& problem) {
  if (std::string why = SmoothedEngine::misfit(problem); !why.empty()) return why;
  return PrimalDualEngine::misfit(problem);
}

std::int64_t WideEngine::step_cost(const Weights& weights) const {
  return is_second(weights) ? second_.step_cost(weights) : first_.step_cost(weights);
}

bool WideEngine::begin(const Weights& weights, Iterate& at) {
  steps_since_ = 0;
  gap_then_ = kInfinity;
  return is_second(weights) ? second_.begin(weights, at) : first_.begin(weights, at);
}

bool WideEngine::change(const Weights& weights, Iterate& at) {
  (weights.uses(Level::upper) ? switched_.upper : switched_.lower) = true;
  second_used_ = true;
  second_.adopt(first_.duals());
  return second_.begin(weights, at);
}

bool WideEngine::step(const Weights& weights, Iterate& at) {
  if (is_second(weights)) return second_.step(weights, at);
  if (!first_.step(weights, at)) return !settled_ && !oracle_.monitor().stopped() && change(weights, at);
  const double gap = at.phi(weights) - first_.low();
  if (gap <= kShare * gap_then_) {
    gap_then_ = gap;
    steps_since_ = 0;
  } else if (++steps_since_ > kPatience && !settled_) {
    return change(weights, at);
  }
  return true;
}

EngineBound WideEngine::bound(const Weights& weights, const Iterate& at) {
  return is_second(weights) ? second_.bound(weights, at) : first_.bound(weights, at);
}

}  // namespace fcbio
