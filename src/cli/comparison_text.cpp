#include "cli/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text.hpp"
#include "cli/text_chart.hpp"

namespace fcbio::cli {
namespace {

constexpr std::size_t kMostLines = 12;  // of a text chart that can be read

const char* upper_end(const experiments::Reference& reference) {
  return reference.upper_end_proved ? "proved" : "estimated";
}

/// One number where both ends are the same in the digits shown.
std::string range(const std::optional<report::Interval>& difference) {
  if (!difference) return "-";
  const std::string low = fmt::format("{:+.2e}", difference->low), high = fmt::format("{:+.2e}", difference->high);
  return low == high ? low : low + " to " + high;
}

}  // namespace

std::string reference_in_words(const experiments::Reference& reference) {
  const auto& f = reference.upper_optimum;
  const auto& g = reference.lower_optimum;
  if (!f || !g) return fmt::format("Reference {}\n", reference.how);
  return fmt::format(
      "Reference  f* in [{}, {}] (proved; {})\n"
      "           g* in [{}, {}] (proved; proved)\n"
      "           {}\n",
      number(f->low), number(f->high), upper_end(reference), number(g->low), number(g->high), reference.how);
}

std::string reference_sentence(const experiments::Reference& reference) {
  const auto& f = reference.upper_optimum;
  const auto& g = reference.lower_optimum;
  if (!f || !g) return fmt::format("The optimum is {}.", reference.how);
  return fmt::format("f* lies in [{}, {}] (the ends are proved and {}), g* in [{}, {}] (proved), {}.",
                     number(f->low), number(f->high), upper_end(reference), number(g->low), number(g->high),
                     reference.how);
}

std::string comparison_table(const experiments::Comparison& comparison) {
  struct Row {
    const experiments::Attempt* attempt;
    std::string upper, lower;
  };
  std::vector<Row> rows;
  std::size_t name = 6, upper = 11, lower = 11;  // widths
  for (const experiments::Attempt& attempt : comparison.attempts) {
    rows.push_back({&attempt, range(upper_difference(comparison, attempt.result.upper_value)),
                    range(lower_difference(comparison, attempt.result.lower_value))});
    name = std::max(name, attempt.contestant.label.size());
    upper = std::max(upper, rows.back().upper.size());
    lower = std::max(lower, rows.back().lower.size());
  }
  std::string out =
      fmt::format("{:<{}}  {:<15} {:>10} {:>10} {:>9} {:>{}} {:>{}} {:>12}\n", "method", name, "status",
                  "iterations", "passes", "seconds", "f - f*", upper, "g - g*", lower, "weak after");
  bool any_left = false;  // a weak point was left again
  for (const Row& row : rows) {
    const Result& result = row.attempt->result;
    const auto& weak = row.attempt->first_weak;
    out += fmt::format(
        "{:<{}}  {:<15} {:>10} {:>10} {:>9.3g} {:>{}} {:>{}} {:>12}\n", row.attempt->contestant.label, name,
        to_string(result.status), result.work.iterations,
        result.work.certified_after.value_or(result.work.passes()),
        result.certified_seconds.value_or(result.solve_seconds), row.upper, upper, row.lower, lower,
        weak ? fmt::format("{} passes{}", weak->sample.work.passes(), weak->returned ? "" : " *") : "-");
    any_left = any_left || (weak && !weak->returned);
  }
  if (any_left) out += "* an earlier iterate; the returned point is not surely weak optimal\n";
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
