#include "experiments/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fcbio/error.hpp"
#include "fcbio/point.hpp"
#include "io/trace.hpp"
#include "report/cuts.hpp"

namespace fcbio::experiments {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// f and g at any point, outside of every account.
class Evaluator {
 public:
  explicit Evaluator(const Problem& problem) : problem_(problem), point_(problem) {}
  double value(Level level, VectorIn x) {
    const Function& function = problem_.function(level);
    function.images(x, point_.images_of(level));
    return function.value(x, point_.images_of(level));
  }

 private:
  const Problem& problem_;
  Point point_;
};

/// Samples with the values that the method itself did not compute; thinned as a trace is.
class SampleObserver : public Observer {
 public:
  SampleObserver(const Problem& problem, std::vector<report::Sample>& samples)
      : evaluator_(problem), samples_(samples) {
    report::Sample start;
    start.upper_value = evaluator_.value(Level::upper, problem.start());
    start.lower_value = evaluator_.value(Level::lower, problem.start());
    start.bracket_low = start.bracket_high = start.upper_excess = start.lower_gap = kUnknown;
    samples_.push_back(start);
  }

  bool on_progress(const Progress& progress) override {
    if (!io::belongs_to_trace(progress.work->iterations, 0)) return true;
    report::Sample sample{*progress.work,       progress.seconds,      progress.upper_value,  progress.lower_value,
                          progress.bracket_low, progress.bracket_high, progress.upper_excess, progress.lower_gap};
    if (progress.x != nullptr) {
      if (std::isnan(sample.upper_value)) sample.upper_value = evaluator_.value(Level::upper, *progress.x);
      if (std::isnan(sample.lower_value)) sample.lower_value = evaluator_.value(Level::lower, *progress.x);
    }
    samples_.push_back(sample);
    return true;
  }

 private:
  Evaluator evaluator_;
  std::vector<report::Sample>& samples_;
};

report::Sample last_sample(const Result& result) {
  const Certificate& known = result.certificate;
  return {result.work,
          result.solve_seconds,
          result.upper_value,
          result.lower_value,
          known.upper_lower_bound.value_or(kUnknown),
          result.upper_value,
          known.upper_excess.value_or(kUnknown),
          known.lower_gap.value_or(kUnknown)};
}

/// Only the common limits end a method, not a default of its own.  (Some methods choose their steps by the number
/// of iterations they are told, so that one is passed on where it is known.)
OptionValues without_own_budget(const Contestant& contestant, const Limits& limits) {
  OptionValues values = contestant.values;
  constexpr std::int64_t kEndless = 1000000000000000;
  const bool limited =
      limits.iterations < Limits{}.iterations || limits.passes < Limits{}.passes || limits.seconds < kInfinity;
  for (const OptionInfo& option : find_method(contestant.method).options)
    if (limited && option.name == "iterations")
      values.emplace(
          "iterations",
          fmt::format("{}", std::clamp<std::int64_t>(std::min(limits.iterations, limits.passes), 1, kEndless)));
  return values;
}

void find_first_weak(const Comparison& comparison, Attempt& attempt) {
  const auto& f = comparison.reference.upper_optimum;
  const auto& g = comparison.reference.lower_optimum;
  if (!f || !g) return;
  const auto weak = std::find_if(attempt.samples.begin(), attempt.samples.end(), [&](const report::Sample& at) {
    return at.upper_value <= f->low + comparison.accuracy.upper &&
           at.lower_value <= g->low + comparison.accuracy.lower;
  });
  if (weak != attempt.samples.end()) attempt.first_weak = *weak;
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
    SampleObserver sampler(problem, attempt.samples);
    monitor.add_observer(sampler);
    if (options.observer != nullptr) monitor.add_observer(*options.observer);
    try {
      attempt.result = solve(problem,
                             {.method = contestant.method,
                              .values = without_own_budget(contestant, options.limits),
                              .accuracy = {options.accuracy.upper, options.accuracy.lower}},
                             monitor);
    } catch (const InvalidArgument& error) {
      comparison.left_out.push_back({contestant.label, error.what()});
      continue;
    }
    attempt.samples.push_back(last_sample(attempt.result));
    if (auto& g = comparison.reference.lower_optimum;
        g && problem.domain().violation(attempt.result.x) == 0.0 && attempt.result.lower_value < g->high)
      g->high = std::max(g->low, attempt.result.lower_value);
    comparison.attempts.push_back(std::move(attempt));
  }
  for (Attempt& attempt : comparison.attempts) find_first_weak(comparison, attempt);
  return comparison;
}

double upper_difference(const Comparison& comparison, double upper_value) {
  const auto& f = comparison.reference.upper_optimum;
  return f ? upper_value - middle(*f) : kUnknown;
}

double lower_difference(const Comparison& comparison, double lower_value) {
  const auto& g = comparison.reference.lower_optimum;
  return g ? lower_value - middle(*g) : kUnknown;
}

void fill_report(const Problem& problem, const Comparison& comparison, report::Report& report) {
  report.accuracy = comparison.accuracy;
  report.upper_optimum = comparison.reference.upper_optimum;
  report.lower_optimum = comparison.reference.lower_optimum;
  report.left_out = comparison.left_out;
  for (const Attempt& attempt : comparison.attempts)
    report.runs.push_back(
        {attempt.contestant.label, attempt.result, attempt.samples, report::proved_cuts(problem, attempt.result)});
}

}  // namespace fcbio::experiments
