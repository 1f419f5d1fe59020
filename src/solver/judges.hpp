// When the phases of FC-BiO stop.  A judge looks at every inner step, keeps the ledger, and fills in the progress
// record with what is known outside the inner solver.
#pragma once

#include "core/ledger.hpp"
#include "core/stall_watch.hpp"
#include "inner/inner_solver.hpp"
#include "solver/skeleton/proof_attempt.hpp"

namespace fcbio {

/// What all judges of one solve share.
struct Desk {
  Oracle& oracle;
  InnerSolver& inner;
  Ledger& ledger;
  MinorantBounds& bounds;
  const Accuracy& accuracy;
  const ProofAttempt& proof;
};

/// Evaluating a bound costs a projection and a pass over the duals, so it is not done at every step.
inline bool bound_is_due(const StepView& step) { return step.step <= 16 || step.step % 4 == 0 || step.last; }

/// Rounds of theory are long, and a gap may rest for thousands of steps before it falls again.
inline constexpr StallRules kStallRules{.long_run = 50000};

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
  void archive(Archive& archive) { archive(best_value_, bound_, best_point_, watch_); }

 private:
  void update_bound();
  Desk desk_;
  Level level_;
  double tolerance_;
  bool certify_;
  double best_value_ = kInfinity, bound_;
  Vector best_point_;
  StallWatch watch_{kStallRules};
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
  void archive(Archive& archive) { archive(psi_, best_psi_, round_bound_, watch_, verdict_); }

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
  StallWatch watch_{kStallRules};
  Verdict verdict_ = Verdict::open;
};

}  // namespace fcbio
