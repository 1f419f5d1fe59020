#include "solver/sandwich.hpp"

#include <cmath>

#include "core/conclusion.hpp"
#include "solver/shares.hpp"

namespace fcbio {
namespace {

constexpr double kLeastUpperUsable = 0.5;  // of eps_f, see share_
constexpr double kTightShare = 0.9;        // where between g^ and c_hi the value function is met in tight mode
constexpr double kDecided = 0.3;           // a side is decided when the gap is this share of what separates it
constexpr double kSolved = 0.02;           // or when the inner problem is solved for all purposes
constexpr double kLeastGrowth = 2.5, kLeastTightGrowth = 1.3, kMostGrowth = 30.0;  // of mu
constexpr int kMostTrials = 100;

}  // namespace

Sandwich::Sandwich(const Problem& problem, const Accuracy& accuracy, Oracle& oracle, Ledger& ledger,
                   Engine& engine)
    : Driver(oracle.monitor()),
      problem_(problem),
      accuracy_(accuracy),
      oracle_(oracle),
      ledger_(ledger),
      engine_(engine),
      at_(problem),
      feasible_(problem),
      cheap_(problem),
      between_(problem),
      patience_(kLowerShare * accuracy.lower) {
  for (const Function::Part& part : problem.lower().parts()) lower_needs_x_ |= part.term->value_needs_x();
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
  return path();
}

void Sandwich::report(std::string_view phase, std::int64_t number) {
  Progress progress;
  progress.phase = phase;
  progress.round = number;
  progress.upper_value = weights_.uses(Level::upper) ? at_.value(Level::upper) : kUnknown;
  progress.lower_value = at_.value(Level::lower);
  progress.level = weights_.uses(Level::upper) ? weights_.lower : kUnknown;
  progress.bracket_low = ledger_.upper_bound() > -kInfinity ? ledger_.upper_bound() : kUnknown;
  progress.bracket_high = ledger_.has_candidate_upper() ? ledger_.candidate_upper() : kUnknown;
  progress.upper_excess = progress.bracket_high - progress.bracket_low;
  const double gap = ledger_.candidate_lower() - ledger_.lower_bound();
  progress.lower_gap = std::isfinite(gap) ? gap : kUnknown;
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
  start_slope_ = at_.at[index_of(Level::lower)].gradient.norm();
  return engine_.begin(weights_, at_);
}

Driver::Outcome Sandwich::lower_phase() {
  Monitor& monitor = oracle_.monitor();
  for (bool stepped = false;; stepped = true) {
    const double g = at_.value(Level::lower);
    const EngineBound bound = engine_.bound(weights_, at_);
    if (bound.lower_duals != nullptr) ledger_.offer_lower_bound(g - bound.gap, *bound.lower_duals);
    if (g < ledger_.reference_value()) {
      ledger_.offer_reference(at_.point.x, g);
      if (!ledger_.has_candidate_upper()) ledger_.set_candidate(at_.point.x, kInfinity, g);
    }
    if (stepped) report("lower", 0);
    if (patience_.is_over(g, ledger_.reference_value() - ledger_.lower_bound())) return Outcome::exhausted;
    if (ledger_.reference_value() - ledger_.lower_bound() <= kLowerShare * accuracy_.lower) break;
    if (slice_is_over()) return Outcome::paused;
    if (!monitor.may_iterate(engine_.step_cost(weights_)) || !engine_.step(weights_, at_))
      return Outcome::exhausted;
  }
  first_reference_ = ledger_.reference_value();
  most_lower_ = ledger_.lower_bound() + kLowerUsable * accuracy_.lower;
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
    at_.linearized[index_of(Level::lower)] = false;
  }
  oracle_.update_images(Level::upper, at_.point);
  at_.linearize(oracle_, Level::upper);
  if (!at_.linearized[index_of(Level::lower)]) at_.linearize(oracle_, Level::lower);
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
    if (verdict == Verdict::open || verdict == Verdict::stuck) return Outcome::exhausted;
    if (verdict == Verdict::too_small) {
      cheap_ = at_.point;
      cheap_lower_ = at_.value(Level::lower);
    }
    next_multiplier(verdict);
    if (!(weights_.lower > 0.0) || !std::isfinite(weights_.lower)) return Outcome::exhausted;
    trial_begun_ = false;
  }
  return Outcome::exhausted;
}

// The multiplier wanted is -v'(c) for some c <= c_hi.  By convexity it is at most (v(g^) - v(c_hi)) / (c_hi - g^),
// and v lies between the bound of f* and f(x_g).  From below there is only the ratio of the slopes, where g still
// had one. A mean of the two, nearer to the first: a multiplier too large costs accuracy of one inner problem, one
// too small costs whole trials.
double Sandwich::first_multiplier() const {
  const double f_slope = at_.at[index_of(Level::upper)].gradient.norm();
  double ratio = f_slope > 0.0 && start_slope_ > 0.0 ? f_slope / start_slope_ : 1.0;
  const double width = most_lower_ - first_reference_;
  const double most = (feasible_upper_ - ledger_.upper_bound()) / width;
  if (!std::isfinite(most) || !(most > 0.0)) return std::isfinite(ratio) ? ratio : 1.0;
  if (!(ratio < most))
    ratio = std::min(most, accuracy_.upper / width);  // g was flat at the start: its slope says nothing
  return ratio * std::pow(most / ratio, engine_.first_multiplier_share());
}

Sandwich::Verdict Sandwich::trial() {
  Monitor& monitor = oracle_.monitor();
  if (!trial_begun_) {
    if (!engine_.begin(weights_, at_)) return Verdict::open;
    low_ = -kInfinity;
    patience_ = Patience(accuracy_.upper);
    share_ = kUpperUsable;
    trial_begun_ = true;
  }
  for (bool stepped = false;; stepped = true) {
    const double phi = at_.phi(weights_);
    const EngineBound bound = engine_.bound(weights_, at_);
    ledger_.offer_reference(at_.point.x, at_.value(Level::lower));
    if (bound.upper_duals != nullptr && bound.lower_duals != nullptr) {
      low_ = std::max(low_, phi - bound.gap);
      ledger_.offer_cut(weights_.lower, phi - bound.gap, *bound.upper_duals, *bound.lower_duals);
    }
    offer_candidates();
    if (stepped) report("path", trial_);
    if (certificate_is_complete()) return Verdict::done;
    Verdict verdict = judge(phi - low_);
    if (verdict == Verdict::open && patience_.is_over(phi, phi - low_)) verdict = no_progress();
    if (verdict != Verdict::open) return verdict;
    if (slice_is_over()) return Verdict::paused;
    if (!monitor.may_iterate(engine_.step_cost(weights_))) return Verdict::open;
    if (!engine_.step(weights_, at_)) {
      return monitor.stopped() ? Verdict::open : no_progress();
    }
  }
}

// The engine has no digits left at this multiplier.  Another one may do: a larger one where g is too large, a
// smaller one where it is not.
Sandwich::Verdict Sandwich::no_progress() const {
  if (at_.value(Level::lower) > most_lower_) return Verdict::too_small;
  return mu_high_ > 1.2 * mu_low_ && weights_.lower > mu_low_ ? Verdict::too_large : Verdict::stuck;
}

void Sandwich::offer_candidates() {
  const double f = at_.value(Level::upper), g = at_.value(Level::lower);
  if (g > most_lower_) {
    // The segment can only help when the iterate itself is low enough.
    if (f - ledger_.upper_bound() <= accuracy_.upper) offer_segment(at_.point, g, feasible_, feasible_lower_);
    return;
  }
  offer_feasible(at_.point, f, g);
  if (accuracy_.tight && cheap_lower_ < kInfinity) offer_segment(cheap_, cheap_lower_, at_.point, g);
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

// The point nearest to the outer end of a segment that is still feasible, by a safeguarded secant on g.
void Sandwich::offer_segment(const Point& outside, double outside_lower, const Point& inside,
                             double inside_lower) {
  if (problem_.upper().cost().value + problem_.lower().cost().value > 0) return;  // it would not be free
  double in = 0.0, out = 1.0;                                                     // share of the outer end
  double slack_in = inside_lower - most_lower_, slack_out = outside_lower - most_lower_;
  double reached_lower = inside_lower;
  for (int trial = 0; trial < 30 && out - in > 1e-9; ++trial) {
    double share = in - slack_in * (out - in) / (slack_out - slack_in);
    if (!(share > in && share < out) || trial % 3 == 2) share = 0.5 * (in + out);
    // Only what g is evaluated from; the rest follows for the point that is kept.
    if (lower_needs_x_) between_.x = (1.0 - share) * inside.x + share * outside.x;
    PartVectors& images = between_.images_of(Level::lower);
    for (std::size_t i = 0; i < images.size(); ++i)
      images[i] = (1.0 - share) * inside.images_of(Level::lower)[i] + share * outside.images_of(Level::lower)[i];
    const double g = oracle_.value(Level::lower, between_);
    (g <= most_lower_ ? in : out) = share;
    (g <= most_lower_ ? slack_in : slack_out) = g - most_lower_;
    if (g <= most_lower_) reached_lower = g;
    if (g <= most_lower_ && most_lower_ - g <= 1e-3 * accuracy_.lower) break;
  }
  if (in == 0.0) return;
  between_.set_combination(1.0 - in, inside, in, outside);
  offer_feasible(between_, oracle_.value(Level::upper, between_), reached_lower);
}

bool Sandwich::certificate_is_complete() {
  if (share_ < kLeastUpperUsable) return false;  // this multiplier loses too much to rounding
  if (!(ledger_.candidate_upper() - ledger_.upper_bound() <= share_ * accuracy_.upper &&
        ledger_.candidate_lower() - ledger_.lower_bound() <= accuracy_.lower))
    return false;
  if (!oracle_.monitor().may_spend(Ledger::proof_cost(problem_))) return true;
  if (is_proved(oracle_, ledger_, accuracy_)) return true;
  share_ *= 0.9;  // the allowances for rounding need more room
  return false;
}

Sandwich::Verdict Sandwich::judge(double gap) const {
  const double g = at_.value(Level::lower), mu = weights_.lower;
  const double met = ledger_.cut_level();
  const double solved = kSolved * strictness_ * (accuracy_.upper + mu * std::max(0.0, most_lower_ - met));
  if (g > most_lower_) {
    const bool decided = gap <= kDecided * strictness_ * mu * (g - most_lower_) || gap <= solved;
    return decided ? Verdict::too_small : Verdict::open;
  }
  if (accuracy_.tight) {
    const bool decided = (g < met && gap <= kDecided * strictness_ * mu * (met - g)) || gap <= solved;
    return decided ? Verdict::too_large : Verdict::open;
  }
  // Far inside, with a multiplier that asks for more accuracy than needed: come back a little.
  const double width = most_lower_ - first_reference_;
  const bool too_large = g < first_reference_ + 0.1 * width && gap <= 0.1 * mu * width &&
                         mu * width > 20.0 * accuracy_.upper && mu_high_ > 1.2 * mu_low_;
  return too_large ? Verdict::too_large : Verdict::open;
}

void Sandwich::next_multiplier(Verdict verdict) {
  const double lower_bound = most_lower_ - kLowerUsable * accuracy_.lower;
  const double excess = std::max(at_.value(Level::lower) - lower_bound, 1e-300);
  const double aim = accuracy_.tight ? 0.95 : 0.5;
  const double target = std::max(first_reference_ + aim * (most_lower_ - first_reference_) - lower_bound,
                                 0.01 * accuracy_.lower);  // whatever rounding did to the first two
  double& mu = weights_.lower;
  if (verdict == Verdict::too_small) {
    mu_low_ = std::max(mu_low_, mu);
    excess_low_ = excess;
  } else {
    mu_high_ = std::min(mu_high_, mu);
    excess_high_ = excess;
  }
  if (mu_high_ == kInfinity) {
    mu = mu_low_ * std::clamp(excess / target, accuracy_.tight ? kLeastTightGrowth : kLeastGrowth, kMostGrowth);
    return;
  }
  if (mu_low_ == 0.0) {
    mu = mu_high_ * std::clamp(excess / target, 1.0 / kMostGrowth, 0.7);
    return;
  }
  if (mu_high_ < mu_low_) mu_high_ = 1.5 * mu_low_;
  // g - g_lb falls like a power of mu: a secant on logarithms, kept to the inner part of the bracket.
  const double ratio = mu_high_ / mu_low_;
  const double power = std::log(std::max(excess_low_ / excess_high_, 1.0001)) / std::log(ratio);
  mu = mu_low_ * std::pow(excess_low_ / target, 1.0 / std::max(power, 1e-3));
  mu = std::clamp(mu, mu_low_ * std::pow(ratio, 0.15), mu_low_ * std::pow(ratio, 0.85));
  if (ratio < 1.02) {  // degenerate (piecewise linear v): solve more accurately, the segment then succeeds
    strictness_ *= 0.3;
    mu = std::sqrt(mu_low_ * mu_high_);
    mu_low_ *= 0.8;
    mu_high_ *= 1.25;
  }
}

}  // namespace fcbio
