#include "solver/bundle_level.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/checkpoints.hpp"
#include "solver/skeleton/ledger_progress.hpp"

namespace fcbio {
namespace {

constexpr int kMostFailures = 12;   // programmes in a row that neither give a point nor raise a bound
constexpr double kHalved = 0.5;     // what the gap must come down to if the form of the method is to be kept
constexpr double kDeep = 1e-12;     // a gap that is so small a share of its numbers is about to drown in rounding,
constexpr int kDeepPatience = 300;  // and gets no more than this many turns
constexpr int kMostStalls = 3;      // forms tried in a row, each with twice the patience, before giving up
constexpr double kLevelShrink = 0.95;  // of the share of a proof: levels are counted from it, so it moves gently

// After the certificate.
constexpr int kMostApproaches = 30;
constexpr double kSmallerAim = 0.1;                        // of eps_f, for what the slack in g may buy
constexpr double kMostShrink = 1e-3, kLeastShrink = 0.25;  // of eps_g, at once

// The segment: to a hundredth of eps_f, in a few trials, since it is searched at almost every step.
constexpr int kMostSegmentTrials = 12;
constexpr double kSegmentAccuracy = 0.01;

StallRules stall_rules(const BundleOptions& options) { return {.closer = kHalved, .most_idle = options.patience}; }

Index chosen_size(const BundleOptions& options, const Problem& problem) {
  constexpr double kMostNumbers = 6.4e7;  // half a gigabyte
  if (options.cuts > 0) return std::max<Index>(options.cuts, 8);
  double per_cut = 0.0;
  for (Level level : kLevels) {
    const Function& function = problem.function(level);
    for (const Function::Part& part : function.parts()) per_cut += static_cast<double>(part.term->dual_size());
    per_cut += static_cast<double>(problem.dimension());
  }
  return std::clamp<Index>(static_cast<Index>(kMostNumbers / per_cut), 20, 100);
}

}  // namespace

BundleLevel::BundleLevel(const Problem& problem, const Accuracy& accuracy, Oracle& oracle, Ledger& ledger,
                         BundleOptions options)
    : Driver(oracle.monitor()),
      problem_(problem),
      accuracy_(accuracy),
      oracle_(oracle),
      monitor_(oracle.monitor()),
      ledger_(ledger),
      options_(options),
      bundle_(problem, chosen_size(options, problem) + 2, LevelProjection::shift_of(problem)),
      projection_(oracle, bundle_.capacity()),
      bounds_(problem),
      combination_(problem),
      multipliers_(Vector::Zero(bundle_.capacity())),
      programme_(multipliers_),
      at_{Linearization(problem.upper()), Linearization(problem.lower())},
      current_{Point(problem)},
      anchor_{Point(problem)},
      best_{Point(problem)},
      segment_(oracle),
      proof_(accuracy, oracle, ledger, kLevelShrink),
      watch_(stall_rules(options)),
      centre_(problem.start()),
      level_(options.level),
      fixed_centre_(options.fixed_centre) {
  order_.reserve(static_cast<std::size_t>(bundle_.capacity()));
}

void BundleLevel::archive(Archive& archive) {
  Driver::archive(archive);
  archive(accuracy_, stage_, bundle_, projection_, multipliers_, programme_, current_, anchor_, best_, proof_,
          watch_, centre_, level_, level_bound_, failures_, fixed_centre_, centre_gap_, stalls_);
}

Driver::Outcome BundleLevel::resume() {
  if (stage_ == Stage::fresh) {
    if (!start()) return Outcome::exhausted;
    begin_phase();
    stage_ = Stage::lower;
  }
  if (stage_ == Stage::lower) {
    if (const Outcome outcome = lower_phase(); outcome != Outcome::complete) return outcome;
    begin_phase();
    if (!begin_upper_phase()) return Outcome::exhausted;
    stage_ = Stage::upper;
  }
  return upper_phase();
}

double BundleLevel::reachable() const {
  return ledger_.lower_lower_bound() + kLowerUsable * proof_.share() * accuracy_.lower;
}

bool BundleLevel::complete() const { return ledger_.candidate_lower() <= reachable() && proof_.upper_is_ready(); }

double BundleLevel::psi(double bound, const Kept& at) const {
  const double reference = ledger_.reference_value();
  return std::max((at.f - bound) / (proof_.share() * accuracy_.upper),
                  (at.g - reference) / (reachable() - reference));
}

std::int64_t BundleLevel::step_cost(bool with_upper) const {
  const PassCost f = problem_.upper().cost(), g = problem_.lower().cost();
  return g.image + g.value + g.gradient + (with_upper ? f.image + f.value + f.gradient : 0);
}

void BundleLevel::tell(std::string_view phase) {
  Progress progress = progress_of(ledger_, phase);
  progress.upper_value = current_.f;
  progress.lower_value = current_.g;
  progress.level = progress.bracket_low;
  progress.x = &current_.point.x;
  monitor_.iteration_done(progress);
}

// Bundle ---------------------------------------------------------------------------------------------------------

// Leaves room for two cuts: the active ones are added up to a mixed one, and the largest multipliers and the
// newest cuts stay.
void BundleLevel::make_room() {
  if (bundle_.size() + 2 <= bundle_.capacity()) return;
  const Index room = bundle_.capacity() - 2;  // K
  bundle_.combine(multipliers_, combination_);
  const double total = multipliers_.head(bundle_.size()).sum();
  std::int64_t newest = 0;
  order_.clear();
  for (Index i = 0; i < bundle_.size(); ++i) {
    order_.push_back(i);
    newest = std::max(newest, bundle_.birth(i));
  }
  const std::int64_t young = newest - std::max<Index>(2, room / 6);
  std::sort(order_.begin(), order_.end(), [&](Index a, Index b) {
    return multipliers_[a] != multipliers_[b] ? multipliers_[a] > multipliers_[b]
                                              : bundle_.birth(a) > bundle_.birth(b);
  });
  const auto staying = std::min(static_cast<std::ptrdiff_t>(room - 1 - room / 4), std::ssize(order_));
  const auto first = order_.begin() + staying;
  std::sort(first, order_.end(), std::greater<>());  // from the back, so that indices stay right
  for (auto dropped = first; dropped != order_.end(); ++dropped) {
    if (bundle_.birth(*dropped) > young) continue;
    bundle_.remove(*dropped);
    multipliers_[*dropped] = multipliers_[bundle_.size()];
  }
  if (!(combination_.weights.upper + combination_.weights.lower > 0.0)) return;
  bounds_.lift(problem_, current_.point.x, combination_);
  bundle_.add(combination_);
  multipliers_[bundle_.size() - 1] = total;
}

double BundleLevel::read_bound(const Vector& multipliers) {
  bundle_.combine(multipliers, combination_);
  const double lower_before = ledger_.lower_lower_bound(), upper_before = ledger_.upper_lower_bound();
  if (combination_.weight(Level::upper) > 0.0) {
    const CutBounds::Bound bound = bounds_.lagrangian(oracle_, combination_);
    if (std::isfinite(bound.low) && std::isfinite(bound.multiplier))
      ledger_.offer_cut(bound.multiplier, bound.low, bounds_.duals(Level::upper), bounds_.duals(Level::lower));
    return ledger_.upper_lower_bound() - upper_before;
  }
  if (!(combination_.weight(Level::lower) > 0.0)) return 0.0;
  const CutBounds::Bound bound = bounds_.lower(oracle_, combination_);
  if (std::isfinite(bound.low)) ledger_.offer_lower_bound(bound.low, bounds_.duals(Level::lower));
  return ledger_.lower_lower_bound() - lower_before;
}

// Points ---------------------------------------------------------------------------------------------------------

// What the current point is good for: reference, anchor, candidate, or one end of a segment.
void BundleLevel::learn(bool with_upper) {
  const Kept& at = current_;
  ledger_.offer_reference(at.point.x, at.g);
  if (!with_upper) {
    if (!(at.g < anchor_.g)) return;
    anchor_ = at;
    if (!ledger_.has_candidate_upper()) ledger_.set_candidate(at.point.x, kInfinity, at.g);
    return;
  }
  const double bound = ledger_.upper_lower_bound();
  if (psi(bound, at) < psi(bound, anchor_)) anchor_ = at;
  if (!(at.f < best_.f)) return;
  if (at.g <= reachable()) {
    best_ = at;
    offer_candidate();
  } else {
    offer_segment();
  }
}

void BundleLevel::offer_candidate() {
  // Feasible as all drivers see it (shares.hpp); the share of proof_ is this one's own caution.
  const bool feasible = ledger_.candidate_lower() <= ledger_.lower_lower_bound() + kLowerUsable * accuracy_.lower;
  if (best_.f < ledger_.candidate_upper() || !feasible) ledger_.set_candidate(best_.point.x, best_.f, best_.g);
}

// From the candidate towards the current point, which has a lower f but too large a g.
void BundleLevel::offer_segment() {
  if (!(best_.f < kInfinity)) return;
  const FeasibleSegment::Rules rules{kMostSegmentTrials,
                                     kSegmentAccuracy * accuracy_.upper / (best_.f - current_.f)};
  const auto found = segment_.search({best_.point, best_.g}, {current_.point, current_.g}, reachable(), rules);
  if (!found || !(found->upper < best_.f)) return;
  std::swap(best_.point, found->point);
  best_.f = found->upper;
  best_.g = found->lower;
  offer_candidate();
  const double bound = ledger_.upper_lower_bound();
  if (psi(bound, best_) < psi(bound, anchor_)) anchor_ = best_;
}

// Images, values, cuts and bookkeeping at the current point.
bool BundleLevel::linearize(bool with_upper) {
  current_.f = kUnknown;
  make_room();
  for (Level level : kLevels) {
    if (level == Level::upper && !with_upper) continue;
    oracle_.update_images(level, current_.point);
    oracle_.linearize(level, current_.point, at_[level]);
    if (monitor_.stopped()) return false;
    (level == Level::upper ? current_.f : current_.g) = at_[level].value;
    bundle_.add(level, at_[level], current_.point.x);
    multipliers_[bundle_.size() - 1] = 0.0;
  }
  learn(with_upper);
  return !monitor_.stopped();
}

bool BundleLevel::step(bool with_upper) {
  if (!monitor_.may_iterate(step_cost(with_upper)) || !linearize(with_upper)) return false;
  if (!fixed_centre_) centre_ = current_.point.x;
  tell(with_upper ? "bundle" : "lower");
  return !monitor_.stopped();
}

BundleLevel::Turn BundleLevel::turn(const Aim& aim, bool with_upper) {
  programme_.head(bundle_.size()) = multipliers_.head(bundle_.size());
  const bool found = projection_.project(bundle_, aim.levels, centre_, programme_, current_.point.x);
  const bool raised = read_bound(programme_) >= 0.1 * aim.gain;
  if (found && (projection_.settled() || !raised)) {
    multipliers_.head(bundle_.size()) = programme_.head(bundle_.size());
    failures_ = 0;
    return step(with_upper) ? Turn::stepped : Turn::stopped;
  }
  if (raised) {
    failures_ = 0;
    level_bound_ = -kInfinity;
    return Turn::raised;
  }
  // Empty, but rounding or a loose linear bound of Z hides by how much: ask for less.
  multipliers_.head(bundle_.size()).setZero();
  level_ = std::min(0.95, 0.5 * (1.0 + level_));
  return ++failures_ > kMostFailures ? Turn::failed : Turn::raised;
}

// Stalls ---------------------------------------------------------------------------------------------------------

void BundleLevel::begin_phase() {
  watch_ = StallWatch(stall_rules(options_));
  centre_gap_ = kInfinity;
  stalls_ = failures_ = 0;
  fixed_centre_ = options_.fixed_centre;
  level_ = options_.level;
  level_bound_ = -kInfinity;
}

bool BundleLevel::goes_on(double gap, double magnitude) {
  const bool stalls = watch_.stalls(gap);
  if (watch_.idle() == 0) {
    stalls_ = 0;
  } else if (watch_.idle() > kDeepPatience && gap <= kDeep * magnitude) {
    return false;
  } else if (stalls) {
    if (++stalls_ == kMostStalls) return false;
    watch_.wait_longer(2);
    fixed_centre_ = !fixed_centre_;
    centre_gap_ = kInfinity;
  }
  if (fixed_centre_ && gap <= 0.6 * centre_gap_) {
    centre_gap_ = gap;
    centre_ = anchor_.point.x;
  }
  return true;
}

// Phases ---------------------------------------------------------------------------------------------------------

bool BundleLevel::start() {
  current_.point.x = ledger_.reference_value() < kInfinity ? ledger_.reference() : problem_.start();
  if (!monitor_.may_iterate(step_cost(false)) || !linearize(false)) return false;
  programme_[0] = 1.0;
  read_bound(programme_);
  centre_ = current_.point.x;
  tell("lower");
  return ledger_.lower_lower_bound() > -kInfinity && !monitor_.stopped();
}

BundleLevel::Aim BundleLevel::lower_aim() {
  const double bound = ledger_.lower_lower_bound(), best = ledger_.reference_value();
  const double gain = level_ * (best - bound);
  double level = level_bound_ + level_ * (best - level_bound_);
  if (!(level > bound + 0.2 * gain)) {
    level_bound_ = bound;
    level = bound + gain;
  }
  return {{0.0, level}, level - bound};
}

Driver::Outcome BundleLevel::lower_phase() {
  const Frame frame(monitor_, [](Archive&) {});
  while (true) {
    monitor_.safe_point();
    const double gap = ledger_.reference_value() - ledger_.lower_lower_bound();
    if (gap <= options_.lower_share * accuracy_.lower) return Outcome::complete;
    if (slice_is_over()) return Outcome::paused;
    const double magnitude = std::abs(ledger_.reference_value()) + std::abs(ledger_.lower_lower_bound());
    if (!monitor_.may_spend(0) || !goes_on(gap, magnitude)) return Outcome::exhausted;
    const Turn result = turn(lower_aim(), false);
    if (result == Turn::failed || result == Turn::stopped) return Outcome::exhausted;
  }
}

BundleLevel::Aim BundleLevel::upper_aim() {
  const double bound = ledger_.upper_lower_bound(), reference = ledger_.reference_value();
  const double unit = proof_.share() * accuracy_.upper;
  double v = level_ * psi(level_bound_, anchor_);
  double level = level_bound_ + v * unit;
  const double fresh = level_ * psi(bound, anchor_);
  if (!(level > bound + 0.2 * fresh * unit)) {
    level_bound_ = bound;
    v = fresh;
    level = bound + v * unit;
  }
  return {{level, reference + v * (reachable() - reference)}, level - bound};
}

bool BundleLevel::begin_upper_phase() {
  current_.point.x = ledger_.reference();
  if (!monitor_.may_iterate(step_cost(true)) || !linearize(true)) return false;
  anchor_ = current_;
  programme_.head(bundle_.size()).setZero();
  programme_[bundle_.size() - 2] = 1.0;  // the cut of f alone
  read_bound(programme_);
  tell("bundle");
  if (ledger_.candidate_upper() < current_.f && ledger_.candidate_lower() <= reachable()) {
    current_.point.x = ledger_.candidate();  // from an engine that ran before
    if (!step(true)) return false;
  }
  centre_ = anchor_.point.x;
  return ledger_.upper_lower_bound() > -kInfinity;  // else Z is unbounded and nothing is known of f
}

Driver::Outcome BundleLevel::upper_phase() {
  const Frame frame(monitor_, [](Archive&) {});
  while (!monitor_.stopped()) {
    monitor_.safe_point();
    if (complete()) {
      if (certificate_holds()) return Outcome::complete;
      if (proof_.is_hopeless()) return Outcome::exhausted;
    }
    if (slice_is_over()) return Outcome::paused;
    const double magnitude =
        (std::abs(anchor_.f) + std::abs(ledger_.upper_lower_bound())) / (proof_.share() * accuracy_.upper);
    if (!monitor_.may_spend(0) || !goes_on(psi(ledger_.upper_lower_bound(), anchor_), magnitude))
      return Outcome::exhausted;
    const Turn result = turn(upper_aim(), true);
    if (result == Turn::failed || result == Turn::stopped) return Outcome::exhausted;
  }
  return Outcome::exhausted;
}

// The two phases once more with all that is known, for an eps_g of which the multiplier says that it buys little.
void BundleLevel::go_nearer(CertifiedAnswer& answer) {
  int count = 0;
  double before = 0.0;
  bool in_upper_phase = false;
  const Frame frame(monitor_, [&](Archive& archive) { archive(count, before, in_upper_phase); });
  for (; count < kMostApproaches; ++count) {
    if (!monitor_.is_resuming()) {
      const Result& now = answer.result();
      before = now.upper_value;
      const double slack = now.lower_value - ledger_.lower_lower_bound();
      const double missing = std::max(now.witness.multiplier * slack, ledger_.upper_lower_bound() - before);
      const double unit = kSmallerAim * accuracy_.upper;
      if (!(slack > 0.0) || (now.witness.multiplier > 0.0 && missing <= unit)) return;
      accuracy_.lower = slack * std::clamp(unit / missing, kMostShrink, kLeastShrink);
      if (!(best_.g <= reachable())) best_.f = kInfinity;
      begin_phase();
    }
    if (!in_upper_phase) {
      if (lower_phase() != Outcome::complete) return;
      begin_phase();
      if (!begin_upper_phase()) return;
      in_upper_phase = true;
    }
    if (upper_phase() != Outcome::complete || monitor_.stopped()) return;
    in_upper_phase = false;
    if (!answer.offer_candidate() || ledger_.upper_lower_bound() - before <= accuracy_.upper) return;
  }
}

bool BundleLevel::certificate_holds() {
  if (proof_.succeeds()) return true;
  if (!(best_.g <= reachable())) best_.f = kInfinity;  // the share has shrunk
  return false;
}

}  // namespace fcbio
