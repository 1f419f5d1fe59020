#include "core/conclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fcbio {
namespace {

std::string bound_text(const std::optional<double>& bound, double asked) {
  constexpr double kTiny = 1e-300;  // shown as 0
  return bound ? fmt::format("{:.3g} (asked {:.3g})", std::abs(*bound) < kTiny ? 0.0 : *bound, asked)
               : fmt::format("not proved (asked {:.3g})", asked);
}

/// Of the size of Z, and what rounding does to coordinates of this size.
double membership_tolerance(const ConvexSet& domain, VectorIn x) {
  Vector centre = Vector::Zero(x.size());
  const double size = domain.enclosing_ball(centre).value_or(1.0 + x.norm());
  return 1e-9 * size + kEpsilon * static_cast<double>(x.size() + 16) * x.norm();
}

std::string remedy_of_stop(const Monitor& monitor) {
  if (!monitor.reason().empty()) return monitor.reason();
  switch (*monitor.why()) {
    case Status::not_finite:
      return "a number that was computed is NaN or infinite; rescale the data and weights";
    case Status::interrupted:
      return "the best point so far is returned";
    default:
      return "raise the limit, or ask for less (larger accuracy.upper, accuracy.lower)";
  }
}

std::string misses(double outside) {
  return fmt::format("; the point misses the domain by {:.3g}: its sets may have no common point, or barely meet",
                     outside);
}

/// Where nothing but the functions keeps points from running away, and they went far.
std::string runs_away(const Problem& problem, const Vector& x) {
  constexpr double kFar = 1e8;
  if (problem.domain().diameter() && !problem.domain().rests_on_told_radius()) return {};
  const double distance = (x - problem.start()).norm();
  if (!(distance > kFar * (1.0 + problem.start().norm()))) return {};
  return fmt::format(
      "; the point is at a distance of {:.3g} from the start: if the problem is unbounded below, give the domain "
      "a bound (a ball, or a box without open sides)",
      distance);
}

std::vector<std::string> premises_of(const Problem& problem) {
  std::vector<std::string> premises;
  const auto add = [&premises](std::string premise) {
    if (premise.empty() || std::find(premises.begin(), premises.end(), premise) != premises.end()) return;
    premises.push_back(std::move(premise));
  };
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts())
      if (part.weight > 0.0) add(part.term->premise());
  add(problem.domain().premise());
  return premises;
}

void conclude_not_convex(const ConvexityViolation& violation, Result& result) {
  result.status = Status::not_convex;
  result.certificate = Certificate{};  // nothing that was proved from such a function is worth claiming
  result.witness = Witness{};
  result.violation = violation;
  const std::string where =
      violation.distance > 0.0
          ? fmt::format(
                "its linearisation at one visited point lies {:.3g} above its value at another, at "
                "distance {:.3g} (both are in the result)",
                violation.amount, violation.distance)
          : fmt::format(
                "its value without a gradient lies {:.3g} below its value with one at the same point, which "
                "is in the result",
                violation.amount);
  result.message = fmt::format(
      "the {} function '{}' is not convex, or its gradient or strong_convexity is wrong: {}; test it with "
      "fcbio::check_function",
      violation.level == Level::upper ? "upper" : "lower", violation.function, where);
}

}  // namespace

bool is_within(const Certificate& certificate, const Accuracy& accuracy) {
  return certificate.lower_gap && certificate.upper_excess && *certificate.lower_gap <= accuracy.lower &&
         *certificate.upper_excess <= accuracy.upper &&
         (!accuracy.tight || (certificate.tight_excess && *certificate.tight_excess <= accuracy.upper));
}

std::string proved_in_words(const Certificate& certificate) {
  return certificate.premises.empty() ? "proved"
                                      : fmt::format("proved if {}", fmt::join(certificate.premises, ", and if "));
}

void probe_if_certified(Oracle& oracle, const Accuracy& accuracy, const Result& result) {
  if (is_within(result.certificate, accuracy)) probe_convexity(oracle, result.x);
}

std::string bounds_in_words(const Certificate& certificate, const Accuracy& accuracy) {
  std::string words =
      fmt::format("lower gap {}, upper excess {}", bound_text(certificate.lower_gap, accuracy.lower),
                  bound_text(certificate.upper_excess, accuracy.upper));
  if (accuracy.absolute) words += ", upper deficit " + bound_text(certificate.upper_deficit, accuracy.upper);
  return words;
}

void decide_status(const Problem& problem, const Accuracy& accuracy, const Monitor& monitor, const Ending& ending,
                   Result& result) {
  if (monitor.violation()) return conclude_not_convex(*monitor.violation(), result);
  Certificate& certificate = result.certificate;
  if (certificate.lower_gap || certificate.upper_excess) certificate.premises = premises_of(problem);
  const bool tight_proved =
      !accuracy.tight || (certificate.tight_excess && *certificate.tight_excess <= accuracy.upper);
  const bool lower_proved = certificate.lower_gap && *certificate.lower_gap <= accuracy.lower;
  const bool upper_proved = certificate.upper_excess && *certificate.upper_excess <= accuracy.upper;
  // A projection that did not converge (sets that barely meet) leaves a point that is not in Z.
  const double outside = problem.domain().violation(result.x);
  const bool feasible = outside <= membership_tolerance(problem.domain(), result.x);
  if (ending.rule_satisfied && certificate.evidence == Evidence::none) certificate.evidence = Evidence::estimated;
  // g at a point of Z below its proved bound: a premise of the proof is false.
  const double below = certificate.lower_gap.value_or(0.0);
  if (feasible && below < -std::max(accuracy.lower, 1e-9 * (1.0 + std::abs(result.lower_value)))) {
    result.status = Status::stalled;
    result.message = fmt::format(
        "g(x) lies {:.3g} below the bound of g*, so the radius or a lower_bound that was told is false; correct "
        "it (whole-space: a solution must lie within `radius` of the start)",
        -below);
    certificate = Certificate{};
    result.witness = Witness{};
    return;
  }
  const std::string bounds = bounds_in_words(certificate, accuracy);
  const Work& work = monitor.work();
  if (!feasible) {
    certificate = Certificate{};  // bounds that lean on projections onto such a domain are not worth claiming
    result.witness = Witness{};
  }
  if (lower_proved && upper_proved && tight_proved && feasible) {
    result.status = Status::certified;
    result.work.certified_after = work.passes();
    result.certified_seconds = result.solve_seconds;
    result.message = fmt::format("{}: {}", proved_in_words(certificate), bounds);
    return;
  }
  if (monitor.stopped()) {
    result.status = *monitor.why();
    result.message = fmt::format("{} after {} iterations: {}{}; {}", to_string(result.status), work.iterations,
                                 bounds, feasible ? "" : misses(outside), remedy_of_stop(monitor));
    return;
  }
  const std::string far_away = runs_away(problem, result.x);
  if (ending.rule_satisfied && lower_proved && feasible && !ending.can_prove && far_away.empty()) {
    result.status = Status::converged;
    result.message = fmt::format("the method's own rule ended it, the accuracy in f is not proved: {}{}", bounds,
                                 problem.domain().diameter() ? "" : "; give the domain a radius for a proof");
    return;
  }
  result.status = Status::stalled;
  if (!feasible)
    result.message = fmt::format(
        "no point of the domain was found after {} iterations{}; give the sets of an intersection more room",
        work.iterations, misses(outside));
  else if (ending.out_of_precision || ending.can_prove)
    result.message = fmt::format(
        "no further progress at double precision after {} iterations: {}; raise accuracy.upper or accuracy.lower, "
        "or rescale the problem{}",
        work.iterations, bounds, far_away);
  else
    result.message = fmt::format("ended by its own {} after {} iterations with the {} not certified: {}; {}{}",
                                 ending.rule_satisfied ? "rule" : "budget", work.iterations,
                                 lower_proved ? "upper excess" : "lower gap", bounds, ending.remedy, far_away);
}

namespace {

/// `result` is proved already.
void conclude_proved(Oracle& oracle, const Accuracy& accuracy, const Ending& ending, Result& result) {
  result.accuracy = accuracy;
  {
    const Monitor::Grace grace(oracle.monitor());
    probe_if_certified(oracle, accuracy, result);
  }
  result.work = oracle.monitor().work();
  result.solve_seconds = oracle.monitor().seconds();
  decide_status(oracle.problem(), accuracy, oracle.monitor(), ending, result);
}

}  // namespace

Result conclude(Oracle& oracle, Ledger& ledger, const Accuracy& accuracy, const Ending& ending) {
  Result result;
  {
    const Monitor::Grace grace(oracle.monitor());
    ledger.prove(oracle, result);
  }
  conclude_proved(oracle, accuracy, ending, result);
  return result;
}

Result conclude(Oracle& oracle, const CertifiedAnswer& answer, const Accuracy& accuracy, const Ending& ending) {
  Result result = answer.result();
  conclude_proved(oracle, accuracy, ending, result);
  if (result.status == Status::certified) {
    result.work.certified_after = answer.certified_after();
    result.certified_seconds = answer.certified_seconds();
  }
  return result;
}

bool is_proved(Oracle& oracle, Ledger& ledger, const Accuracy& accuracy) {
  Result trial;
  ledger.prove(oracle, trial);
  return is_within(trial.certificate, accuracy);
}

}  // namespace fcbio
