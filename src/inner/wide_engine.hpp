// For functions with kinks on data whose factorisation is too dear: the smoothed quasi-Newton method first, which finds
// two digits in the fewest passes, then the primal-dual method from its point and duals, as soon as the gap no longer
// falls fast enough: to kShare of itself within kPatience steps.  Steps of the two cost the same passes.
#pragma once

#include "inner/primal_dual_engine.hpp"
#include "inner/smoothed_engine.hpp"

namespace fcbio {

class WideEngine final : public Engine {
 public:
  static constexpr double kShare = 0.6;
  static constexpr int kPatience = 30;

  /// Empty: both engines can take the problem; otherwise why not, in words.
  static std::string misfit(const Problem& problem);

  explicit WideEngine(Oracle& oracle) : Engine(oracle), first_(oracle), second_(oracle) {}
  /// What was used so far.
  std::string_view name() const override { return second_used_ ? "smoothed, then primal-dual" : "smoothed"; }
  double first_multiplier_share() const override { return first_.first_multiplier_share(); }
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override;
  void settle() override { settled_ = true; }
  void archive(Archive& archive) override {
    archive(first_, second_, switched_, second_used_, settled_, steps_since_, gap_then_);
  }

 private:
  bool is_second(const Weights& weights) const {
    return weights.uses(Level::upper) ? switched_.upper : switched_.lower;
  }
  bool change(const Weights& weights, Iterate& at);

  SmoothedEngine first_;
  PrimalDualEngine second_;
  PerLevel<bool> switched_;  // upper: with f in use; lower: g alone
  bool second_used_ = false, settled_ = false;
  int steps_since_ = 0;  // the gap fell to kShare of
  double gap_then_ = kInfinity;
};

}  // namespace fcbio
