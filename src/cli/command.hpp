// A subcommand of the program: adds itself to the parser, then runs.  One file each.
#pragma once

#include <memory>

#include "arguments/command_line.hpp"

namespace fcbio::cli {

using arguments::Arguments;
using arguments::CommandLine;
using arguments::Need;

class Command {
 public:
  virtual ~Command() = default;
  /// Adds the subcommand with its options and help.  The object must outlive the parse: options are stored in it.
  virtual void attach(CommandLine& program) = 0;
  /// Returns the exit code.  Throws InvalidArgument or InputError for mistakes of the user.
  virtual int run() = 0;
  /// Whether run() is for all ranks of a job, and shares its work between them; else the first one runs alone.
  virtual bool shares_work() const { return false; }
};

std::unique_ptr<Command> demo_command();
std::unique_ptr<Command> solve_command();
std::unique_ptr<Command> verify_command();
std::unique_ptr<Command> compare_command();
std::unique_ptr<Command> paper_command();
std::unique_ptr<Command> hard_command();
std::unique_ptr<Command> bounds_command();
std::unique_ptr<Command> generate_command();
std::unique_ptr<Command> convert_command();
std::unique_ptr<Command> methods_command();
std::unique_ptr<Command> problems_command();
std::unique_ptr<Command> functions_command();
std::unique_ptr<Command> sets_command();
std::unique_ptr<Command> init_command();
std::unique_ptr<Command> help_command();

}  // namespace fcbio::cli
