// Quasi-Newton first, Newton's method with a factorisation when that does not come to an end: as soon as kShare of
// the passes are spent that Newton's method is expected to need from start to end (NewtonEngine::expected_cost).
// Its passes are faster than others, because products of matrices are; with this share the two together took up to
// twice the time of Newton's method alone on the ill-conditioned problems of the suite, and problems that
// quasi-Newton solves quickly (Gaussian minimum norm) pay nothing.
//
// Where a model of low rank fits, its cost is not known before a look at the data.  That look is taken after kProbeAt
// passes, and the cheaper of the two goes on: singular values that decay so fast that the model is cheap are what
// quasi-Newton finds hardest, so it goes on sooner, after kLowRankShare of its expected cost.
//
// All this is counted in the time of a product: a pass of quasi-Newton in a small box takes many times as long
// (ProjectedQuasiNewton::slowness).
//
// A step of Newton's method that finds no descent (rounding) is handed back to quasi-Newton, for the present
// weights.
#pragma once

#include <limits>
#include <memory>

#include "inner/newton.hpp"
#include "inner/projected_quasi_newton.hpp"

namespace fcbio {

class SwitchingEngine final : public Engine {
 public:
  /// An expected cost up to which Newton's method begins; for tall data with losses that are not quadratic, where
  /// quasi-Newton needs hundreds of passes (a9a: 502 to 2,787 where Newton's method needs 57 to 179), it is larger.
  static constexpr std::int64_t kAtOnce = 80, kTallAtOnce = 250;
  static constexpr double kShare = 0.4;
  static constexpr std::int64_t kProbeAt = 100;
  static constexpr double kLowRankShare = 0.12;
  /// An expected cost up to which a model of low rank goes on where there is no other.
  static constexpr std::int64_t kMostLowRank = 4000;

  /// Empty: quasi-Newton has something to switch to (on a smooth problem); otherwise why not, in words.
  static std::string misfit(const Problem& problem);

  /// `memory`: curvature pairs of quasi-Newton.
  SwitchingEngine(Oracle& oracle, Index memory);
  /// What was used so far.
  std::string_view name() const override;
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override;
  void archive(Archive& archive) override;

  /// Passes (times slowness) at which the engine changes to Newton's method, counted from its first begin(); 0: at once.
  std::int64_t threshold() const { return threshold_; }

 private:
  bool switch_when_due(const Weights& weights, Iterate& at);
  bool look_at_data();

  ProjectedQuasiNewton first_;
  std::unique_ptr<NewtonEngine> exact_, low_rank_;  // those that fit; the second one after a look at the data
  bool may_be_low_rank_ = false;                    // that look is to come
  NewtonEngine* second_ = nullptr;                  // once switched
  const Index memory_;
  Index numbers_ = 1, pairs_ = 0;  // stored numbers of the data; pairs that quasi-Newton has, at most
  double spent_ = 0.0;             // by quasi-Newton: passes times slowness
  std::int64_t threshold_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t low_rank_threshold_ = 0;
  std::int64_t passes_before_ = -1;  // when spent_ was counted last
  bool first_stepped_ = false;
  bool handed_back_ = false;  // for the present weights
};

}  // namespace fcbio
