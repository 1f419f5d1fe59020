#include "solver/functionally_constrained.hpp"

#include <cmath>

#include "core/checkpoints.hpp"
#include "core/conclusion.hpp"
#include "inner/accelerated.hpp"
#include "inner/subgradient.hpp"
#include "solver/skeleton/shares.hpp"

namespace fcbio {
namespace {

constexpr double kRoundShrink = 0.95;  // of the share of a proof: rounds are long, and each failure ends one

}  // namespace

FunctionallyConstrained::FunctionallyConstrained(const Problem& problem, const Accuracy& accuracy,
                                                 const FcbioOptions& options, InnerKind kind, Monitor& monitor)
    : problem_(problem),
      accuracy_(accuracy),
      options_(options),
      kind_(kind),
      monitor_(monitor),
      oracle_(problem, monitor),
      ledger_(problem),
      for_the_end_(monitor, Ledger::proof_cost(problem)),
      proof_(accuracy, oracle_, ledger_, kRoundShrink),
      bounds_(problem),
      point_(problem) {}

Result FunctionallyConstrained::run() {
  if (prepare()) {
    const Frame frame(monitor_, [this](Archive& archive) { this->archive(archive); });
    bool goes_on = true;
    if (phase_ == Phase::lower) {
      goes_on = lower_phase();
      phase_ = Phase::bracket;
    }
    if (goes_on && phase_ == Phase::bracket) {
      goes_on = first_bracket();
      phase_ = Phase::rounds;
    }
    if (goes_on) bisection();
  }
  const bool can_prove = options_.two_sided && problem_.domain().diameter().has_value();
  Ending ending{rounds_complete_, can_prove, undecided_};
  if (options_.lower_iterations == 0)
    ending.remedy = problem_.domain().diameter()
                        ? "raise accuracy.lower"
                        : "give the domain a radius or bounds, without which no gap can be "
                          "proved, or raise accuracy.lower";
  return conclude(oracle_, ledger_, accuracy_, ending);
}

void FunctionallyConstrained::archive(Archive& archive) {
  archive(oracle_, ledger_, proof_, phase_, point_, target_, bracket_low_, bracket_high_, undecided_);
}

std::optional<double> FunctionallyConstrained::charged(Level level, const CostedBound& bound) {
  oracle_.charge(level, bound.passes);
  return bound.value;
}

bool FunctionallyConstrained::prepare() {
  target_.scale = accuracy_.upper / accuracy_.lower;
  double f_constant = 0.0, g_constant = 0.0;
  if (kind_ == InnerKind::accelerated) {
    f_constant = charged(Level::upper, problem_.upper().smoothness()).value_or(0.0);
    g_constant = charged(Level::lower, problem_.lower().smoothness()).value_or(0.0);
    AcceleratedOptions options;
    options.alpha0 = options_.alpha0;
    options.mapping_tolerance = 1e-6 * accuracy_.upper;
    if (const double diameter = problem_.domain().diameter().value_or(0.0); diameter > 0.0)
      options.smoothness_floor = accuracy_.upper / (4.0 * diameter * diameter);  // then one step is enough
    inner_ = std::make_unique<AcceleratedSolver>(oracle_, f_constant, g_constant, options);
  } else {
    Vector centre = problem_.start();
    const double radius = problem_.domain().enclosing_ball(centre).value_or(kInfinity);
    f_constant = charged(Level::upper, problem_.upper().lipschitz(centre, radius)).value_or(0.0);
    g_constant = charged(Level::lower, problem_.lower().lipschitz(centre, radius)).value_or(0.0);
    const SubgradientOptions options{.eta = options_.eta, .anytime = options_.two_sided};
    inner_ = std::make_unique<SubgradientSolver>(oracle_, f_constant, g_constant, options);
  }
  point_.x = problem_.start();
  return monitor_.may_spend(problem_.lower().cost().image);
}

bool FunctionallyConstrained::lower_phase() {
  if (!monitor_.is_resuming()) oracle_.update_images(Level::lower, point_);
  const bool by_theory = options_.budget == RoundBudget::theory;
  const bool certify = options_.lower_iterations == 0 && !by_theory;
  const double tolerance = (certify ? kLowerShare : 0.5) * accuracy_.lower;
  const std::optional<std::int64_t> theory = inner_->theory_budget(only_lower(), tolerance);
  std::int64_t most = options_.lower_iterations;
  if (by_theory) {
    most = theory.value_or(options_.cap);
  } else if (certify) {
    // Twice the proved number of steps: if rounding has not let the gap close by then, it never will.
    most = !theory ? options_.cap : (options_.two_sided ? 2 * *theory + 10 : *theory);
  }
  SingleLevelJudge judge(desk(), Level::lower, tolerance, certify);
  {
    const Frame frame(monitor_, [&](Archive& archive) { archive(judge); });
    inner_->run(only_lower(), point_, most, judge);
  }
  judge.conclude();
  if (!(judge.best_value() < kInfinity)) return false;  // stopped before the first step

  target_.lower_reference = judge.best_value();  // g^
  ledger_.offer_reference(judge.best_point(), judge.best_value());
  ledger_.set_candidate(judge.best_point(), kInfinity, judge.best_value());
  point_.x = judge.best_point();
  const PassCost f_cost = problem_.upper().cost();
  if (!monitor_.may_spend(f_cost.image + f_cost.value + problem_.lower().cost().image)) return false;
  for (Level level : kLevels) oracle_.update_images(level, point_);
  bracket_high_ = oracle_.value(Level::upper, point_);  // u = f(x_g)
  if (monitor_.stopped()) return false;
  ledger_.set_candidate(point_.x, bracket_high_, judge.best_value());
  // Without a diameter nothing can be certified: go on with what there is.
  undecided_ = certify && theory && !judge.certified() && !monitor_.stopped();
  return !undecided_ && !monitor_.stopped();
}

bool FunctionallyConstrained::first_bracket() {
  if (options_.upper_bound_below) {
    bracket_low_ = *options_.upper_bound_below;
    return true;
  }
  bracket_low_ = problem_.upper().lower_bound();
  if (bracket_low_ > -kInfinity) return true;
  // p* = min f over Z, to eps/2 if that takes no longer than a round; l is the certified bound where there is one
  // (valid however far the run came), p^ - eps/2 otherwise.
  Point start = point_;
  SingleLevelJudge judge(desk(), Level::upper, 0.5 * accuracy_.upper, true);
  const std::int64_t theory = inner_->theory_budget(only_upper(), 0.5 * accuracy_.upper).value_or(options_.cap);
  const std::int64_t most = options_.budget == RoundBudget::theory ? theory : std::min(theory + 10, options_.cap);
  {
    const Frame frame(monitor_, [&](Archive& archive) { archive(judge); });
    inner_->run(only_upper(), start, most, judge);
  }
  judge.conclude();
  bracket_low_ = judge.bound() > -kInfinity ? judge.bound() : judge.best_value() - 0.5 * accuracy_.upper;
  return !monitor_.stopped();
}

void FunctionallyConstrained::bisection() {
  const double half = 0.5 * accuracy_.upper;
  // Algorithm 1 fixes N = ceil(log2((u - l) / (eps/2))) rounds in advance; halving until u - l <= eps/2 is the
  // same thing, and goes on being right when a certificate moves l further than to t.
  // (Two-sided, the certificate usually completes first; the bracket then closes a little further, for rounding.)
  const auto width = [&] { return options_.two_sided ? 0.9 * proof_.share() * half : half; };
  std::int64_t round = 1;
  const Frame frame(monitor_, [&](Archive& archive) { archive(round); });
  for (; bracket_high_ - bracket_low_ > width(); ++round) {
    target_.level = 0.5 * (bracket_low_ + bracket_high_);                         // t
    if (!(bracket_low_ < target_.level && target_.level < bracket_high_)) break;  // no double between l and u
    if (!one_round(round)) return;
  }
  rounds_complete_ = true;
}

std::int64_t FunctionallyConstrained::round_budget(const Target& target) const {
  const std::optional<std::int64_t> theory = inner_->theory_budget(target, 0.5 * accuracy_.upper);
  if (options_.two_sided && options_.budget != RoundBudget::theory && theory) return 2 * *theory + 10;
  if (options_.budget == RoundBudget::theory) return theory.value_or(options_.cap);
  return options_.cap;
}

bool FunctionallyConstrained::one_round(std::int64_t round) {
  if (!options_.warm_start && !monitor_.is_resuming()) {
    point_.x = problem_.start();
    if (!monitor_.may_spend(problem_.upper().cost().image + problem_.lower().cost().image)) return false;
    for (Level level : kLevels) oracle_.update_images(level, point_);
  }
  const bool can_refute = options_.two_sided && problem_.domain().diameter().has_value();
  RoundJudge judge(desk(), target_, {0.5 * accuracy_.upper, options_.early_stop, can_refute}, round, bracket_low_,
                   bracket_high_);
  const Frame frame(monitor_, [&](Archive& archive) { archive(judge); });
  const RunEnd end = inner_->run(target_, point_, round_budget(target_), judge);
  if (end != RunEnd::by_judge) judge.conclude();
  if (end == RunEnd::by_monitor) return false;

  switch (judge.verdict()) {
    case RoundJudge::Verdict::reached:
      bracket_high_ = target_.level;
      if (can_refute) bracket_low_ = std::max(bracket_low_, ledger_.upper_lower_bound());
      return true;
    case RoundJudge::Verdict::refuted:
      bracket_low_ = ledger_.upper_lower_bound();
      return true;
    case RoundJudge::Verdict::certified:
      if (certificate_holds()) return false;
      if (judge.psi() <= 0.5 * accuracy_.upper) bracket_high_ = target_.level;
      bracket_low_ = std::max(bracket_low_, ledger_.upper_lower_bound());
      return !undecided_;
    case RoundJudge::Verdict::stalled:
    case RoundJudge::Verdict::open:
      break;
  }
  if (can_refute) {
    undecided_ = true;
    return false;
  }
  bracket_low_ = target_.level;  // the budget ran out: an estimate, not a proof
  return true;
}

bool FunctionallyConstrained::certificate_holds() {
  if (proof_.succeeds()) return true;
  undecided_ = proof_.is_hopeless();
  return false;
}

}  // namespace fcbio
