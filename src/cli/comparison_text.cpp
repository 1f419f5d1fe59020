#include "cli/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/text.hpp"
#include "cli/text_chart.hpp"

namespace fcbio::cli {
namespace {

constexpr std::size_t kMostLines = 12;  // of a text chart that can be read

const char* upper_end(const experiments::Reference& reference) {
  return reference.upper_end_proved ? "proved" : "estimated";
}

}  // namespace

std::string reference_in_words(const experiments::Reference& reference) {
  const auto& f = reference.upper_optimum;
  const auto& g = reference.lower_optimum;
  if (!f || !g) return fmt::format("Reference {}\n", reference.how);
  return fmt::format(
      "Reference  f* = {} (proved: >= {}; {}: <= {})\n"
      "           g* = {} (proved: within {:.2g})\n"
      "           {}\n",
      number(experiments::middle(*f)), number(f->low), upper_end(reference), number(f->high),
      number(experiments::middle(*g)), 0.5 * (g->high - g->low), reference.how);
}

std::string reference_sentence(const experiments::Reference& reference) {
  const auto& f = reference.upper_optimum;
  const auto& g = reference.lower_optimum;
  if (!f || !g) return fmt::format("The optimum is {}.", reference.how);
  return fmt::format("f* = {} (proved: at least {}; {}: at most {}), g* = {} (proved: within {:.2g}), {}.",
                     number(experiments::middle(*f)), number(f->low), upper_end(reference), number(f->high),
                     number(experiments::middle(*g)), 0.5 * (g->high - g->low), reference.how);
}

std::string comparison_table(const experiments::Comparison& comparison) {
  std::size_t width = 6;
  for (const experiments::Attempt& attempt : comparison.attempts)
    width = std::max(width, attempt.contestant.label.size());
  std::string out = fmt::format("{:<{}}  {:<15} {:>10} {:>10} {:>9} {:>11} {:>11} {:>12}\n", "method", width,
                                "status", "iterations", "passes", "seconds", "f - f*", "g - g*", "weak after");
  for (const experiments::Attempt& attempt : comparison.attempts) {
    const Result& result = attempt.result;
    const auto difference = [](double value) { return std::isnan(value) ? "-" : fmt::format("{:+.2e}", value); };
    out += fmt::format("{:<{}}  {:<15} {:>10} {:>10} {:>9.3g} {:>11} {:>11} {:>12}\n", attempt.contestant.label,
                       width, to_string(result.status), result.work.iterations, result.work.passes(),
                       result.solve_seconds, difference(upper_difference(comparison, result.upper_value)),
                       difference(lower_difference(comparison, result.lower_value)),
                       attempt.first_weak ? fmt::format("{} passes", attempt.first_weak->work.passes()) : "-");
  }
  return out + left_out_in_words(comparison.left_out);
}

std::string comparison_chart(const experiments::Comparison& comparison) {
  const auto& f = comparison.reference.upper_optimum;
  const auto& g = comparison.reference.lower_optimum;
  if (!f || !g) return "";
  std::vector<ChartLine> lines;
  const bool crowded = comparison.attempts.size() > kMostLines;
  for (const experiments::Attempt& attempt : comparison.attempts) {
    if (crowded && (!attempt.first_weak || lines.size() == kMostLines)) continue;
    ChartLine line{attempt.contestant.label, {}};
    for (const report::Sample& sample : attempt.samples)
      line.points.emplace_back(static_cast<double>(sample.work.passes()),
                               std::max({(sample.upper_value - f->low) / comparison.accuracy.upper,
                                         (sample.lower_value - g->low) / comparison.accuracy.lower, 1e-2}));
    lines.push_back(std::move(line));
  }
  return text_chart(
      lines, {.title = fmt::format("max{{ (f(x)-f*)/eps_f, (g(x)-g*)/eps_g }}: weak optimal at 1 and below{}",
                                   crowded ? " (the first 12 methods that got there)" : ""),
              .horizontal = "passes over the data"});
}

}  // namespace fcbio::cli
