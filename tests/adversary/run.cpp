#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "build/problem.hpp"
#include "checker.hpp"
#include "claims/claims.hpp"
#include "data/input_error.hpp"
#include "fcbio/fcbio.hpp"
#include "io/problem_file.hpp"
#include "io/result_json.hpp"
#include "judge.hpp"
#include "kinds.hpp"
#include "scratch_directory.hpp"
#include "watch.hpp"

namespace fcbio::adversary {
namespace {

constexpr std::uint64_t kFilesEvery = 8;
constexpr std::uint64_t kOtherMethodEvery = 12;
/// Beyond the limit by this factor (and 100) is no limit.
constexpr double kOverrun = 2.0;

Result solve_one(const data::Problem& data, const std::string& method, const RunLimits& limits) {
  SolveOptions options;
  options.method = method;
  options.accuracy = data.accuracy;
  options.limits.iterations = limits.iterations;
  options.limits.passes = limits.passes;
  options.limits.projections = limits.projections;
  return solve(build::make_problem(data), options);
}

std::string overrun(const Result& result, const RunLimits& limits) {
  const auto beyond = [](std::int64_t done, std::int64_t limit) {
    return static_cast<double>(done) > kOverrun * static_cast<double>(limit) + 100.0;
  };
  if (beyond(result.work.iterations, limits.iterations))
    return fmt::format("{} iterations, limit {}", result.work.iterations, limits.iterations);
  if (beyond(result.work.passes(), limits.passes))
    return fmt::format("{} passes, limit {}", result.work.passes(), limits.passes);
  return {};
}

void write_failure(const HostileProblem& problem, const RunOutcome& outcome,
                   const std::filesystem::path& directory) {
  io::write_problem(problem.data, directory, problem.kind + ": " + problem.note);
  if (outcome.refusal.empty() && outcome.result.x.size() > 0)
    io::write_result(outcome.result, {data::fingerprint(problem.data), 0, 0.0, {}}, directory / "result.json");
  std::ofstream truth(directory / "truth.txt");
  truth << problem.kind << ": " << problem.note << "\n";
  if (problem.truth.lower) truth << "g* = " << text(*problem.truth.lower) << "\n";
  if (problem.truth.upper) truth << "f* = " << text(*problem.truth.upper) << "\n";
  for (const std::string& claim : outcome.false_claims) truth << "false: " << claim << "\n";
  for (const std::string& line : outcome.rejected) truth << "verify: " << line << "\n";
  if (!outcome.broken.empty()) truth << "broken: " << outcome.broken << "\n";
}

}  // namespace

verify::Claims stored_claims(const io::StoredResult& stored) {
  verify::Claims claims = claims::claims_of(stored);
  for (const MethodInfo& method : methods()) claims.record->known_methods.push_back(method.name);
  return claims;
}

RunLimits limits_for(const HostileProblem& problem) {
  const auto intersects = [](const auto& self, const data::Set& set) -> bool {
    if (std::holds_alternative<data::Intersection>(set.kind)) return true;
    const auto* product = std::get_if<data::Product>(&set.kind);
    return product != nullptr && std::any_of(product->sets.begin(), product->sets.end(),
                                             [&](const data::Set& part) { return self(self, part); });
  };
  if (intersects(intersects, problem.data.domain)) return {60, 2000, 300'000};
  return {};
}

RunOutcome run(const HostileProblem& problem, const std::string& method, const RunLimits& limits,
               bool through_files) {
  RunOutcome outcome;
  const std::string fingerprint = data::fingerprint(problem.data);
  data::Problem data = problem.data;
  std::optional<ScratchDirectory> scratch;
  try {
    if (through_files) {
      scratch.emplace();
      io::write_problem(problem.data, scratch->path(), problem.kind);
      data = io::read_problem(scratch->path() / io::kProblemFileName);
      if (data::fingerprint(data) != fingerprint) outcome.broken = "the problem files change the fingerprint";
    }
    outcome.result = solve_one(data, method, limits);
  } catch (const InvalidArgument& refusal) {
    outcome.refusal = refusal.what();
    return outcome;
  } catch (const InputError& refusal) {
    outcome.refusal = refusal.what();
    return outcome;
  } catch (const std::exception& end) {
    outcome.broken = fmt::format("solve ended by an exception: {}", end.what());
    return outcome;
  }
  if (outcome.broken.empty()) outcome.broken = overrun(outcome.result, limits);
  try {
    verify::Claims claims = claims::claims_of(outcome.result, fingerprint);
    outcome.false_claims = false_claims(problem, claims);
    if (through_files) {
      const std::filesystem::path file = scratch->path() / "result.json";
      io::write_result(outcome.result, {fingerprint, 0, 0.0, {}}, file);
      claims = stored_claims(io::read_result(file));
    }
    const verify::VerifyReport report = verify::verify(data, claims, fingerprint);
    for (const verify::Line& line : report.lines)
      if (line.outcome == verify::Outcome::failed)
        outcome.rejected.push_back(
            fmt::format("{}: claimed {}, found {}: {}", line.name, line.claimed, line.recomputed, line.note));
  } catch (const std::exception& end) {
    outcome.broken = fmt::format("verify ended by an exception: {}", end.what());
  }
  return outcome;
}

void Tally::add(const RunOutcome& outcome) {
  ++problems;
  if (!outcome.refusal.empty()) ++refused;
  if (outcome.certified()) ++certified;
  if (outcome.refusal.empty() && outcome.broken.empty() && !outcome.certified()) ++not_certified;
  if (!outcome.false_claims.empty()) ++with_false_claims;
  if (!outcome.rejected.empty()) ++(outcome.certified() ? certified_but_rejected : other_rejected);
  if (!outcome.broken.empty()) ++broken;
}

std::string method_for(const HostileProblem& problem, std::uint64_t index) {
  const Accuracy& accuracy = problem.data.accuracy;
  if (index % kOtherMethodEvery != kOtherMethodEvery - 1 || accuracy.tight || accuracy.absolute) return "fcbio";
  const auto number = static_cast<std::size_t>(index / kOtherMethodEvery) % methods().size();
  try {
    return methods()[number].misfit(build::make_problem(problem.data)).empty() ? methods()[number].name : "fcbio";
  } catch (const InvalidArgument&) {
    return "fcbio";
  }
}

std::map<std::string, Tally> run_many(const RunPlan& plan) {
  std::map<std::string, Tally> tallies;
  std::vector<const Kind*> chosen;
  for (const Kind& kind : kinds())
    if (plan.kind.empty() || kind.name == plan.kind) chosen.push_back(&kind);
  for (std::int64_t i = 0; i < plan.count; ++i) {
    const Kind& kind = *chosen[static_cast<std::size_t>(i) % chosen.size()];
    const auto index = static_cast<std::uint64_t>(i) / chosen.size();
    const std::string name = fmt::format("{}-{}-{}", kind.name, plan.seed, index);
    const Watch watch(name);
    const HostileProblem problem = make_problem(kind, plan.seed, index);
    const double made = Watch::processor_seconds();
    RunLimits limits = limits_for(problem);
    if (plan.iterations > 0) limits.iterations = plan.iterations;
    const RunOutcome outcome = run(problem, method_for(problem, index), limits, index % kFilesEvery == 0);
    tallies[kind.name].add(outcome);
    if (plan.tell_each)
      fmt::print("{} ({}): {}, {} iterations, {:.2f} s{}\n", name, problem.note,
                 outcome.refusal.empty() ? std::string(to_string(outcome.result.status)) : "refused",
                 outcome.result.work.iterations, Watch::processor_seconds() - made,
                 outcome.failed() ? " FAILED" : "");
    if (plan.failures.empty() || (!outcome.failed() && outcome.rejected.empty())) continue;
    write_failure(problem, outcome, plan.failures / ((outcome.failed() ? "" : "rejected-") + name));
  }
  return tallies;
}

std::string table(const std::map<std::string, Tally>& tallies) {
  std::string text = fmt::format("{:12}{:>10}{:>11}{:>14}{:>24}{:>15}{:>9}{:>8}{:>16}\n", "kind", "problems",
                                 "certified", "false claims", "certified but rejected", "not certified", "refused",
                                 "broken", "other rejected");
  Tally all;
  const auto line = [&](const std::string& name, const Tally& tally) {
    text += fmt::format("{:12}{:>10}{:>11}{:>14}{:>24}{:>15}{:>9}{:>8}{:>16}\n", name, tally.problems,
                        tally.certified, tally.with_false_claims, tally.certified_but_rejected,
                        tally.not_certified, tally.refused, tally.broken, tally.other_rejected);
  };
  for (const auto& [name, tally] : tallies) {
    line(name, tally);
    all.problems += tally.problems;
    all.certified += tally.certified;
    all.with_false_claims += tally.with_false_claims;
    all.certified_but_rejected += tally.certified_but_rejected;
    all.not_certified += tally.not_certified;
    all.refused += tally.refused;
    all.broken += tally.broken;
    all.other_rejected += tally.other_rejected;
  }
  line("all", all);
  return text;
}

}  // namespace fcbio::adversary
