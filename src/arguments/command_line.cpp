// See command_line.hpp.  The parser lets every argument pass that it does not know, so that it can be told here with
// the nearest name.
#include "arguments/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/nearest_name.hpp"
#include "fcbio/error.hpp"

namespace fcbio::arguments {
namespace {

constexpr std::size_t kNameColumns = 32;  // of the help

/// "fcbio solve", or "fcbio" for the program itself.
std::string full_name(const CLI::App& parser) {
  const CLI::App* program = parser.get_parent();
  return program == nullptr ? parser.get_name() : program->get_name() + " " + parser.get_name();
}

/// Arguments that nothing took; empty: there are none.  An unknown flag is named before a stray word, which may be
/// the flag's value.
std::string unknown_argument(const CLI::App& parser) {
  const std::vector<std::string> left = parser.remaining();
  if (left.empty()) return "";
  std::string culprit = left.front();
  for (const std::string& word : left)
    if (word.size() > 1 && word.front() == '-') {
      culprit = word.substr(0, word.find('='));
      break;
    }
  if (culprit.front() != '-')
    return fmt::format("unexpected argument '{}'; run '{} --help'", culprit, full_name(parser));
  std::vector<std::string> known;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& name : option->get_snames()) known.push_back("-" + name);
  }
  return fmt::format("unknown option '{}'{}; run '{} --help'", culprit, did_you_mean(culprit, known),
                     full_name(parser));
}

}  // namespace

void Arguments::text(const std::string& names, std::string& into, const std::string& help,
                     const std::string& value, Need need) {
  parser_.add_option(names, into, help)->type_name(value)->required(need == Need::required);
}

void Arguments::texts(const std::string& names, std::vector<std::string>& into, const std::string& help,
                      const std::string& value) {
  parser_.add_option(names, into, help)->allow_extra_args(false)->type_name(value);
}

void Arguments::list(const std::string& names, std::vector<std::string>& into, const std::string& help,
                     const std::string& value) {
  parser_.add_option(names, into, help)->delimiter(',')->type_name(value)->capture_default_str();
}

void Arguments::number(const std::string& names, double& into, const std::string& help) {
  parser_.add_option(names, into, help)->type_name("NUMBER")->capture_default_str();
}

void Arguments::number(const std::string& names, int& into, const std::string& help) {
  parser_.add_option(names, into, help)->type_name("N")->capture_default_str();
}

void Arguments::flag(const std::string& names, bool& into, const std::string& help) {
  parser_.add_flag(names, into, help);
}

void Arguments::footer(const std::string& text) { parser_.footer(text); }

CommandLine::CommandLine(const std::string& program, const std::string& overview, const std::string& footer)
    : overview_(overview), parser_(std::make_unique<CLI::App>(overview, program)), own_(*parser_) {
  parser_->footer(footer);
  parser_->get_formatter()->column_width(kNameColumns);
  parser_->require_subcommand(0, 1);  // a missing or unknown one is told by called()
  parser_->allow_extras();
}

CommandLine::~CommandLine() = default;

void CommandLine::set_version(const std::string& text) {
  parser_->set_version_flag("--version", text, "print the version and exit");
}

Arguments& CommandLine::add_command(const std::string& name, const std::string& summary) {
  CLI::App* parser = parser_->add_subcommand(name, summary);
  parser->allow_extras();
  commands_.push_back(std::make_unique<Command>(Command{parser, Arguments(*parser)}));
  return commands_.back()->arguments;
}

std::vector<CommandInfo> CommandLine::describe() const {
  std::vector<CommandInfo> commands;
  for (const auto& command : commands_) {
    const CLI::App& parser = *command->parser;
    CommandInfo info{parser.get_name(), parser.get_description(), {}, parser.get_footer()};
    for (const CLI::Option* option : parser.get_options()) {
      ArgumentInfo argument{{}, option->get_type_name(), option->get_description(), option->get_required()};
      for (const std::string& name : option->get_snames()) argument.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) argument.names.push_back("--" + name);
      if (argument.names.empty()) argument.names.push_back(option->get_name());
      info.arguments.push_back(std::move(argument));
    }
    commands.push_back(std::move(info));
  }
  return commands;
}

std::string CommandLine::help(const std::string& command) const {
  for (const auto& known : commands_)
    if (known->parser->get_name() == command) return known->parser->help("fcbio");
  return {};
}

std::optional<std::size_t> CommandLine::called() const {
  for (std::size_t i = 0; i < commands_.size(); ++i)
    if (commands_[i]->parser->parsed()) return i;
  return std::nullopt;
}

std::optional<std::size_t> CommandLine::parse(int count, const char* const* values) {
  try {
    parser_->parse(count, values);
  } catch (const CLI::Success& help_or_version) {
    parser_->exit(help_or_version);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    // What the parser says, unless there is an argument that nobody knows: that is the likelier cause.
    const std::optional<std::size_t> command = called();
    const std::string unknown = command ? unknown_argument(*commands_[*command]->parser) : "";
    if (!unknown.empty()) throw InvalidArgument(unknown);
    throw InvalidArgument(fmt::format("{}; run '{} --help'", error.what(),
                                      full_name(command ? *commands_[*command]->parser : *parser_)));
  }

  const std::optional<std::size_t> command = commands_.empty() ? 0 : called();
  if (command) {
    const std::string unknown = unknown_argument(commands_.empty() ? *parser_ : *commands_[*command]->parser);
    if (!unknown.empty()) throw InvalidArgument(unknown);
    return command;
  }
  const std::string& program = parser_->get_name();
  const std::vector<std::string> left = parser_->remaining();
  if (left.empty())
    throw InvalidArgument(fmt::format("a command is needed; run '{0} --help' for the list, or try '{0} {1}'",
                                      program, commands_.front()->parser->get_name()));
  const bool is_option = left.front().front() == '-';
  std::vector<std::string> names;
  for (const auto& known : commands_) names.push_back(known->parser->get_name());
  if (is_option) names = {"--help", "--version"};
  throw InvalidArgument(fmt::format("unknown {} '{}'{}; run '{} --help'", is_option ? "option" : "command",
                                    left.front(), did_you_mean(left.front(), names), program));
}

}  // namespace fcbio::arguments
