#include "solver/absolute.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>

#include "core/checkpoints.hpp"
#include "core/conclusion.hpp"
#include "core/proof.hpp"
#include "fcbio/error.hpp"
#include "solver/least_squares_bound.hpp"

namespace fcbio {
namespace {

constexpr double kUsable = 0.99;    // of eps_f; the rest is for rounding
constexpr double kRounded = 1e-12;  // more than powers and products lose, relatively

[[noreturn]] void refuse(const std::string& found) {
  throw InvalidArgument(fmt::format(
      "accuracy.absolute needs an error bound of g, which is computed for one least-squares term of full rank, "
      "found {}; without one no method that follows gradients can tell how far f(x) lies below f* (`fcbio hard "
      "smooth` shows it): give accuracy.holder = {{alpha, beta, gradient_bound}} with "
      "(beta/alpha) dist(x, X)^alpha <= g(x) - g* for all x of Z and |f'| <= gradient_bound on X, X being the "
      "minimisers of g over Z, or leave absolute out",
      found));
}

std::string constants_in_words(const HolderBound& holder) {
  return fmt::format("alpha {:g}, beta {:.3g}, gradient bound {:.3g}", holder.alpha, holder.beta,
                     holder.gradient_bound);
}

/// A told error bound speaks of points of Z, and x may be next to it.
class Straying {
 public:
  explicit Straying(Oracle& oracle) : oracle_(oracle) {}

  std::int64_t cost() const {
    std::int64_t passes = 0;
    for (Level level : kLevels) {
      const PassCost cost = oracle_.problem().function(level).cost();
      passes += 2 * cost.image + cost.value;
    }
    return passes;
  }

  /// Moves x into Z where that is a matter of rounding, with all that is claimed about it.
  void settle(Result& result, const Accuracy& accuracy) {
    Certificate moved = result.certificate;
    Point point(oracle_.problem());
    point.x = result.x;
    if (!moved.upper_excess || oracle_.problem().domain().settle(point.x) != 0.0 || point.x == result.x) return;
    const CheckedValue f = checked_value(oracle_, Level::upper, point);
    const CheckedValue g = checked_value(oracle_, Level::lower, point);
    moved.upper_excess = excess(f, *moved.upper_lower_bound);
    moved.lower_gap = excess(g, *moved.lower_lower_bound);
    moved.shortfall = std::max(0.0, -*moved.upper_excess);
    if (is_within(result.certificate, accuracy) && !is_within(moved, accuracy)) return;
    result.x = point.x;
    result.upper_value = f.value;
    result.lower_value = g.value;
    result.certificate = std::move(moved);
  }

  /// How much g may rise and f may fall on the way that is left to Z.
  struct Change {
    double upper = 0.0, lower = 0.0;
  };
  Change at(VectorIn x) {
    const Problem& problem = oracle_.problem();
    Vector settled = x;
    const double off = problem.domain().settle(settled);
    const double distance = off + (settled - x).norm() * (1.0 + kRounded);
    if (distance == 0.0) return {};
    if (!(distance < kInfinity)) return {kInfinity, kInfinity};
    Point point(problem);
    point.x = x;
    const auto change = [&](Level level) {
      oracle_.update_images(level, point);
      const CostedBound bound = problem.function(level).change(x, point.images_of(level), distance);
      oracle_.charge(level, bound.passes);
      return bound.value.value_or(kInfinity);
    };
    return {change(Level::upper), change(Level::lower)};
  }

 private:
  Oracle& oracle_;
};

/// Where the constants come from, and what it takes to use them at a point.
class ErrorBound {
 public:
  /// Refuses where no bound is told and none can be computed.
  ErrorBound(const Problem& problem, const Accuracy& accuracy, Oracle& oracle)
      : problem_(problem), oracle_(oracle) {
    if (accuracy.holder) {
      known_ = *accuracy.holder;
      straying_ = std::make_unique<Straying>(oracle);
    } else if (const std::string why = LeastSquaresBound::misfit(problem_); !why.empty()) {
      refuse(why);
    } else if (!problem_.domain().depth(problem_.start())) {
      refuse(fmt::format("least squares over the set '{}'", problem_.domain().name()));
    }
  }

  /// Makes the constants known, unless they are, or a limit comes before.  Refuses where g has no such bound.
  void compute() {
    if (known_) return;
    Vector centre = problem_.start();
    const double radius = problem_.domain().enclosing_ball(centre).value_or(kInfinity);
    const CostedBound steepest = problem_.upper().lipschitz(centre, radius * (1.0 + kRounded));
    oracle_.charge(Level::upper, steepest.passes);
    if (!steepest.value)
      refuse("an upper function whose gradient has no bound on the domain, which has no radius");
    squares_ = std::make_unique<LeastSquaresBound>(oracle_);
    if (squares_->interrupted()) return;
    if (!(squares_->beta() > 0.0)) refuse("data that does not have full rank, clearly above rounding");
    known_ = HolderBound{2.0, squares_->beta(), *steepest.value};
  }

  bool is_known() const { return known_.has_value(); }
  const HolderBound& constants() const { return *known_; }
  /// Passes that apply() spends.
  std::int64_t cost() const {
    return straying_ ? straying_->cost()
                     : LeastSquaresBound::nearest_cost(problem_) + problem_.upper().cost().image;
  }

  /// Fills in upper_deficit for the point and the proved lower gap of `result`.  Returns why not, in words.
  std::string apply(Result& result, const Accuracy& accuracy) {
    Certificate& certificate = result.certificate;
    if (!certificate.lower_gap) return "the lower gap is not proved";
    Straying::Change change;
    if (straying_) {
      straying_->settle(result, accuracy);
      change = straying_->at(result.x);
    } else if (const std::string why = not_inside(result.x); !why.empty()) {
      return why;
    }
    const double gap = std::max(*certificate.lower_gap, 0.0) + change.lower;
    // Told: by (6).  Computed: the minimiser of g nearest to x is within this distance, and f rises by no more.
    const double deficit = straying_ ? deficit_bound(*known_, gap) + change.upper
                                     : rise_within(distance_bound(*known_, gap), result.x);
    if (!std::isfinite(deficit)) return "the point misses the domain by more than rounding";
    certificate.upper_deficit = deficit;
    certificate.holder = known_;
    certificate.holder_source = straying_ ? HolderSource::told : HolderSource::computed;
    return {};
  }

 private:
  /// At least f(p) - f(x) for every p within `distance` of x.
  double rise_within(double distance, VectorIn x) {
    if (distance == 0.0) return 0.0;
    Point point(problem_);
    point.x = x;
    oracle_.update_images(Level::upper, point);
    const CostedBound bound = problem_.upper().change(x, point.images_of(Level::upper), distance);
    oracle_.charge(Level::upper, bound.passes);
    return bound.value.value_or(kInfinity);
  }

  /// The test without which the computed bound may be false.
  std::string not_inside(VectorIn x) {
    const LeastSquaresBound::Nearest nearest = squares_->nearest(x);
    const double depth = problem_.domain().depth(nearest.point).value_or(-kInfinity);
    if (depth >= nearest.error) return {};
    return fmt::format(
        "the minimiser of g nearest to x among those of the whole space is not inside the domain (its depth is "
        "{:.3g}, known to {:.3g}), and where the domain cuts them off the computed error bound may be false",
        depth, nearest.error);
  }

  const Problem& problem_;
  Oracle& oracle_;
  std::optional<HolderBound> known_;
  std::unique_ptr<Straying> straying_;          // told
  std::unique_ptr<LeastSquaresBound> squares_;  // computed
};

bool is_certified(const Result& result) { return result.status == Status::certified; }

}  // namespace

double distance_bound(const HolderBound& holder, double gap) {
  if (!(gap > 0.0)) return 0.0;
  const double distance = std::pow(holder.alpha * gap / holder.beta, 1.0 / holder.alpha);
  return std::nextafter(distance * (1.0 + kRounded), kInfinity);
}

double deficit_bound(const HolderBound& holder, double gap) {
  if (!(gap > 0.0) || holder.gradient_bound == 0.0) return 0.0;
  return std::nextafter(holder.gradient_bound * distance_bound(holder, gap) * (1.0 + kRounded), kInfinity);
}

double gap_needed(const HolderBound& holder, double asked) {
  if (holder.gradient_bound == 0.0) return kInfinity;
  return std::pow(asked / holder.gradient_bound, holder.alpha) * holder.beta / holder.alpha * (1.0 - kRounded);
}

Result run_absolute(const Problem& problem, const Accuracy& accuracy, const CertifiedOptions& options,
                    Monitor& monitor) {
  if (accuracy.tight)
    throw InvalidArgument(
        "accuracy.absolute and accuracy.tight contradict each other (one keeps f from going below f*, the other "
        "asks for it): leave one of them out");
  Oracle oracle(problem, monitor);
  ErrorBound bound(problem, accuracy, oracle);
  const Monitor::Reservation for_the_bound(monitor, bound.cost());
  {
    // Should a limit come before the constants, there is a proof to be made all the same.
    const Monitor::Reservation for_the_proof(monitor, Ledger::proof_cost(problem));
    bound.compute();
  }
  Accuracy plain{accuracy.upper, accuracy.lower};
  Accuracy lowered = plain;
  const double needed = bound.is_known() ? gap_needed(bound.constants(), kUsable * accuracy.upper) : kInfinity;
  lowered.lower = std::min(accuracy.lower, std::max(needed, std::numeric_limits<double>::min()));

  CertifiedOptions until_certified = options;  // which is near by itself, then
  until_certified.refine = 0.0;
  Result result;
  bool out_of_precision = false;
  double reached = kInfinity;  // the least lower gap that was proved
  std::size_t again_with = 0;  // of the accuracies below
  const Frame frame(monitor, [&](Archive& archive) { archive(result, out_of_precision, reached, again_with); });
  if (!out_of_precision) result = run_certified(problem, lowered, until_certified, monitor);
  if (!out_of_precision && result.status == Status::stalled && !monitor.stopped() && lowered.lower < plain.lower &&
      result.certificate.lower_gap) {
    // Rounding stopped it.  Ten times what it reached may be had, or else what was asked for without `absolute`.
    out_of_precision = true;
    reached = *result.certificate.lower_gap;
  }
  if (out_of_precision) {
    const double possible = 10.0 * std::max(reached, lowered.lower);
    const std::array accuracies{std::min(possible, plain.lower), plain.lower};
    for (; again_with < accuracies.size(); ++again_with) {
      Result again = run_certified(problem, {plain.upper, accuracies[again_with]}, until_certified, monitor);
      if (is_certified(again)) result = std::move(again);
      if (is_certified(result) || monitor.stopped()) break;
    }
  }

  result.accuracy = accuracy;
  if (result.status == Status::not_convex) return result;
  reached = std::min(reached, result.certificate.lower_gap.value_or(kInfinity));
  const std::string why_not =
      bound.is_known() ? bound.apply(result, plain) : "a limit was reached while it was computed";
  result.work = monitor.work();
  result.solve_seconds = monitor.seconds();

  const std::string needs = bound.is_known() ? fmt::format("accuracy.absolute needs a lower gap of {:.3g} ({})",
                                                           needed, constants_in_words(bound.constants()))
                                             : std::string();
  const std::string lacking =
      needs + (reached > needed
                   ? fmt::format(", below what double precision can prove for this problem: {:.3g} was "
                                 "reached",
                                 reached)
                   : ", and with it double precision cannot prove the upper accuracy of this problem");
  if (is_certified(result)) {
    const std::string bounds = bounds_in_words(result.certificate, accuracy);
    if (why_not.empty() && *result.certificate.upper_deficit <= accuracy.upper) {
      result.message = proved_in_words(result.certificate) + ": " + bounds;
      return result;
    }
    result.status = Status::stalled;
    result.message =
        why_not.empty()
            ? fmt::format("{}; without `absolute` the point is certified: {}; raise accuracy.upper", lacking,
                          bounds)
            : fmt::format(
                  "nothing is proved about how far f(x) lies below f*: {}; {}; give accuracy.holder, or leave "
                  "absolute out",
                  why_not, bounds);
    return result;
  }
  if (!needs.empty()) result.message += "; " + (out_of_precision ? lacking : needs);
  return result;
}

}  // namespace fcbio
