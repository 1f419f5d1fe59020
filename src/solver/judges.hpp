// When the phases of FC-BiO stop.  A judge looks at every inner step, keeps the ledger, and fills in the progress
// record with what is known outside the inner solver.
#pragma once

#include "core/ledger.hpp"
#include "inner/inner_solver.hpp"

namespace fcbio {

/// What all judges of one solve share.
struct Desk {
  Oracle& oracle;
  InnerSolver& inner;
  Ledger& ledger;
  MinorantBounds& bounds;
  const Accuracy& accuracy;
  /// Share of eps_f that the running bounds may use up; the rest is for the allowances of the final proof.
  double share;
};

/// Evaluating a bound costs a projection and a pass over the duals, so it is not done at every step.
inline bool bound_is_due(const StepView& step) { return step.step <= 16 || step.step % 4 == 0 || step.last; }

/// Notices that a certified gap has stopped closing.  By theory it falls by a constant factor whenever the number
/// of steps doubles; if it did not fall at all over the second half of a long run, rounding has stopped it.
class StallWatch {
 public:
  /// `gap` may be infinite or NaN while nothing is known.
  bool stalled(std::int64_t step, double gap) {
    if (gap < kNoticeable * best_gap_) {
      best_gap_ = gap;
      improved_at_ = step;
    }
    return step >= kLongRun && step >= 2 * improved_at_;
  }

 private:
  static constexpr double kNoticeable = 0.99;
  static constexpr std::int64_t kLongRun = 50000;
  double best_gap_ = kInfinity;
  std::int64_t improved_at_ = 0;
};

/// One function alone (lower phase, or the first bracket end): stop when value - bound <= tolerance.
class SingleLevelJudge final : public Judge {
 public:
  /// `certify` false: run to the budget, as published; the bound is then evaluated once, by conclude().
  SingleLevelJudge(Desk desk, Level level, double tolerance, bool certify);
  bool ends_run(const StepView& step, Progress& progress) override;
  /// To be called when the run is over, however it ended.
  void conclude();

  double best_value() const { return best_value_; }
  const Vector& best_point() const { return best_point_; }
  double bound() const { return bound_; }
  bool certified() const { return best_value_ - bound_ <= tolerance_; }

 private:
  void update_bound();
  Desk desk_;
  Level level_;
  double tolerance_;
  bool certify_;
  double best_value_ = kInfinity, bound_;
  Vector best_point_;
  StallWatch watch_;
};

/// One round at level t.
class RoundJudge final : public Judge {
 public:
  struct Rules {
    double tolerance = 0.0;  // eps/2
    bool early_stop = true;
    bool two_sided = false;
  };
  enum class Verdict { open, reached, refuted, certified, stalled };

  RoundJudge(Desk desk, const Target& target, Rules rules, std::int64_t round, double bracket_low,
             double bracket_high);
  bool ends_run(const StepView& step, Progress& progress) override;
  /// Evaluates the bound once more, so that the published mode reports what it can prove, too.
  void conclude();
  Verdict verdict() const { return verdict_; }
  double psi() const { return psi_; }

 private:
  void update_bound();
  bool certificate_is_complete() const;
  Desk desk_;
  const Target& target_;
  Rules rules_;
  std::int64_t round_;
  double bracket_low_, bracket_high_;
  double psi_ = kInfinity, best_psi_ = kInfinity;
  double round_bound_ = -kInfinity;  // of f*, from this round alone
  StallWatch watch_;
  Verdict verdict_ = Verdict::open;
};

}  // namespace fcbio
