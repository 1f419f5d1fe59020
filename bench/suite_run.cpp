// Every run gets a Problem made afresh from the same data, so that no constant (the norm of the data) is inherited
// from the run before: it is in everybody's account, in passes and in seconds.  Short solves are repeated and the
// shortest time counts; passes do not vary.
#include "suite_run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "build/problem.hpp"
#include "checker.hpp"
#include "claims/claims.hpp"
#include "fcbio/error.hpp"

namespace fcbio::bench {
namespace {

constexpr int kMostRepeats = 5;
constexpr double kRepeatSeconds = 0.5;  // in all

/// Stops a solve at its first point that is truly weak by the reference, and remembers when that was.
class FirstWeakPoint : public Observer {
 public:
  FirstWeakPoint(const Reference& reference, const Accuracy& accuracy)
      : most_upper_(reference.upper + accuracy.upper), most_lower_(reference.lower + accuracy.lower) {}
  bool on_progress(const Progress& progress) override {
    if (!(progress.upper_value <= most_upper_ && progress.lower_value <= most_lower_)) return true;
    passes_ = progress.work->passes();
    seconds_ = progress.seconds;
    return false;
  }
  std::optional<std::int64_t> passes() const { return passes_; }
  double seconds() const { return seconds_; }

 private:
  double most_upper_, most_lower_;
  std::optional<std::int64_t> passes_;
  double seconds_ = 0.0;
};

RunRecord blank(const BenchProblem& problem, const AccuracyCase& one, const std::string& method) {
  RunRecord record;
  record.problem = problem.name;
  record.accuracy = one.accuracy;
  record.method = method;
  return record;
}

/// `stopped`: the limit that cut the solve off, if one did; what was proved by then may still be enough.
void record_result(RunRecord& record, const BenchProblem& problem, Result result, std::optional<Status> stopped) {
  record.passes = result.work.certified_after.value_or(result.work.passes());
  record.seconds = result.certified_seconds.value_or(result.solve_seconds);
  for (const auto& [name, value] : result.options)
    if (name == "engine") record.engine = value;
  if (problem.reference) {
    record.true_excess = result.upper_value - problem.reference->upper;
    record.true_gap = result.lower_value - problem.reference->lower;
  }
  record.censored = stopped == Status::time_limit || stopped == Status::work_limit;
  record.result = std::move(result);
}

void verify_record(RunRecord& record, const BenchProblem& problem) {
  const std::string fingerprint = data::fingerprint(problem.data);
  const verify::VerifyReport report =
      verify::verify(problem.data, claims::claims_of(record.result, fingerprint), fingerprint);
  record.verified = report.all_hold ? "yes" : "NO";
  for (const verify::Line& line : report.lines)
    if (line.outcome == verify::Outcome::failed) record.verified += ": " + line.name;
}

/// Throws InvalidArgument when the method refuses the problem or an option.
void timed_solve(RunRecord& record, const BenchProblem& problem, const SolveOptions& options) {
  double spent = 0.0;
  for (int repeat = 0; repeat < kMostRepeats && spent < kRepeatSeconds; ++repeat) {
    const Problem fresh = build::make_problem(problem.data);
    Monitor monitor(options.limits);
    Result result = solve(fresh, options, monitor);
    spent += result.solve_seconds;
    if (repeat == 0 || result.solve_seconds < record.seconds)
      record_result(record, problem, std::move(result), monitor.why());
  }
}

/// The step length that reaches a truly weak point first; the one that comes furthest where none does.
RunRecord best_step_length(const BenchProblem& problem, const AccuracyCase& one, const RunSettings& settings) {
  RunRecord best = blank(problem, one, problem.paper_method);
  bool found = false;
  const auto count = static_cast<double>(problem.step_lengths.size());
  for (const double eta : problem.step_lengths) {
    OptionValues values = problem.paper_options;
    values["eta"] = fmt::format("{}", eta);
    const Limits limits{.passes = problem.most_paper_passes, .seconds = settings.paper_seconds / count};
    Monitor monitor(limits);
    FirstWeakPoint watch(*problem.reference, one.accuracy);
    monitor.add_observer(watch);
    const Problem fresh = build::make_problem(problem.data);
    RunRecord record = blank(problem, one, problem.paper_method);
    Result result = solve(fresh, {problem.paper_method, values, one.accuracy, limits}, monitor);
    record_result(record, problem, std::move(result), monitor.why());
    record.setting = fmt::format("eta = {}", eta);
    const bool hit = watch.passes().has_value();
    if (hit) {
      record.passes = *watch.passes();
      record.seconds = watch.seconds();
      record.censored = false;
      record.setting += ", first weak point";
    } else {
      record.censored = true;  // ended, or was cut off, without ever touching a weak point
      record.setting += ", no weak point";
    }
    const bool better = best.setting.empty() || (hit && !found) ||
                        (hit == found && (hit ? record.passes < best.passes : record.passes > best.passes));
    if (better) best = std::move(record);
    found = found || hit;
  }
  return best;
}

}  // namespace

RunRecord run_paper(const BenchProblem& problem, const AccuracyCase& one, const RunSettings& settings) {
  RunRecord record = blank(problem, one, problem.paper_method);
  try {
    if (!problem.step_lengths.empty() && problem.reference) {
      record = best_step_length(problem, one, settings);
    } else {
      Limits limits;
      limits.seconds = settings.paper_seconds;
      timed_solve(record, problem, {problem.paper_method, problem.paper_options, one.accuracy, limits});
    }
    if (settings.verify) verify_record(record, problem);
  } catch (const InvalidArgument& refusal) {
    record.refusal = refusal.what();
  }
  record.is_paper = true;
  return record;
}

RunRecord run_method(const BenchProblem& problem, const AccuracyCase& one, const std::string& method,
                     const OptionValues& values, const RunSettings& settings) {
  RunRecord record = blank(problem, one, method);
  if (const auto engine = values.find("engine"); engine != values.end()) record.engine = engine->second;
  try {
    Limits limits;
    limits.seconds = settings.most_seconds;
    timed_solve(record, problem, {method, values, one.accuracy, limits});
    if (settings.verify) verify_record(record, problem);
  } catch (const InvalidArgument& refusal) {
    record.refusal = refusal.what();
  }
  return record;
}

void judge(RunRecord& record, const BenchProblem& problem, const AccuracyCase& one, const RunRecord* paper) {
  if (!record.refusal.empty()) return;
  const bool has_paper = paper != nullptr && paper->refusal.empty();
  if (has_paper) {
    record.pass_ratio =
        static_cast<double>(paper->passes) / static_cast<double>(std::max<std::int64_t>(1, record.passes));
    record.time_ratio = paper->seconds / std::max(1e-9, record.seconds);
    record.ratio_is_bound = paper->censored;
  }
  std::vector<std::string> bars;
  bool met = true;
  bool known = true;
  if (record.is_paper) {
    if (!problem.paper_stalls_above || one.most_passes == 0) return;
    bars.push_back(fmt::format("stalled, true gap > {}", *problem.paper_stalls_above));
    met = record.result.status == Status::stalled && record.true_gap &&
          *record.true_gap > *problem.paper_stalls_above;
    known = !record.censored;
  } else {
    if (record.method != "fcbio" || !one.must_certify) return;
    bars.emplace_back("certified");
    met = record.result.status == Status::certified;
    // A claim that the reference refutes is worse than none.
    if (problem.reference && record.true_excess && record.true_gap) {
      const double slack = problem.reference->error;
      met = met && *record.true_excess <= one.accuracy.upper + slack &&
            *record.true_gap <= one.accuracy.lower + slack;
    }
    if (one.most_passes > 0) {
      bars.push_back(fmt::format("<= {} passes", one.most_passes));
      met = met && record.passes <= one.most_passes;
    }
    if (one.most_seconds > 0.0) {
      bars.push_back(fmt::format("< {} s", one.most_seconds));
      met = met && record.seconds < one.most_seconds;
    }
    if (one.least_time_ratio > 0.0) {
      bars.push_back(fmt::format(">= {} x time", one.least_time_ratio));
      known =
          record.time_ratio.has_value() && (!record.ratio_is_bound || *record.time_ratio >= one.least_time_ratio);
      met = met && record.time_ratio.value_or(kInfinity) >= one.least_time_ratio;
    }
  }
  record.bar = fmt::format("{}", fmt::join(bars, ", "));
  if (known || !met) record.met = met;
}

}  // namespace fcbio::bench
