// Quasi-Newton first, Newton's method with a factorisation when that does not come to an end soon.  Both are counted in
// the time of a product: quasi-Newton its passes and what its pairs cost besides, as they are spent; Newton's method the
// passes that it is expected to need from start to end (NewtonEngine::expected_cost), times slowness.  The lower phase takes a quarter to a third of a solve,
// Newton's method begins
//   in the lower phase   when quasi-Newton has spent kLowerShare of that,
//   along the path       when it has spent kShare of it.
// but not where quasi-Newton is expected to be done with the present weights before kNear of that is spent besides, nor
// after all of it is spent.  Data with well-conditioned rows are certified before either, ill-conditioned ones leave
// quasi-Newton in the lower phase, where little is lost.  After the certificate nothing new is begun.
//
// Where a model of low rank fits, its cost is not known before a look at the data.  That look is taken after kProbeAt
// passes, and the cheaper of the two goes on: singular values that decay so fast that the model is cheap are what
// quasi-Newton finds hardest, so it goes on sooner, after kLowRankShare of its expected cost.
//
// A step of Newton's method that finds no descent (rounding) is handed back to quasi-Newton, for the present
// weights.
#pragma once

#include <memory>

#include "inner/forecast.hpp"
#include "inner/newton.hpp"
#include "inner/projected_quasi_newton.hpp"

namespace fcbio {

class SwitchingEngine final : public Engine {
 public:
  /// An expected cost up to which Newton's method begins; for tall data with losses that are not quadratic, where
  /// quasi-Newton needs hundreds of passes (a9a: 502 to 2,787 where Newton's method needs 57 to 179), it is larger.
  static constexpr std::int64_t kAtOnce = 80, kTallAtOnce = 250;
  /// The same, in the time of products: hardly any problem is certified by quasi-Newton in less.
  static constexpr double kSoonAtOnce = 50.0, kTallSoonAtOnce = 200.0;
  static constexpr double kLowerShare = 0.18, kLowerShareOther = 0.4, kShare = 0.85, kNear = 0.3;
  static constexpr double kPathShare = 3.0;  // of a solve in its lower phase
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
  std::int64_t patience() const override { return second_ != nullptr ? second_->patience() : first_.patience(); }
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override;
  void note(double gap, double wanted) override;
  void settle() override { settled_ = true; }
  void archive(Archive& archive) override;

  /// What quasi-Newton spends, in products and counted from the first begin(), before Newton's method takes over from it
  /// along the path; 0: there is no quasi-Newton.
  double threshold() const { return threshold_; }

 private:
  static bool is_quadratic(const Problem& problem);
  bool is_cheap() const;
  double threshold(bool on_sphere) const;
  double spent_in_products() const;
  bool is_near_the_end(const Weights& weights, double spent) const;
  bool switch_when_due(const Weights& weights, Iterate& at);
  bool look_at_data();

  ProjectedQuasiNewton first_;
  std::unique_ptr<NewtonEngine> exact_, low_rank_;  // those that fit; the second one after a look at the data
  bool may_be_low_rank_ = false;                    // that look is to come
  NewtonEngine* second_ = nullptr;                  // once switched
  Index numbers_ = 1;              // stored numbers of the data
  double threshold_ = kInfinity, low_rank_threshold_ = 0.0;
  Forecast forecast_;
  std::int64_t passes_before_ = -1;  // at the first begin()
  bool first_stepped_ = false;
  bool handed_back_ = false;  // for the present weights
  bool settled_ = false;
};

}  // namespace fcbio
