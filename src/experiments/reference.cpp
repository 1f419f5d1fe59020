#include "experiments/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fcbio/error.hpp"

namespace fcbio::experiments {
namespace {

constexpr double kSharpen = 1e-2;
constexpr int kMostSharpenings = 4;
constexpr double kFinest = 1e-13;  // relative to the values: below it rounding decides

bool is_possible(const Result& last, const Accuracy& accuracy) {
  return accuracy.upper >= kFinest * (1.0 + std::abs(last.upper_value)) &&
         accuracy.lower >= kFinest * (1.0 + std::abs(last.lower_value));
}

/// What is missing from the last bound to f*; see the header.
double missing(const Result& last, const std::vector<double>& bounds) {
  const double by_multiplier = last.witness.multiplier * std::max(last.certificate.lower_gap.value_or(0.0), 0.0);
  if (bounds.size() < 3) return by_multiplier;
  const std::size_t n = bounds.size();
  const double before = bounds[n - 2] - bounds[n - 3], after = bounds[n - 1] - bounds[n - 2];
  if (after <= 0.0) return by_multiplier;
  const double ratio = before / after;
  return std::max(by_multiplier, after / (std::max(ratio, 1.5) - 1.0));
}

Reference described(const Problem& problem, const Result& result, const std::vector<double>& bounds) {
  Reference reference;
  const Certificate& proved = result.certificate;
  if (proved.lower_lower_bound)
    reference.lower_optimum = {*proved.lower_lower_bound, std::max(result.lower_value, *proved.lower_lower_bound)};
  if (proved.upper_lower_bound && proved.lower_gap) {
    const double low = *proved.upper_lower_bound;
    reference.upper_optimum = {low, low + 2.0 * missing(result, bounds) + result.accuracy.upper};
  }
  if (result.status == Status::certified)
    reference.how = fmt::format("bounds of the default method, run at eps_f = {:g}, eps_g = {:g}",
                                result.accuracy.upper, result.accuracy.lower);
  else if (reference.lower_optimum && reference.upper_optimum)
    reference.how = fmt::format("proved by the default method, which stopped early ({})", result.message);
  else
    reference.how = fmt::format("not known: {}", problem.domain().diameter()
                                                     ? result.message
                                                     : "the domain has no radius, so nothing can be proved");
  return reference;
}

/// By absolute mode, where its constants can be computed and its claim can be made.
template <class Run>
void prove_upper_end(const Accuracy& accuracy, const Run& run, Reference& reference) {
  if (!reference.upper_optimum) return;
  SolveOptions options;
  options.accuracy = {accuracy.upper, accuracy.lower};
  options.accuracy.absolute = true;
  try {
    const Result result = run(options);
    if (!result.certificate.upper_deficit || !result.certificate.upper_excess) return;
    report::Interval& f = *reference.upper_optimum;
    f.low = std::max(f.low, result.upper_value - *result.certificate.upper_excess);
    f.high = std::max(f.low, result.upper_value + *result.certificate.upper_deficit);
    reference.upper_end_proved = true;
    reference.how += "; the upper end by an error bound of g (absolute mode)";
  } catch (const InvalidArgument&) {  // no error bound: the estimate stays
  }
}

}  // namespace

Reference find_reference(const Problem& problem, const Accuracy& accuracy, const ReferenceOptions& options) {
  SolveOptions solve_options;
  solve_options.certified.refine = 0.0;  // it is the bounds that count here, and the next accuracy is sharper
  solve_options.accuracy = {accuracy.upper, accuracy.lower};
  if (const std::string why = find_method(solve_options.method).misfit(problem); !why.empty())
    return {std::nullopt, false, std::nullopt, "not known: " + why};
  const auto run = [&](const SolveOptions& given, double seconds) {
    Monitor monitor(Limits{.seconds = seconds}, options.interrupt);
    return solve(problem, given, monitor);
  };
  Result best = run(solve_options, options.seconds);
  std::vector<double> bounds{best.certificate.upper_lower_bound.value_or(-kInfinity)};
  double left = options.seconds;
  for (int k = 0; k < kMostSharpenings && best.status == Status::certified; ++k) {
    solve_options.accuracy.upper *= kSharpen;
    solve_options.accuracy.lower *= kSharpen;
    if (left <= 0.0 || !is_possible(best, solve_options.accuracy)) break;
    Result sharper = run(solve_options, left);
    left -= sharper.solve_seconds;
    if (sharper.status != Status::certified) break;
    best = std::move(sharper);
    bounds.push_back(*best.certificate.upper_lower_bound);
  }
  Reference reference = described(problem, best, bounds);
  prove_upper_end(
      accuracy, [&](const SolveOptions& given) { return run(given, options.seconds); }, reference);
  return reference;
}

}  // namespace fcbio::experiments
