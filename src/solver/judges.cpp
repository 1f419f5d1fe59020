#include "solver/judges.hpp"

#include <cmath>

#include "solver/shares.hpp"

namespace fcbio {
namespace {

const PartVectors kUnused;

}  // namespace

SingleLevelJudge::SingleLevelJudge(Desk desk, Level level, double tolerance, bool certify)
    : desk_(desk),
      level_(level),
      tolerance_(tolerance),
      certify_(certify),
      bound_(desk.oracle.problem().function(level).lower_bound()),
      best_point_(desk.oracle.problem().start()) {}

void SingleLevelJudge::update_bound() {
  const MinorantAverage& average = desk_.inner.average(level_);
  if (!(average.weight() > 0.0)) return;
  bound_ = std::max(bound_, desk_.bounds.minimum(desk_.oracle, average));
  if (level_ == Level::lower)
    desk_.ledger.offer_lower_bound(bound_, average.duals());
  else
    desk_.ledger.offer_cut(0.0, bound_, average.duals(), kUnused);
}

bool SingleLevelJudge::ends_run(const StepView& step, Progress& progress) {
  const double value = level_ == Level::lower ? step.g : step.f;
  if (value < best_value_) {
    best_value_ = value;
    best_point_ = step.point->x;
  }
  if (certify_ && bound_is_due(step)) update_bound();
  progress.phase = level_ == Level::lower ? "lower" : "bracket";
  progress.level = progress.bracket_low = progress.bracket_high = progress.upper_excess = progress.lower_gap =
      kUnknown;
  const double gap = best_value_ - bound_;
  if (std::isfinite(gap)) (level_ == Level::lower ? progress.lower_gap : progress.upper_excess) = gap;
  return certify_ && (gap <= tolerance_ || watch_.stalled(step.step, gap));
}

void SingleLevelJudge::conclude() { update_bound(); }

RoundJudge::RoundJudge(Desk desk, const Target& target, Rules rules, std::int64_t round, double bracket_low,
                       double bracket_high)
    : desk_(desk),
      target_(target),
      rules_(rules),
      round_(round),
      bracket_low_(bracket_low),
      bracket_high_(bracket_high) {}

void RoundJudge::update_bound() {
  const MinorantAverage& upper = desk_.inner.average(Level::upper);
  const MinorantAverage& lower = desk_.inner.average(Level::lower);
  if (!(upper.weight() > 0.0)) return;  // no linearisation of f yet: nothing to learn about f*
  const double mu = target_.scale * lower.weight() / upper.weight();
  if (!std::isfinite(mu)) return;
  const double low = desk_.bounds.lagrangian(desk_.oracle, upper, mu, lower);
  desk_.ledger.offer_cut(mu, low, upper.duals(), mu > 0.0 ? lower.duals() : kUnused);
  round_bound_ = std::max(round_bound_, low - mu * target_.lower_reference);
}

bool RoundJudge::certificate_is_complete() const {
  const Ledger& ledger = desk_.ledger;
  return ledger.candidate_lower() - ledger.lower_bound() <= kLowerUsable * desk_.accuracy.lower &&
         ledger.candidate_upper() - ledger.upper_bound() <= desk_.share * desk_.accuracy.upper;
}

bool RoundJudge::ends_run(const StepView& step, Progress& progress) {
  Ledger& ledger = desk_.ledger;
  psi_ = target_.psi(step.f, step.g);
  const bool reached = psi_ <= rules_.tolerance && (rules_.early_stop || step.last);
  if (reached) verdict_ = Verdict::reached;
  // As published, the point that last lowered the bracket is the answer.  With certified bounds at hand any step
  // whose lower gap is proved small enough may be, if its f is the lowest so far.
  const bool is_answer = rules_.two_sided ? step.g - ledger.lower_bound() <= kLowerUsable * desk_.accuracy.lower &&
                                                step.f < ledger.candidate_upper()
                                          : reached;
  if (is_answer) ledger.set_candidate(step.point->x, step.f, step.g);
  if (rules_.two_sided) {
    if (bound_is_due(step)) {
      update_bound();
      if (verdict_ == Verdict::open && ledger.upper_bound() > target_.level) verdict_ = Verdict::refuted;
    }
    if (certificate_is_complete()) verdict_ = Verdict::certified;
    // The round stays open while psi is above its tolerance and its own bound below t; progress in either counts.
    best_psi_ = std::min(best_psi_, psi_);
    const double undecided = (best_psi_ - rules_.tolerance) * (target_.level - round_bound_);
    if (verdict_ == Verdict::open && watch_.stalled(step.step, undecided)) verdict_ = Verdict::stalled;
  }
  progress.phase = "round";
  progress.round = round_;
  progress.level = target_.level;
  progress.bracket_low = bracket_low_;
  progress.bracket_high = bracket_high_;
  progress.upper_excess = ledger.candidate_upper() - ledger.upper_bound();
  progress.lower_gap = ledger.candidate_lower() - ledger.lower_bound();
  return verdict_ != Verdict::open;
}

void RoundJudge::conclude() { update_bound(); }

}  // namespace fcbio
