// What `fcbio hard` found, for its page.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/hard.hpp"

namespace fcbio::experiments {
namespace {

report::Run watched_run(const HardAttempt& attempt) {
  report::Run run = attempt.run;
  run.columns = {
      {"gradients of g", fmt::format("{}", attempt.lower_gradients)},
      {"largest change of f",
       attempt.largest_upper_change == 0.0 ? "0" : fmt::format("{:.3g}", attempt.largest_upper_change)},
      {"watched", attempt.violation ? fmt::format("not zero-respecting: query {} moved coordinate {}",
                                                  attempt.violation->query, attempt.violation->coordinate + 1)
                                    : "zero-respecting"}};
  return run;
}

report::Finding hard_finding(const HardExperiment& experiment) {
  const auto& all = experiment.attempts;
  const auto against =
      std::find_if(all.begin(), all.end(), [](const HardAttempt& attempt) { return attempt.contradicts(); });
  const auto free =
      std::count_if(all.begin(), all.end(), [](const HardAttempt& a) { return a.violation.has_value(); });
  if (against != all.end())
    return {false,
            fmt::format(
                "{} {}.", against->contestant.label,
                against->violation ? "is declared zero-respecting and is not" : "is zero-respecting and moved f"),
            "Either the theorem, the method's declaration or this program is wrong."};
  std::string text = fmt::format(
      "{} {} watched at every query. f stayed at f(x_0) = 0 at every point that a zero-respecting one looked at or "
      "returned, though f* is {:.6g}: it cannot be told from here how far f is from f*. So no such method can "
      "promise f near f* in general, only f(x) - f* <= eps.",
      all.size(), all.size() == 1 ? "method was" : "methods were", experiment.upper_optimum);
  if (free > 0)
    text += fmt::format(
        " {} of them moved coordinates that no gradient had touched; the theorem says nothing "
        "about those.",
        free);
  return {
      true,
      fmt::format("within {} gradients of g, no zero-respecting method could move f at all.", experiment.queries),
      text};
}

}  // namespace

void fill_report(const HardExperiment& experiment, report::Report& page) {
  page.upper_optimum = {experiment.upper_optimum, experiment.upper_optimum};
  page.lower_optimum = {experiment.lower_optimum, experiment.lower_optimum};
  page.left_out = experiment.left_out;
  for (const HardAttempt& attempt : experiment.attempts) page.runs.push_back(watched_run(attempt));
  if (experiment.attempts.empty()) return;
  page.accuracy = experiment.attempts.front().run.result.accuracy;
  page.finding = hard_finding(experiment);
}

}  // namespace fcbio::experiments
