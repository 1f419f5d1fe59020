#include "experiments/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

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
  if (after <= 0.0) return 0.0;
  const double ratio = before / after;
  return ratio > 1.5 ? std::min(after / (ratio - 1.0), by_multiplier) : by_multiplier;
}

Reference described(const Problem& problem, const Result& result, const std::vector<double>& bounds) {
  Reference reference;
  const Certificate& proved = result.certificate;
  if (proved.lower_lower_bound)
    reference.lower_optimum = {*proved.lower_lower_bound, std::max(result.lower_value, *proved.lower_lower_bound)};
  if (proved.upper_lower_bound && proved.lower_gap) {
    const double low = *proved.upper_lower_bound;
    reference.upper_optimum = {low, low + 2.0 * missing(result, bounds)};
  }
  if (result.status == Status::certified)
    reference.how = fmt::format("certified at {:g} in f and {:g} in g by the default method",
                                result.accuracy.upper, result.accuracy.lower);
  else if (reference.lower_optimum && reference.upper_optimum)
    reference.how = fmt::format("proved by the default method, which stopped early ({})", result.message);
  else
    reference.how = fmt::format("not known: {}", problem.domain().diameter()
                                                     ? result.message
                                                     : "the domain has no radius, so nothing can be proved");
  return reference;
}

}  // namespace

Reference find_reference(const Problem& problem, const Accuracy& accuracy, const ReferenceOptions& options) {
  SolveOptions solve_options;
  solve_options.accuracy = {accuracy.upper, accuracy.lower};
  if (const std::string why = find_method(solve_options.method).misfit(problem); !why.empty())
    return {std::nullopt, std::nullopt, "not known: " + why};
  const auto run = [&](double seconds) {
    Monitor monitor(Limits{.seconds = seconds}, options.interrupt);
    return solve(problem, solve_options, monitor);
  };
  Result best = run(options.seconds);
  std::vector<double> bounds{best.certificate.upper_lower_bound.value_or(-kInfinity)};
  double left = options.seconds;
  for (int k = 0; k < kMostSharpenings && best.status == Status::certified; ++k) {
    solve_options.accuracy.upper *= kSharpen;
    solve_options.accuracy.lower *= kSharpen;
    if (left <= 0.0 || !is_possible(best, solve_options.accuracy)) break;
    Result sharper = run(left);
    left -= sharper.solve_seconds;
    if (sharper.status != Status::certified) break;
    best = std::move(sharper);
    bounds.push_back(*best.certificate.upper_lower_bound);
  }
  return described(problem, best, bounds);
}

}  // namespace fcbio::experiments
