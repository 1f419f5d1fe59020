#include "inner/switching_engine.hpp"

#include <algorithm>
#include <utility>

namespace fcbio {

// Of other losses than quadratic ones a model of low rank would change from step to step.
bool SwitchingEngine::is_quadratic(const Problem& problem) {
  const NewtonRows rows(problem);
  return rows.looks_constant(Level::upper) && rows.looks_constant(Level::lower);
}

std::string SwitchingEngine::misfit(const Problem& problem) {
  std::string why = NewtonEngine::misfit(problem);
  if (!why.empty() && NewtonEngine::misfit(problem, NewtonEngine::Form::low_rank).empty() && is_quadratic(problem))
    why.clear();
  return why;
}

SwitchingEngine::SwitchingEngine(Oracle& oracle, Index memory)
    : Engine(oracle), first_(oracle, memory) {
  const Problem& problem = oracle.problem();
  if (NewtonEngine::misfit(problem).empty()) {
    exact_ = std::make_unique<NewtonEngine>(oracle);
    numbers_ = exact_->numbers();
    threshold_ = is_cheap() ? 0.0 : threshold(false);
  }
  if (threshold_ == 0.0 || !NewtonEngine::misfit(problem, NewtonEngine::Form::low_rank).empty()) return;
  numbers_ = stored_numbers(problem);
  may_be_low_rank_ = is_quadratic(problem);
}

bool SwitchingEngine::is_cheap() const {
  const std::int64_t cost = exact_->expected_cost();
  const double time = exact_->slowness() * static_cast<double>(cost);
  if (exact_->has_bounds()) return time <= kSoonAtOnce;
  const bool tall = exact_->remakes_curvature();
  return cost <= (tall ? kTallAtOnce : kAtOnce) || time <= (tall ? kTallSoonAtOnce : kSoonAtOnce);
}

double SwitchingEngine::threshold(bool on_sphere) const {
  return kShare * exact_->slowness() * static_cast<double>(exact_->expected_cost(on_sphere));
}

void SwitchingEngine::archive(Archive& archive) {
  bool has_low_rank = low_rank_ != nullptr, switched = second_ != nullptr,
       to_exact = switched && second_ == exact_.get();
  archive(has_low_rank, switched, to_exact);
  if (has_low_rank && !low_rank_)
    low_rank_ = std::make_unique<NewtonEngine>(oracle_, NewtonEngine::Form::low_rank);
  second_ = !switched ? nullptr : (to_exact ? exact_.get() : low_rank_.get());
  archive(first_, may_be_low_rank_, low_rank_threshold_, forecast_, passes_before_, first_stepped_,
          handed_back_, settled_);
  for (NewtonEngine* newton : {exact_.get(), low_rank_.get()})
    if (newton != nullptr) archive(*newton);
}

std::string_view SwitchingEngine::name() const {
  if (second_ == nullptr) return "quasi-newton";
  if (!first_stepped_) return second_->name();
  return second_ == exact_.get() ? "quasi-newton, then newton" : "quasi-newton, then low-rank";
}

std::int64_t SwitchingEngine::step_cost(const Weights& weights) const {
  return second_ != nullptr && !handed_back_ ? second_->step_cost(weights) : first_.step_cost(weights);
}

// Keeps a model of low rank where it is worth its while.
bool SwitchingEngine::look_at_data() {
  may_be_low_rank_ = false;
  auto low_rank = std::make_unique<NewtonEngine>(oracle_, NewtonEngine::Form::low_rank);
  if (!oracle_.monitor().may_spend(low_rank->probe_cost()) || !low_rank->probe()) return false;
  const std::int64_t cost = low_rank->expected_cost();
  if (cost >= (exact_ ? exact_->expected_cost() : kMostLowRank)) return true;
  low_rank_ = std::move(low_rank);
  low_rank_threshold_ = kLowRankShare * static_cast<double>(cost);
  return true;
}

double SwitchingEngine::spent_in_products() const {
  return static_cast<double>(oracle_.monitor().work().passes() - passes_before_) +
         first_.operations() / static_cast<double>(std::max<Index>(1, numbers_));
}

bool SwitchingEngine::switch_when_due(const Weights& weights, Iterate& at) {
  if (second_ != nullptr || settled_) return true;
  const double spent = spent_in_products();
  if (may_be_low_rank_ && spent >= kProbeAt && forecast_.remaining() > kProbeAt && !look_at_data()) return false;
  double limit = threshold_;
  if (exact_ && exact_->is_near_sphere(at.point.x)) limit = std::max(limit, threshold(true));
  if (!weights.uses(Level::upper)) limit *= (exact_ && !exact_->is_quadratic() ? kLowerShareOther : kLowerShare) / kShare;
  if (low_rank_ && spent >= low_rank_threshold_)
    second_ = low_rank_.get();
  else if (exact_ && spent >= limit && !is_near_the_end(weights, spent))
    second_ = exact_.get();
  return second_ == nullptr || second_->begin(weights, at);
}

bool SwitchingEngine::is_near_the_end(const Weights& weights, double spent) const {
  const double all = threshold_ / kShare;
  const double remaining = forecast_.remaining() * (weights.uses(Level::upper) ? 1.0 : kPathShare);
  return spent < all && remaining <= kNear * all;
}

void SwitchingEngine::note(double gap, double wanted) {
  if (second_ == nullptr) forecast_.note(spent_in_products(), gap, wanted);
}

bool SwitchingEngine::begin(const Weights& weights, Iterate& at) {
  if (passes_before_ < 0) passes_before_ = oracle_.monitor().work().passes();
  forecast_.begin(spent_in_products());
  handed_back_ = false;
  if (second_ != nullptr) return second_->begin(weights, at);
  return first_.begin(weights, at) && switch_when_due(weights, at);
}

bool SwitchingEngine::step(const Weights& weights, Iterate& at) {
  if (second_ == nullptr) {
    first_stepped_ = true;
    return first_.step(weights, at) && switch_when_due(weights, at);
  }
  if (!handed_back_) {
    if (second_->step(weights, at)) return true;
    if (settled_ || !oracle_.monitor().may_spend(first_.step_cost(weights))) return false;
    handed_back_ = true;
    if (!first_.begin(weights, at)) return false;
  }
  return first_.step(weights, at);
}

EngineBound SwitchingEngine::bound(const Weights& weights, const Iterate& at) {
  return second_ != nullptr && !handed_back_ ? second_->bound(weights, at) : first_.bound(weights, at);
}

}  // namespace fcbio
