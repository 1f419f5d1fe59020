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
#include "parallel/communicator.hpp"

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

/// How long ranks that fail wait for the others to fail too, before they end the job.
constexpr double kPatience = 2.0;  // seconds

/// One message for all ranks.
int fail(parallel::Communicator& ranks, const std::string& message) {
  std::fflush(stdout);
  const bool all = ranks.all_arrive(kPatience);
  if (!all || ranks.rank() == 0)
    fmt::print(stderr, "fcbio: error: {}{}\n",
               all ? std::string() : fmt::format("rank {} of {}: ", ranks.rank(), ranks.ranks()), message);
  if (!all) {
    std::fflush(stderr);
    ranks.abort(kBadInput);
  }
  return kBadInput;
}

int run(Command& command, parallel::Communicator& ranks) {
  if (command.shares_work() || ranks.ranks() == 1) return command.run();
  int code = kSuccess;
  parallel::together(ranks, [&] {
    if (ranks.rank() == 0) code = command.run();
  });
  ranks.broadcast(0, parallel::mutable_bytes_of(&code, 1));
  return code;
}

int dispatch(int argc, char** argv, parallel::Communicator& ranks) {
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
  return called ? run(*commands[*called], ranks) : kSuccess;
}

}  // namespace

int main_guarded(int argc, char** argv) {
  parallel::Communicator* ranks = &parallel::alone();
  try {
    ranks = &parallel::world();
    // What a command prints is printed once.
    if (ranks->rank() > 0 && std::freopen("/dev/null", "w", stdout) == nullptr)
      throw std::runtime_error("cannot open /dev/null");
    const int code = dispatch(argc, argv, *ranks);
    if (std::fflush(stdout) != 0) return fail(*ranks, "cannot write to the standard output");
    return code;
  } catch (const std::bad_alloc&) {
    return fail(*ranks, "not enough memory for this problem");
  } catch (const std::exception& error) {
    return fail(*ranks, error.what());
  }
}

}  // namespace fcbio::cli

int main(int argc, char** argv) {
  const int code = fcbio::cli::main_guarded(argc, argv);
  fcbio::parallel::leave_world();
  return code;
}
