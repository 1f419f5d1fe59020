// fcbio: the command line.  Parses, runs one subcommand, and turns the user's mistakes into one line on stderr and
// exit code 2.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "fcbio/version.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kOverview =
    "fcbio solves convex simple bilevel problems,\n"
    "    min f(x)  subject to  x in argmin over Z of g,\n"
    "and attaches to every answer a proof of how good it is.";

constexpr const char* kExamples =
    "Examples:\n"
    "  fcbio demo                                   solve a built-in problem and check the answer\n"
    "  fcbio generate min-norm -o problem           write a problem to files\n"
    "  fcbio solve problem/PROBLEM.toml -o result.json\n"
    "  fcbio verify problem/PROBLEM.toml result.json\n"
    "  fcbio compare problem/PROBLEM.toml --report compare.html\n"
    "\n"
    "'fcbio help' lists topics: what accuracy means, the keys of data, statuses.\n"
    "\n"
    "Exit codes: 0 certified; 1 a claim (verify) or theorem (hard) does not hold; 2 bad usage or input; 3 a limit "
    "was\n"
    "reached or stalled (best point written); 4 not finite or not convex (best point written); 5 converged by the\n"
    "method's own rule, f not proved within what was asked (best point written); 130 interrupted (best point "
    "written).";

int fail(const std::string& message) {
  std::fflush(stdout);
  fmt::print(stderr, "fcbio: error: {}\n", message);
  return kBadInput;
}

int dispatch(int argc, char** argv) {
  arguments::CommandLine line("fcbio", kOverview, kExamples);
  line.set_version("fcbio " FCBIO_VERSION);
  std::vector<std::unique_ptr<Command>> commands;
  for (auto make : {demo_command, solve_command, verify_command, compare_command, paper_command, hard_command,
                    bounds_command, generate_command, convert_command, methods_command, problems_command,
                    functions_command, sets_command, init_command, help_command}) {
    commands.push_back(make());
    commands.back()->attach(line);
  }
  const std::optional<std::size_t> called = line.parse(argc, argv);
  return called ? commands[*called]->run() : kSuccess;
}

}  // namespace

int main_guarded(int argc, char** argv) {
  try {
    const int code = dispatch(argc, argv);
    if (std::fflush(stdout) != 0) return fail("cannot write to the standard output");
    return code;
  } catch (const std::bad_alloc&) {
    return fail("not enough memory for this problem");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace fcbio::cli

int main(int argc, char** argv) { return fcbio::cli::main_guarded(argc, argv); }
