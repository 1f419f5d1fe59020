// Quasi-Newton first, Newton's method with a factorisation when that does not come to an end: as soon as kShare of
// the passes are spent that Newton's method is expected to need from start to end (NewtonEngine::expected_cost).
// Its passes are faster than others, because products of matrices are; with this share the two together took up to
// twice the time of Newton's method alone on the ill-conditioned problems of the suite, and problems that
// quasi-Newton solves quickly (Gaussian minimum norm) pay nothing.
//
// A step of Newton's method that finds no descent (rounding) is handed back to quasi-Newton, for the present
// weights.
#pragma once

#include "inner/newton.hpp"
#include "inner/projected_quasi_newton.hpp"

namespace fcbio {

class SwitchingEngine final : public Engine {
 public:
  /// An expected cost up to which Newton's method begins; for tall data with losses that are not quadratic, where
  /// quasi-Newton needs hundreds of passes (a9a: 502 to 2,787 where Newton's method needs 57 to 179), it is larger.
  static constexpr std::int64_t kAtOnce = 80, kTallAtOnce = 250;
  static constexpr double kShare = 0.4;

  /// Empty: both engines can take the problem (a smooth one); otherwise why not, in words.
  static std::string misfit(const Problem& problem) { return NewtonEngine::misfit(problem); }

  /// `memory`: curvature pairs of quasi-Newton.
  SwitchingEngine(Oracle& oracle, Index memory);
  /// What was used so far.
  std::string_view name() const override {
    if (!switched_) return "quasi-newton";
    return first_stepped_ ? "quasi-newton, then newton" : "newton";
  }
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override;

  /// Passes at which the engine changes, counted from its first begin(); 0: at once.
  std::int64_t threshold() const { return threshold_; }

 private:
  bool switch_when_due(const Weights& weights, Iterate& at);

  ProjectedQuasiNewton first_;
  NewtonEngine second_;
  std::int64_t threshold_;
  std::int64_t passes_before_ = -1;  // at the first begin()
  bool switched_ = false, first_stepped_ = false;
  bool handed_back_ = false;  // for the present weights
};

}  // namespace fcbio
