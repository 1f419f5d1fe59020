// adversary N [--seed S] [--kind NAME] [--forgeries M] [--failures DIRECTORY]: N hostile problems, solved, judged
// and verified, then M forged results.  Exit code 0 only if no claim was false, no certified result was rejected
// by verify, nothing broke and no lie was accepted.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "forgery.hpp"
#include "kinds.hpp"
#include "run.hpp"

int main(int argc, char** argv) {
  using namespace fcbio::adversary;
  RunPlan plan;
  std::int64_t forgeries = 0;
  std::string failures = "adversary-failures";
  CLI::App program("hostile problems with known truth: solve, judge, verify");
  program.add_option("N", plan.count, "how many problems")->required()->check(CLI::NonNegativeNumber);
  program.add_option("--seed", plan.seed, "another seed is another set of problems (default 1)");
  std::vector<std::string> names;
  for (const Kind& one : kinds()) names.push_back(one.name);
  program.add_option("--kind", plan.kind, "only this kind")->check(CLI::IsMember(names));
  program.add_option("--forgeries", forgeries, "how many forged results (default: a quarter of N)")
      ->check(CLI::NonNegativeNumber);
  program.add_option("--failures", failures, "where failing problems are written (default adversary-failures)");
  program.add_option("--iterations", plan.iterations, "most iterations of a solve (default: few)")
      ->check(CLI::PositiveNumber);
  program.add_flag("--each", plan.tell_each, "print a line for every problem");
  CLI11_PARSE(program, argc, argv);

  plan.failures = failures;
  if (program.count("--forgeries") == 0) forgeries = plan.kind.empty() ? plan.count / 4 : 0;
  const auto tallies = run_many(plan);
  fmt::print("{}", table(tallies));
  bool failed =
      std::any_of(tallies.begin(), tallies.end(), [](const auto& entry) { return entry.second.failures() > 0; });
  if (forgeries > 0) {
    const ForgeryCount forged = forge_many(forgeries, plan.seed, failures);
    fmt::print("forged results: {} tried, {} of them lies, {} lies accepted\n", forged.tried, forged.lies,
               forged.accepted);
    failed = failed || forged.accepted > 0;
  }
  if (failed) fmt::print("what failed is in {}\n", failures);
  return failed ? 1 : 0;
}
