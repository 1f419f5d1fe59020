#include "solver/sandwich.hpp"

#include <cmath>

#include "core/checkpoints.hpp"
#include "core/conclusion.hpp"
#include "solver/skeleton/ledger_progress.hpp"
#include "solver/skeleton/shares.hpp"

namespace fcbio {
namespace {

constexpr double kTightShare = 0.9;  // where between g^ and c_hi the value function is met in tight mode
constexpr int kMostTrials = 100;     // multipliers; a bracket of doubles is closed long before
constexpr double kTrialShrink =
    0.9;  // of the share of a proof: each trial has its own attempts, so they may be bold
constexpr std::int64_t kMostIdle = 300;  // steps without progress, of value or gap

// After the certificate.
constexpr double kNearAlready = 0.1;  // of eps_f: no slack that is left can buy more
constexpr double kNearShare = 0.8;    // of eps_f, for the gap of f + mu g
constexpr double kNearGain = 0.05;    // of eps_f, by which f + mu g must fall, or
constexpr double kNearCloser = 0.1;   // to which its gap must, within the engine's patience
constexpr double kNearAim = 0.1;      // of eps_f, for what the slack may buy
constexpr double kNoSlack = 1e-12;      // of g: rounding, at a vertex or on a face that was computed as such
constexpr double kLeastNearGrowth = 4.0, kMostNearGrowth = 1e3;
constexpr double kMostFreeGrowth = 1e4;  // for engines that do not mind

// The segment: to the last digits that matter, since it costs no pass.
constexpr int kSegmentTrials = 30;
constexpr double kShortestSegment = 1e-9;
constexpr double kNearSegment = 1e-3;  // of eps_g
constexpr double kQuietShare = 0.1;    // of eps_f, that rounding may take off a cut with the first multiplier
constexpr double kOnFace = 1e-13;      // of the size of x, by which a point on a face may miss Z

StallRules stall_rules(double aim) { return {.most_idle = kMostIdle, .aim = aim}; }
/// After the certificate a gap alone, of a point that hardly moves any more, is not worth much.
StallRules near_rules(double eps, std::int64_t patience) {
  return {.lower_by = kNearGain * eps, .closer = kNearCloser, .most_idle = patience};
}

}  // namespace

Sandwich::Sandwich(const Problem& problem, const Accuracy& accuracy, Oracle& oracle, Ledger& ledger,
                   Engine& engine, bool finds_face)
    : Driver(oracle.monitor()),
      problem_(problem),
      accuracy_(accuracy),
      oracle_(oracle),
      ledger_(ledger),
      engine_(engine),
      finds_face_(finds_face),
      at_(problem),
      feasible_(problem),
      cheap_(problem),
      segment_(oracle),
      proof_(accuracy, oracle, ledger, kTrialShrink),
      watch_(stall_rules(kLowerShare * accuracy.lower)),
      search_(accuracy, engine.minds_large_multipliers()) {}

void Sandwich::archive(Archive& archive) {
  Driver::archive(archive);
  archive(at_, feasible_, feasible_upper_, feasible_lower_, cheap_, cheap_lower_, on_face_, proof_, watch_, search_,
          weights_, start_slope_, first_reference_, most_lower_, stage_, trial_, trial_begun_, low_);
}

Driver::Outcome Sandwich::resume() {
  if (stage_ == Stage::fresh) {
    if (!begin_lower_phase()) return Outcome::exhausted;
    stage_ = Stage::lower;
  }
  if (stage_ == Stage::lower) {
    if (const Outcome outcome = lower_phase(); outcome != Outcome::complete) return outcome;
    if (!begin_path()) return Outcome::exhausted;
    stage_ = Stage::path;
    if (certificate_is_complete()) return Outcome::complete;
  }
  const Outcome outcome = path();
  if (outcome == Outcome::complete) move_to_face();
  return outcome;
}

void Sandwich::report(std::string_view phase, std::int64_t number) {
  Progress progress = progress_of(ledger_, phase, number);
  progress.lower_value = at_.value(Level::lower);
  if (weights_.uses(Level::upper)) {
    progress.upper_value = at_.value(Level::upper);
    progress.level = weights_.lower;
  }
  progress.x = &at_.point.x;
  oracle_.monitor().iteration_done(progress);
}

bool Sandwich::begin_lower_phase() {
  Monitor& monitor = oracle_.monitor();
  weights_ = {0.0, 1.0};
  at_.point.x = problem_.start();
  const PassCost cost = problem_.lower().cost();
  if (!monitor.may_spend(cost.image + cost.value + cost.gradient)) return false;
  oracle_.update_images(Level::lower, at_.point);
  at_.linearize(oracle_, Level::lower);
  if (monitor.stopped()) return false;
  start_slope_ = at_.at.lower.gradient.norm();
  return engine_.begin(weights_, at_);
}

Driver::Outcome Sandwich::lower_phase() {
  Monitor& monitor = oracle_.monitor();
  bool stepped = false;
  const Frame frame(monitor, [&](Archive& archive) { archive(stepped); });
  for (;; stepped = true) {
    monitor.safe_point();
    const double g = at_.value(Level::lower);
    const EngineBound bound = engine_.bound(weights_, at_);
    if (bound.lower_duals != nullptr) ledger_.offer_lower_bound(g - bound.gap, *bound.lower_duals, bound.hint);
    if (g < ledger_.reference_value()) {
      ledger_.offer_reference(at_.point.x, g);
      if (!ledger_.has_candidate_upper()) ledger_.set_candidate(at_.point.x, kInfinity, g);
    }
    if (stepped) report("lower", 0);
    const double gap = ledger_.reference_value() - ledger_.lower_lower_bound();
    if (watch_.stalls(g, gap)) return Outcome::exhausted;
    if (gap <= kLowerShare * accuracy_.lower) break;
    engine_.note(gap, kLowerShare * accuracy_.lower);
    if (slice_is_over()) return Outcome::paused;
    if (!monitor.may_iterate(engine_.step_cost(weights_)) || !engine_.step(weights_, at_))
      return Outcome::exhausted;
  }
  first_reference_ = ledger_.reference_value();
  most_lower_ = ledger_.lower_lower_bound() + kLowerUsable * accuracy_.lower;
  search_.begin(first_reference_, most_lower_, most_lower_ - kLowerUsable * accuracy_.lower);
  if (accuracy_.tight)
    ledger_.meet_value_function_at(first_reference_ + kTightShare * (most_lower_ - first_reference_));
  return Outcome::complete;
}

// At the point with the least g that is known, whoever found it.
bool Sandwich::begin_path() {
  Monitor& monitor = oracle_.monitor();
  const PassCost f_cost = problem_.upper().cost(), g_cost = problem_.lower().cost();
  if (!monitor.may_spend(f_cost.image + f_cost.value + f_cost.gradient + g_cost.image + g_cost.value +
                         g_cost.gradient))
    return false;
  if (at_.point.x != ledger_.reference()) {
    at_.point.x = ledger_.reference();
    oracle_.update_images(Level::lower, at_.point);
    at_.linearized.lower = false;
  }
  oracle_.update_images(Level::upper, at_.point);
  at_.linearize(oracle_, Level::upper);
  if (!at_.linearized.lower) at_.linearize(oracle_, Level::lower);
  if (monitor.stopped()) return false;
  offer_feasible(at_.point, at_.value(Level::upper), at_.value(Level::lower));

  // f alone, at no cost: enough where f is constant, or best at this point.
  TangentBound tangent(problem_);
  const EngineBound alone = tangent.at(oracle_, {1.0, 0.0}, at_);
  if (alone.upper_duals != nullptr)
    ledger_.offer_cut(0.0, at_.value(Level::upper) - alone.gap, *alone.upper_duals, *alone.upper_duals);
  weights_ = {1.0, first_multiplier()};
  trial_ = 1;
  return true;
}

Driver::Outcome Sandwich::path() {
  for (; trial_ <= kMostTrials; ++trial_) {
    const Verdict verdict = trial();
    if (verdict == Verdict::done) return Outcome::complete;
    if (verdict == Verdict::paused) return Outcome::paused;
    if (verdict == Verdict::exhausted) return Outcome::exhausted;
    if (verdict == Verdict::too_small) {
      cheap_ = at_.point;
      cheap_lower_ = at_.value(Level::lower);
    }
    const auto side =
        verdict == Verdict::too_small ? MultiplierSearch::Side::too_small : MultiplierSearch::Side::too_large;
    weights_.lower = search_.next(side, weights_.lower, at_.value(Level::lower));
    if (!(weights_.lower > 0.0) || !std::isfinite(weights_.lower)) return Outcome::exhausted;
    trial_begun_ = false;
  }
  return Outcome::exhausted;
}

// The multiplier wanted is -v'(c) for some c <= c_hi.  By convexity it is at most (v(g^) - v(c_hi)) / (c_hi - g^),
// and v lies between the bound of f* and f(x_g).  From below there is only the ratio of the slopes, where g still
// had one. A mean of the two, nearer to the first: a multiplier too large costs accuracy of one inner problem, one
// too small costs whole trials.  But where rounding alone takes a good part of eps_f off a cut, nothing is won by more.
double Sandwich::first_multiplier() const {
  const double f_slope = at_.at.upper.gradient.norm();
  double ratio = f_slope > 0.0 && start_slope_ > 0.0 ? f_slope / start_slope_ : 1.0;
  const double width = most_lower_ - first_reference_;
  const double most = (feasible_upper_ - ledger_.upper_lower_bound()) / width;
  if (!std::isfinite(most) || !(most > 0.0)) return std::isfinite(ratio) ? ratio : 1.0;
  if (!(ratio < most))
    ratio = std::min(most, accuracy_.upper / width);  // g was flat at the start: its slope says nothing
  const double first = ratio * std::pow(most / ratio, engine_.first_multiplier_share());
  if (engine_.minds_large_multipliers()) return first;  // they come back from them by themselves
  return std::min(first, std::max(ratio, ledger_.quiet_multiplier(kQuietShare * accuracy_.upper)));
}

bool Sandwich::begin_trial() {
  if (!engine_.begin(weights_, at_)) return false;
  low_ = -kInfinity;
  watch_ = StallWatch(stall_rules(accuracy_.upper));
  proof_.start_again();
  return trial_begun_ = true;
}

double Sandwich::look() {
  const double phi = at_.phi(weights_);
  const EngineBound bound = engine_.bound(weights_, at_);
  ledger_.offer_reference(at_.point.x, at_.value(Level::lower));
  if (bound.upper_duals != nullptr && bound.lower_duals != nullptr) {
    low_ = std::max(low_, phi - bound.gap);
    ledger_.offer_cut(weights_.lower, phi - bound.gap, *bound.upper_duals, *bound.lower_duals, bound.hint);
  }
  return phi - low_;
}

Sandwich::Verdict Sandwich::trial() {
  using Side = MultiplierSearch::Side;
  Monitor& monitor = oracle_.monitor();
  bool stepped = false;
  const Frame frame(monitor, [&](Archive& archive) { archive(stepped); });
  if (!trial_begun_ && !begin_trial()) return Verdict::exhausted;
  for (;; stepped = true) {
    monitor.safe_point();
    const double gap = look();
    offer_candidates();
    if (stepped) report("path", trial_);
    if (certificate_is_complete()) return Verdict::done;
    search_.mind_large(engine_.minds_large_multipliers());
    const Side side = search_.judge(weights_.lower, at_.value(Level::lower), gap, ledger_.cut_level());
    if (side == Side::too_small) return Verdict::too_small;
    if (side == Side::too_large) return Verdict::too_large;
    if (watch_.stalls(at_.phi(weights_), gap)) return no_progress();
    engine_.note(gap, accuracy_.upper);
    if (slice_is_over()) return Verdict::paused;
    if (!monitor.may_iterate(engine_.step_cost(weights_))) return Verdict::exhausted;
    if (!engine_.step(weights_, at_)) return monitor.stopped() ? Verdict::exhausted : no_progress();
  }
}

Sandwich::Verdict Sandwich::no_progress() const {
  switch (search_.when_stuck(weights_.lower, at_.value(Level::lower))) {
    case MultiplierSearch::Side::too_small:
      return Verdict::too_small;
    case MultiplierSearch::Side::too_large:
      return Verdict::too_large;
    case MultiplierSearch::Side::open:
      break;
  }
  return Verdict::exhausted;
}

void Sandwich::offer_candidates() {
  const double f = at_.value(Level::upper), g = at_.value(Level::lower);
  if (g > most_lower_) {
    // The segment can only help when the iterate itself is low enough.
    if (f - ledger_.upper_lower_bound() <= accuracy_.upper)
      offer_segment({at_.point, g}, {feasible_, feasible_lower_});
    return;
  }
  offer_feasible(at_.point, f, g);
  if (accuracy_.tight && cheap_lower_ < kInfinity) offer_segment({cheap_, cheap_lower_}, {at_.point, g});
}

void Sandwich::offer_feasible(const Point& point, double f, double g) {
  if (!(f < feasible_upper_)) return;
  feasible_ = point;
  feasible_upper_ = f;
  feasible_lower_ = g;
  // Another driver may have found a better one.
  if (f < ledger_.candidate_upper() || ledger_.candidate_lower() > most_lower_)
    ledger_.set_candidate(point.x, f, g);
}

void Sandwich::offer_segment(const FeasibleSegment::End& outside, const FeasibleSegment::End& inside) {
  const FeasibleSegment::Rules rules{kSegmentTrials, kShortestSegment, kNearSegment * accuracy_.lower,
                                     most_lower_};
  if (const auto found = segment_.search(inside, outside, most_lower_, rules))
    offer_feasible(found->point, found->upper, found->lower);
}

// f* - f(x) >= mu (g(x) - g*) - gap at the minimiser for mu, and about that much: v(c) falls like a power of c - g*,
// and the power is what is missing.  So mu (g(x) - g_lb) says how far there is to go, and once the bound of f* has
// not risen by eps_f above the answer before, though mu has grown several times, the answer is near.
void Sandwich::go_nearer(CertifiedAnswer& answer) {
  const Witness& witness = answer.result().witness;
  const double slack = answer.result().lower_value - ledger_.lower_lower_bound();
  double missing = std::max(witness.multiplier * slack, ledger_.upper_lower_bound() - answer.result().upper_value);
  double before = 0.0;
  int count = 0;
  engine_.settle();
  Monitor& monitor = oracle_.monitor();
  const Frame frame(monitor, [&](Archive& archive) { archive(missing, before, count); });
  if (!frame.is_resumed()) {
    if (witness.multiplier > 0.0 && missing <= kNearAlready * accuracy_.upper) return;
    if (on_face_ && slack <= kNoSlack * (1.0 + std::abs(answer.result().lower_value))) return;
    weights_.lower = std::max(weights_.lower, witness.multiplier);
  }
  const double most = engine_.minds_large_multipliers() ? kMostNearGrowth : kMostFreeGrowth;
  TangentBound tangent(problem_);
  for (; count < kMostTrials; ++count) {
    if (!monitor.is_resuming()) {
      weights_.lower *= std::clamp(missing / (kNearAim * accuracy_.upper), kLeastNearGrowth, most);
      if (!std::isfinite(weights_.lower)) return;
      ++trial_;
      before = answer.result().upper_value;
    }
    const Verdict verdict = near_trial(answer.result().lower_value);
    move_to_face();
    if (verdict == Verdict::exhausted) return;
    if (at_.linearized.lower) {
      const EngineBound alone = tangent.at(oracle_, {0.0, 1.0}, at_);
      if (alone.lower_duals != nullptr)
        ledger_.offer_lower_bound(at_.value(Level::lower) - alone.gap, *alone.lower_duals);
    }
    if (!monitor.may_spend(Ledger::proof_cost(problem_))) return;
    if (!answer.offer_candidate()) return;  // lost to rounding, and the next would lose more
    missing = ledger_.upper_lower_bound() - before;
    if (missing <= accuracy_.upper) return;
  }
}

// Until f + mu g is minimised to a share of eps_f; points that are better than the answer become candidates on the
// way.
Sandwich::Verdict Sandwich::near_trial(double most_lower) {
  Monitor& monitor = oracle_.monitor();
  bool stepped = false;
  const Frame frame(monitor, [&](Archive& archive) { archive(most_lower, stepped); });
  if (!frame.is_resumed()) {
    if (!begin_trial()) return Verdict::exhausted;
    watch_ = StallWatch(near_rules(accuracy_.upper, engine_.patience()));
  }
  for (;; stepped = true) {
    monitor.safe_point();
    const double gap = look(), f = at_.value(Level::upper), g = at_.value(Level::lower);
    if (g <= most_lower && f - ledger_.upper_lower_bound() <= proof_.share() * accuracy_.upper) {
      most_lower = g;
      ledger_.set_candidate(at_.point.x, f, g);
    }
    if (stepped) report("near", trial_);
    if (gap <= kNearShare * accuracy_.upper) return Verdict::done;
    if (watch_.stalls(at_.phi(weights_), gap)) return Verdict::exhausted;
    if (!monitor.may_iterate(engine_.step_cost(weights_)) || !engine_.step(weights_, at_))
      return Verdict::exhausted;
  }
}

bool Sandwich::certificate_is_complete() {
  if (proof_.is_hopeless()) return false;  // this multiplier loses too much to rounding
  return proof_.upper_is_ready() && ledger_.candidate_lower() - ledger_.lower_lower_bound() <= accuracy_.lower &&
         proof_.succeeds();
}

// Tight mode wants the lowest f that the slack in g can buy, and on the face there is none left.
void Sandwich::move_to_face() {
  if (!finds_face_ || accuracy_.tight) return;
  const PassCost f_cost = problem_.upper().cost(), g_cost = problem_.lower().cost();
  if (!oracle_.monitor().may_spend(f_cost.image + f_cost.value + g_cost.image + g_cost.value +
                                   Ledger::proof_cost(problem_)))
    return;
  const std::optional<Vector> x = engine_.face_point();
  if (!x || !problem_.domain().contains(*x, kOnFace * (1.0 + x->norm()))) return;
  Point point(problem_);
  point.x = *x;
  PerLevel<double> values;
  for (Level level : kLevels) {
    oracle_.update_images(level, point);
    values[level] = oracle_.value(level, point);
  }
  if (!(values.lower <= ledger_.candidate_lower()) ||
      !(values.upper - ledger_.upper_lower_bound() <= accuracy_.upper))
    return;
  const Vector before = ledger_.candidate();
  const double before_upper = ledger_.candidate_upper(), before_lower = ledger_.candidate_lower();
  ledger_.offer_reference(*x, values.lower);
  ledger_.set_candidate(*x, values.upper, values.lower);
  on_face_ = is_proved(oracle_, ledger_, accuracy_);
  if (!on_face_) ledger_.set_candidate(before, before_upper, before_lower);
}

}  // namespace fcbio
