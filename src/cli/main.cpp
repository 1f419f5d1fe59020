// fcbio: the command line.  Parses, runs one subcommand, and turns the user's mistakes into one line on stderr and
// exit code 2.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "core/nearest_name.hpp"
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
    "Exit codes: 0 certified or converged; 1 a claim (verify) or theorem (hard) does not hold; 2 bad usage or "
    "input; 3 a limit was\n"
    "reached or stalled (best point written); 4 not finite (best point written); 130 interrupted (best point "
    "written).";

int fail(const std::string& message) {
  std::fflush(stdout);
  fmt::print(stderr, "fcbio: error: {}\n", message);
  return kBadInput;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest_name(word, known);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

/// Arguments that nothing took.  An unknown flag is named before a stray word, which may be the flag's value.
std::string unknown_argument(const CLI::App& command) {
  const std::vector<std::string> left = command.remaining();
  if (left.empty()) return "";
  std::string culprit = left.front();
  for (const std::string& word : left)
    if (word.size() > 1 && word.front() == '-') {
      culprit = word.substr(0, word.find('='));
      break;
    }
  if (culprit.front() != '-')
    return fmt::format("unexpected argument '{}'; run 'fcbio {} --help'", culprit, command.get_name());
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& name : option->get_snames()) known.push_back("-" + name);
  }
  return fmt::format("unknown option '{}'{}; run 'fcbio {} --help'", culprit, suggestion(culprit, known),
                     command.get_name());
}

/// What the parser says, unless there is an argument it does not know: that is the likelier cause.
std::string parse_failure(const std::vector<CLI::App*>& parsers, const std::string& message) {
  for (const CLI::App* parser : parsers) {
    if (!parser->parsed()) continue;
    const std::string unknown = unknown_argument(*parser);
    return unknown.empty() ? fmt::format("{}; run 'fcbio {} --help'", message, parser->get_name()) : unknown;
  }
  return fmt::format("{}; run 'fcbio --help'", message);
}

int dispatch(int argc, char** argv) {
  CLI::App program{kOverview, "fcbio"};
  program.footer(kExamples);
  program.set_version_flag("--version", "fcbio " FCBIO_VERSION, "print the version and exit");
  program.get_formatter()->column_width(32);
  program.require_subcommand(0, 1);  // at most one; a missing or unknown one is told below, with the nearest name
  program.allow_extras();

  std::vector<std::unique_ptr<Command>> commands;
  for (auto make : {demo_command, solve_command, verify_command, compare_command, paper_command, hard_command,
                    bounds_command, generate_command, methods_command, problems_command})
    commands.push_back(make());
  std::vector<CLI::App*> parsers;
  for (const auto& command : commands) {
    parsers.push_back(command->attach(program));
    parsers.back()->allow_extras();
  }

  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return program.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return fail(parse_failure(parsers, error.what()));
  }

  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (!parsers[i]->parsed()) continue;
    const std::string unknown = unknown_argument(*parsers[i]);
    return unknown.empty() ? commands[i]->run() : fail(unknown);
  }
  const std::vector<std::string> left = program.remaining();
  if (left.empty()) return fail("a command is needed; run 'fcbio --help' for the list, or try 'fcbio demo'");
  std::vector<std::string> names;
  for (const CLI::App* parser : parsers) names.push_back(parser->get_name());
  if (left.front().front() == '-') names = {"--help", "--version"};
  return fail(fmt::format("unknown {} '{}'{}; run 'fcbio --help'",
                          left.front().front() == '-' ? "option" : "command", left.front(),
                          suggestion(left.front(), names)));
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
