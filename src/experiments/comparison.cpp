#include "experiments/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fcbio/error.hpp"
#include "io/value_at.hpp"
#include "report/cuts.hpp"

namespace fcbio::experiments {
namespace {

report::Sample first_sample(const Problem& problem) {
  report::Sample start;
  start.upper_value = io::value_at(problem.upper(), problem.start());
  start.lower_value = io::value_at(problem.lower(), problem.start());
  start.bracket_low = start.bracket_high = start.upper_excess = start.lower_gap = kUnknown;
  return start;
}

/// Only the common limits end a method, not a default of its own.  Some methods plan by the number of iterations
/// they are told, so that it is passed on where the limits give one: every iteration costs a pass where g has
/// data.
OptionValues without_own_budget(const Problem& problem, const Contestant& contestant, const Limits& limits) {
  constexpr std::int64_t kEndless = 1000000000000000;
  const bool limited =
      limits.iterations < Limits{}.iterations || limits.passes < Limits{}.passes || limits.seconds < kInfinity;
  if (!limited) return contestant.values;
  const bool passes_bind = problem.lower().cost().image > 0;
  const std::int64_t most = passes_bind ? std::min(limits.iterations, limits.passes) : limits.iterations;
  return with_iterations(contestant, std::clamp<std::int64_t>(most, 1, kEndless));
}

std::optional<report::Interval> difference(double value, const std::optional<report::Interval>& optimum) {
  if (!optimum || !std::isfinite(value)) return std::nullopt;
  return report::Interval{value - optimum->high, value - optimum->low};
}

/// What a run proved, or found, may be sharper than the reference.
void sharpen(const Problem& problem, const Result& result, Reference& reference) {
  const Certificate& known = result.certificate;
  if (auto& g = reference.lower_optimum) {
    g->low = std::max(g->low, known.lower_lower_bound.value_or(g->low));
    if (problem.domain().violation(result.x) == 0.0 && result.lower_value < g->high) g->high = result.lower_value;
    g->high = std::max(g->low, g->high);
  }
  if (auto& f = reference.upper_optimum; f && known.evidence == Evidence::proved) {
    f->low = std::max(f->low, known.upper_lower_bound.value_or(f->low));
    f->high = std::max(f->low, f->high);
  }
}

void find_first_weak(const Comparison& comparison, Attempt& attempt) {
  const auto& f = comparison.reference.upper_optimum;
  const auto& g = comparison.reference.lower_optimum;
  if (f && g)
    attempt.first_weak = report::first_weak(attempt.samples, attempt.result, *f, *g, comparison.accuracy);
}

}  // namespace

Comparison compare(const Problem& problem, const std::vector<Contestant>& contestants, Reference reference,
                   const ComparisonOptions& options) {
  Comparison comparison{options.accuracy, options.limits, std::move(reference), {}, {}, false};
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    if (options.interrupt != nullptr && options.interrupt->load()) {
      comparison.interrupted = true;
      break;
    }
    const Contestant& contestant = contestants[i];
    if (options.announce) options.announce(contestant, i + 1, contestants.size());
    Attempt attempt{contestant, {}, {}, std::nullopt};
    Monitor monitor(options.limits, options.interrupt);
    report::Recorder recorder(problem);
    monitor.add_observer(recorder);
    if (options.observer != nullptr) monitor.add_observer(*options.observer);
    try {
      attempt.result = solve(problem,
                             {.method = contestant.method,
                              .values = without_own_budget(problem, contestant, options.limits),
                              .accuracy = {options.accuracy.upper, options.accuracy.lower}},
                             monitor);
    } catch (const InvalidArgument& error) {
      comparison.left_out.push_back({contestant.label, error.what()});
      continue;
    }
    attempt.samples = {first_sample(problem)};
    attempt.samples.insert(attempt.samples.end(), recorder.kept().begin(), recorder.kept().end());
    attempt.samples.push_back(report::returned_sample(attempt.result));
    sharpen(problem, attempt.result, comparison.reference);
    comparison.attempts.push_back(std::move(attempt));
  }
  for (Attempt& attempt : comparison.attempts) find_first_weak(comparison, attempt);
  return comparison;
}

std::optional<report::Interval> upper_difference(const Comparison& comparison, double upper_value) {
  return difference(upper_value, comparison.reference.upper_optimum);
}

std::optional<report::Interval> lower_difference(const Comparison& comparison, double lower_value) {
  return difference(lower_value, comparison.reference.lower_optimum);
}

void fill_report(const Problem& problem, const Comparison& comparison, report::Report& report) {
  report.accuracy = comparison.accuracy;
  report.upper_optimum = comparison.reference.upper_optimum;
  report.lower_optimum = comparison.reference.lower_optimum;
  report.left_out = comparison.left_out;
  for (const Attempt& attempt : comparison.attempts)
    report.runs.push_back({attempt.contestant.label, attempt.result, attempt.samples,
                           report::proved_cuts(problem, attempt.result), attempt.first_weak});
}

}  // namespace fcbio::experiments
