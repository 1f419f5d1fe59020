#include "pages.hpp"

#include <cmath>
#include <limits>

namespace fcbio::report_test {
namespace {

using report::Report;
using report::Run;
using report::Sample;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A run on f* = 2, g* = 1 whose gaps shrink like rate^k, from above or below f*.
Run made_run(const std::string& name, std::int64_t passes, double rate, double side, Status status) {
  Run run;
  run.name = name;
  run.result.method = name;
  run.result.status = status;
  run.result.message = "made for a test";
  constexpr int kSamples = 40;
  for (int k = 1; k <= kSamples; ++k) {
    Sample sample;
    sample.work.iterations = k;
    sample.work.lower_passes = passes * k / kSamples;
    sample.seconds = 1e-4 * std::pow(k, 1.5);
    sample.lower_value = 1.0 + std::pow(rate, k);
    sample.upper_value = 2.0 + side * std::pow(rate, k);
    sample.bracket_low = 2.0 - 3.0 * std::pow(rate, k);
    sample.bracket_high = sample.upper_value;
    sample.upper_excess = sample.upper_value - sample.bracket_low;
    sample.lower_gap = 1.5 * std::pow(rate, k);
    run.samples.push_back(sample);
  }
  const Sample& last = run.samples.back();
  run.result.upper_value = last.upper_value;
  run.result.lower_value = last.lower_value;
  run.result.work = {kSamples, 0, passes, kSamples};
  run.result.solve_seconds = last.seconds;
  run.result.options = {{"memory", "10"}, {"engine", "auto"}};
  if (status == Status::certified) {
    run.result.certificate.evidence = Evidence::proved;
    run.result.certificate.upper_excess = last.upper_excess;
    run.result.certificate.lower_gap = last.lower_gap;
    run.result.certificate.upper_lower_bound = last.bracket_low;
    run.result.certificate.lower_lower_bound = 1.0 - 0.5 * std::pow(rate, kSamples);
    run.result.witness.multiplier = 3.0;
    run.cuts = {{3.0, last.bracket_low + 3.0}, {0.0, 0.0}};
  }
  return run;
}

Report about(const std::string& kind, const std::string& title) {
  Report made;
  made.kind = kind;
  made.title = title;
  made.problem = {{"Upper objective f", "squared-norm"}, {"Domain Z", "ball of radius 2"}};
  made.accuracy = {1e-4, 1e-4};
  return made;
}

}  // namespace

Report comparison() {
  Report made = about("compare", "Three methods on one problem");
  made.introduction = "An introduction.\n    min f(x)  subject to  x in argmin g\nIt ends here.";
  made.upper_optimum = {2.0 - 1e-6, 2.0 + 1e-6};
  made.lower_optimum = {1.0 - 1e-9, 1.0};
  made.certificate = "Proved: a sentence that a terminal broke\ninto two lines.\n\nA second paragraph.";
  made.runs = {made_run("swift", 9, 0.75, -1.0, Status::certified),
               made_run("slow", 1000, 0.9, 1.0, Status::work_limit),
               made_run("middling", 80, 0.8, 0.5, Status::stalled)};
  // Judged by hand: "swift" (proved) first, "slow" got there and left again, "middling" never.
  made.runs[0].weak_after = {made.runs[0].samples[26], true};
  made.runs[1].weak_after = {made.runs[1].samples[37], false};
  made.left_out = {{"absent", "needs a smooth f"}};
  Vector x(12);
  std::vector<std::string> names;
  for (Index j = 0; j < x.size(); ++j) {
    x[j] = (j % 2 == 0 ? 0.5 : -0.5) * static_cast<double>(j);
    names.push_back("weight " + std::to_string(j));
  }
  made.solution = report::solution_of(x, {names, {3, 4}});
  made.classifiers = {report::judge_scores(Level::lower, "logistic", Vector{{-2.0, -1.0, 1.0, 2.0}},
                                           Vector{{-1.0, 1.0, -1.0, 1.0}})};
  return made;
}

Report theorem() {
  Report made = about("hard", "Where f* cannot be found");
  made.upper_optimum = {2.0, 2.0};
  made.lower_optimum = {1.0, 1.0};
  made.runs = {made_run("one", 60, 0.9, 0.0, Status::work_limit),
               made_run("other", 60, 0.8, 0.0, Status::work_limit)};
  for (Run& run : made.runs) run.columns = {{"watched", "zero-respecting"}};
  made.finding = {true, "nobody moved f.", "Two methods were watched."};
  return made;
}

Report hostile() {
  const std::string script = "<script>alert(1)</script>";
  Report made = about(script, "</script><img src=x onerror=alert(2)> & \"quotes\" 'too'");
  made.introduction = "<!--<script> \xe2\x80\xa8 </body>";
  made.problem = {{"<b>bold</b>", "</SCRIPT ><svg onload=alert(3)>"},
                  {"not UTF-8", "\xff\xfe and \x01\x1f"},
                  {"back\\slash", "\\u003c ${1} {{data}}"}};
  made.certificate = "<img src=https://example.invalid/x.png>";
  made.runs = {made_run(script, 100, 0.8, 1.0, Status::certified),
               made_run("<img src=x onerror=alert(4)>", 200, 0.9, 1.0, Status::converged)};
  for (Run& run : made.runs) {
    run.result.method = run.name;
    run.result.message = "<iframe srcdoc='<script>alert(5)</script>'></iframe>";
    run.result.options = {{"__proto__", script}, {script, "javascript:alert(6)"}};
  }
  made.left_out = {{"<a href=javascript:alert(7)>x</a>", script}};
  made.solution = report::solution_of(Vector{{1.0, -2.0}}, {{script, "<img src=x onerror=alert(8)>"}, {2}});
  return made;
}

Report degenerate() {
  Report made = about("solve", "Degenerate data");
  made.accuracy = {kNaN, 0.0};
  Run no_samples = made_run("no samples", 0, 0.5, 1.0, Status::interrupted);
  no_samples.samples.clear();
  Run one_sample = made_run("one sample", 5, 0.5, 1.0, Status::iteration_limit);
  one_sample.samples.resize(1);
  Run equal = made_run("all values equal", 0, 1.0, 0.0, Status::certified);
  Run unknown = made_run("nothing known", 7, 0.5, 1.0, Status::not_finite);
  for (Sample& sample : unknown.samples)
    sample.upper_value = sample.lower_value = sample.bracket_low = sample.bracket_high = sample.upper_excess =
        sample.lower_gap = kNaN;
  unknown.result.upper_value = unknown.result.lower_value = kNaN;
  Run infinite = made_run("infinite values", 7, 0.5, 1.0, Status::not_finite);
  for (std::size_t i = 0; i < infinite.samples.size(); i += 2) {
    infinite.samples[i].upper_value = kInfinity;
    infinite.samples[i].lower_value = -kInfinity;
    infinite.samples[i].seconds = kNaN;
  }
  infinite.result.solve_seconds = kInfinity;
  infinite.result.certificate.upper_excess = -kInfinity;
  infinite.cuts = {{kNaN, 1.0}, {kInfinity, kInfinity}};
  made.runs = {no_samples, one_sample, equal, unknown, infinite};
  return made;
}

Report crowded() {
  Report made = about("paper", "Forty methods");
  made.upper_optimum = {2.0, 2.0};
  made.lower_optimum = {1.0, 1.0};
  for (int i = 0; i < 40; ++i)
    made.runs.push_back(made_run("method " + std::to_string(i), 50 + 25 * i, 0.6 + 0.008 * i,
                                 i % 3 == 0 ? -1.0 : 1.0, i % 4 == 0 ? Status::certified : Status::stalled));
  for (Run& run : made.runs)
    run.weak_after =
        report::first_weak(run.samples, run.result, *made.upper_optimum, *made.lower_optimum, made.accuracy);
  return made;
}

Report bounds() {
  Report report;
  report.kind = "bounds";
  report.title = "Work against the lower bound";
  report.left_out = {{"a&b", "needs \"more\" <b>"}};
  report.finding = {true, "nobody needed fewer gradients than the bound.", ""};
  const std::vector<report::BoundSample> reached = {{1e-2, 3, 12, 12, 4, 40, std::nullopt},
                                                    {1e-4, 30, 90, 90, 5, 400, 80}};
  const std::vector<report::BoundSample> nothing = {{1e-2, 3, 0, std::nullopt, std::nullopt, 70, std::nullopt}};
  report.bounds = report::Bounds{-0.5, {{"<script>alert(1)</script>", reached, -0.437}, {"slow", nothing, {}}}};
  return report;
}

Report empty() { return Report{}; }

std::vector<std::pair<std::string, Report>> pages() {
  return {{"comparison.html", comparison()}, {"hostile.html", hostile()}, {"degenerate.html", degenerate()},
          {"crowded.html", crowded()},       {"bounds.html", bounds()},   {"empty.html", empty()},
          {"theorem.html", theorem()}};
}

}  // namespace fcbio::report_test
