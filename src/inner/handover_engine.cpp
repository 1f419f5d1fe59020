#include "inner/handover_engine.hpp"

#include <algorithm>
#include <utility>

namespace fcbio {
namespace {

constexpr Index kLeastNumbers = 1000;  // of a product: what it takes besides

}  // namespace

std::string HandoverEngine::misfit(const Problem& problem) {
  if (std::string why = InteriorPointEngine::misfit(problem); !why.empty()) return why;
  return InteriorPointEngine::is_affordable_dense(problem) ? ""
                                                           : "a step of the interior-point method would be too dear";
}

HandoverEngine::HandoverEngine(Oracle& oracle, std::unique_ptr<Engine> first, double earliest)
    : Engine(oracle),
      first_(std::move(first)),
      name_(first_->name()),
      numbers_(std::max(kLeastNumbers, stored_numbers(oracle.problem()))),
      earliest_(earliest),
      dense_price_(InteriorPointEngine::expected_cost(oracle.problem())),
      may_be_sparse_(InteriorPointEngine::may_be_sparse(oracle.problem())) {}

void HandoverEngine::archive(Archive& archive) {
  bool has_second = second_ != nullptr;
  archive(has_second, passes_before_, forecast_, handed_over_, settled_);
  if (has_second && !second_) second_ = std::make_unique<InteriorPointEngine>(oracle_);
  archive(*first_);
  if (second_) archive(*second_);
  if (handed_over_) name_ = std::string(first_->name()) + ", then " + std::string(second_->name());
}

double HandoverEngine::spent_in_products() const {
  return static_cast<double>(oracle_.monitor().work().passes() - passes_before_) +
         first_->operations() / static_cast<double>(numbers_);
}

bool HandoverEngine::is_due(const Weights& weights) {
  if (handed_over_ || settled_) return false;
  const double spent = spent_in_products();
  if (spent < earliest_) return false;
  if (!second_ && may_be_sparse_ && spent >= kLookAt) second_ = std::make_unique<InteriorPointEngine>(oracle_);
  const double price = second_ ? second_->expected_cost() : dense_price_;
  const double remaining = forecast_.remaining() * (weights.uses(Level::upper) ? 1.0 : kPathShare) / price;
  return spent / price * std::clamp(remaining, kLeastRemaining, 1.0) >= kTry;
}

void HandoverEngine::note(double gap, double wanted) {
  if (!handed_over_) forecast_.note(spent_in_products(), gap, wanted);
}

bool HandoverEngine::begin(const Weights& weights, Iterate& at) {
  if (passes_before_ < 0) passes_before_ = oracle_.monitor().work().passes();
  forecast_.begin(spent_in_products());
  return now().begin(weights, at);
}

bool HandoverEngine::step(const Weights& weights, Iterate& at) {
  if (is_due(weights)) {
    if (!second_) second_ = std::make_unique<InteriorPointEngine>(oracle_);
    handed_over_ = true;
    name_ += ", then " + std::string(second_->name());
    if (!second_->begin(weights, at) || !oracle_.monitor().may_spend(second_->step_cost(weights))) return false;
  }
  return now().step(weights, at);
}

EngineBound HandoverEngine::bound(const Weights& weights, const Iterate& at) {
  return now().bound(weights, at);
}

void HandoverEngine::settle() {
  settled_ = true;
  first_->settle();
}

}  // namespace fcbio
