#include "cli/shell_help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "cli/help_texts.hpp"
#include "fcbio/method.hpp"
#include "fcbio/version.hpp"
#include "io/problem_keys.hpp"

namespace fcbio::cli {
namespace {

using arguments::ArgumentInfo;
using arguments::CommandInfo;

bool is_option(const ArgumentInfo& argument) { return argument.names.front().front() == '-'; }

/// troff: a backslash and a leading dot or quote mean something, and a hyphen is not a minus.
std::string troff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_begins = c == '\n';
  }
  return out;
}

std::string verbatim(std::string_view text) { return fmt::format(".nf\n{}\n.fi\n", troff(text)); }

std::string synopsis(const CommandInfo& command) {
  std::string words = command.name;
  for (const ArgumentInfo& argument : command.arguments)
    if (!is_option(argument))
      words += argument.required ? " " + argument.names.front() : fmt::format(" [{}]", argument.names.front());
  return words + " [OPTIONS]";
}

/// What may follow a command as its word: names, or nothing (then files).
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  const auto add_kinds = [&words](const std::vector<io::KindInfo>& kinds) {
    for (const io::KindInfo& kind : kinds) words.push_back(kind.name);
  };
  const auto add_methods = [&words] {
    for (const MethodInfo& method : methods()) words.emplace_back(method.name);
  };
  if (command == "methods") add_methods();
  if (command == "functions") add_kinds(io::function_kinds());
  if (command == "sets") add_kinds(io::set_kinds());
  if (command == "generate" || command == "problems")
    for (const catalogue::Entry& entry : catalogue::entries()) words.emplace_back(entry.name);
  if (command == "paper") words = {"min-norm", "logistic"};
  if (command == "hard" || command == "bounds") words = {"smooth", "lipschitz"};
  if (command == "help")
    for (const HelpText& text : help_texts()) words.push_back(text.topic);
  return words;
}

std::vector<std::string> flags_of(const CommandInfo& command) {
  std::vector<std::string> flags;
  for (const ArgumentInfo& argument : command.arguments)
    if (is_option(argument)) flags.insert(flags.end(), argument.names.begin(), argument.names.end());
  return flags;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) names.emplace_back(method.name);
  return names;
}

/// For single quotes in zsh; brackets and colons would end a part of the description.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':')
      out += fmt::format("\\{}", c);
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string manual_page(const arguments::CommandLine& program) {
  std::string page = fmt::format(
      ".TH FCBIO 1 \"\" \"fcbio {}\" \"User commands\"\n.SH NAME\nfcbio \\- certified solver for convex simple bilevel "
      "problems\n.SH SYNOPSIS\n.B fcbio\n.I COMMAND\n[ARGUMENTS]\n.SH DESCRIPTION\n{}",
      FCBIO_VERSION, verbatim(program.overview()));
  page += ".SH COMMANDS\n";
  for (const CommandInfo& command : program.describe()) {
    page += fmt::format(".SS {}\n{}.\n", troff(synopsis(command)), troff(command.summary));
    for (const ArgumentInfo& argument : command.arguments) {
      if (argument.help.empty()) continue;
      page += fmt::format(".TP\n.B {}{}\n{}\n", troff(fmt::format("{}", fmt::join(argument.names, ", "))),
                          argument.value.empty() ? "" : " " + troff(argument.value), troff(argument.help));
    }
    if (!command.footer.empty()) page += ".PP\n" + verbatim(command.footer);
  }
  for (const HelpText& text : help_texts()) {
    std::string heading = text.topic;
    std::transform(heading.begin(), heading.end(), heading.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    page += fmt::format(".SH {}\n{}", heading, verbatim(text.text));
  }
  for (const auto& [heading, kinds] :
       {std::pair("FUNCTIONS", io::function_kinds()), std::pair("SETS", io::set_kinds())}) {
    page += fmt::format(".SH {}\n", heading);
    for (const io::KindInfo& kind : kinds) {
      std::vector<std::string> keys;
      for (const io::KeyInfo& key : kind.keys) keys.push_back(key.name);
      page += fmt::format(".TP\n.B {}\n{}\n.br\nkeys: {}\n", troff(kind.name), troff(kind.meaning),
                          troff(fmt::format("{}", fmt::join(keys, ", "))));
    }
  }
  return page;
}

std::string bash_completion(const arguments::CommandLine& program) {
  std::vector<std::string> names;
  std::string cases;
  for (const CommandInfo& command : program.describe()) {
    names.push_back(command.name);
    cases += fmt::format("    {}) flags='{}'; words='{}' ;;\n", command.name, fmt::join(flags_of(command), " "),
                         fmt::join(words_of(command.name), " "));
  }
  return fmt::format(
      "# Completions of fcbio for bash; printed by 'fcbio help --bash'.\n"
      "_fcbio() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" previous=\"${{COMP_WORDS[COMP_CWORD - 1]}}\" flags='' words=''\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{0} --help --version' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  if [ \"$previous\" = --method ] || [ \"$previous\" = --methods ]; then\n"
      "    COMPREPLY=($(compgen -W '{1}' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n"
      "{2}"
      "  esac\n"
      "  if [ \"${{current#-}}\" != \"$current\" ]; then\n"
      "    COMPREPLY=($(compgen -W \"$flags\" -- \"$current\"))\n"
      "  elif [ -n \"$words\" ]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _fcbio fcbio\n",
      fmt::join(names, " "), fmt::join(method_names(), " "), cases);
}

std::string zsh_completion(const arguments::CommandLine& program) {
  std::string commands, cases;
  for (const CommandInfo& command : program.describe()) {
    commands += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.summary));
    std::string lines;
    for (const ArgumentInfo& argument : command.arguments) {
      if (!is_option(argument)) continue;
      for (const std::string& name : argument.names)
        lines += fmt::format(" \\\n        '{}[{}]{}'", name, zsh_text(argument.help),
                             argument.value.empty() ? "" : fmt::format(":{}:_files", zsh_text(argument.value)));
    }
    const std::vector<std::string> words = words_of(command.name);
    lines += words.empty() ? std::string(" \\\n        '*:file:_files'")
                           : fmt::format(" \\\n        '*:name:({})'", fmt::join(words, " "));
    cases += fmt::format("    {})\n      _arguments{} ;;\n", command.name, lines);
  }
  return fmt::format(
      "#compdef fcbio\n"
      "# Completions of fcbio for zsh; printed by 'fcbio help --zsh'.\n"
      "_fcbio() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "_fcbio \"$@\"\n",
      commands, cases);
}

}  // namespace fcbio::cli
