// What a program takes on its command line.  A facade: the parser behind it (CLI11) takes ten seconds to compile and
// is included in command_line.cpp alone.
//
//     CommandLine line("fcbio", overview, examples);
//     Arguments& solve = line.add_command("solve", "solve a problem file");
//     solve.text("-o,--output", output, "where to write", "FILE");
//     if (const auto chosen = line.parse(argc, argv)) run(*chosen);
//
// Values are stored in the variables given here, which must outlive the parse.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace fcbio::arguments {

enum class Need { optional, required };

/// The arguments of a program, or of one of its commands.  Names with dashes ("-o,--output") are options; a name
/// without ("PROBLEM.toml") is a word at its place.  `value` is what the help shows for the value.
class Arguments {
 public:
  explicit Arguments(CLI::App& parser) : parser_(parser) {}

  void text(const std::string& names, std::string& into, const std::string& help, const std::string& value,
            Need need = Need::optional);
  /// May be given several times, one value each.
  void texts(const std::string& names, std::vector<std::string>& into, const std::string& help,
             const std::string& value);
  /// One value of several words, separated by commas.
  void list(const std::string& names, std::vector<std::string>& into, const std::string& help,
            const std::string& value);
  void number(const std::string& names, double& into, const std::string& help);
  void number(const std::string& names, int& into, const std::string& help);
  void flag(const std::string& names, bool& into, const std::string& help);
  /// What the help ends with.
  void footer(const std::string& text);

 private:
  CLI::App& parser_;
};

/// One argument as the help shows it.
struct ArgumentInfo {
  std::vector<std::string> names;  ///< with their dashes; a word at its place has one without
  std::string value;               ///< "FILE"; empty: a flag
  std::string help;
  bool required = false;
};
struct CommandInfo {
  std::string name, summary;
  std::vector<ArgumentInfo> arguments;
  std::string footer;
};

class CommandLine {
 public:
  CommandLine(const std::string& program, const std::string& overview, const std::string& footer);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// --version prints `text`.
  void set_version(const std::string& text);
  Arguments& add_command(const std::string& name, const std::string& summary);
  /// Those of the program itself, for one without commands.
  Arguments& arguments() { return own_; }

  /// All commands, in the order of add_command().
  std::vector<CommandInfo> describe() const;
  /// What --help prints for a command; empty: no command is called so.
  std::string help(const std::string& command) const;
  const std::string& overview() const { return overview_; }

  /// Which command was called, in the order of add_command(); 0 for a program without commands.  Empty: help or the
  /// version was asked for and printed.  Throws InvalidArgument for what cannot be understood: an unknown command or
  /// option (with the nearest name), a missing value, no command at all.
  std::optional<std::size_t> parse(int count, const char* const* values);

 private:
  struct Command {
    CLI::App* parser;
    Arguments arguments;
  };
  std::optional<std::size_t> called() const;
  std::string overview_;
  std::unique_ptr<CLI::App> parser_;
  Arguments own_;
  std::vector<std::unique_ptr<Command>> commands_;
};

}  // namespace fcbio::arguments
