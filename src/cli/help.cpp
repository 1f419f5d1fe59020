// fcbio help [TOPIC]: topics that no command's --help has room for, and everything else by its name.  --man,
// --bash and --zsh print the manual page and the completions, made from the same tables.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/help_texts.hpp"
#include "cli/kinds.hpp"
#include "cli/shell_help.hpp"
#include "cli/text.hpp"
#include "core/nearest_name.hpp"
#include "fcbio/error.hpp"
#include "fcbio/method.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kHelpEnd =
    "A topic is one of those listed, a command, a function, a set or a method.\n"
    "\n"
    "Examples:\n"
    "  fcbio help accuracy\n"
    "  fcbio help logistic\n"
    "  fcbio help --bash > ~/.local/share/bash-completion/completions/fcbio";

template <class Named>
bool has_name(const std::vector<Named>& all, const std::string& name) {
  return std::any_of(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
}

class Help : public Command {
 public:
  void attach(CommandLine& program) override {
    program_ = &program;
    Arguments& command = program.add_command("help", "explain a topic, a command, a function, a set or a method");
    command.text("TOPIC", topic_, "what to explain; without it the topics are listed", "");
    command.flag("--man", man_, "print the manual page (troff)");
    command.flag("--bash", bash_, "print the completions for bash");
    command.flag("--zsh", zsh_, "print the completions for zsh");
    command.footer(kHelpEnd);
  }

  int run() override {
    if (man_ + bash_ + zsh_ + (topic_.empty() ? 0 : 1) > 1)
      throw InvalidArgument(
          "help: expected one of TOPIC, --man, --bash and --zsh, found several; leave the others out");
    if (man_)
      fmt::print("{}", manual_page(*program_));
    else if (bash_)
      fmt::print("{}", bash_completion(*program_));
    else if (zsh_)
      fmt::print("{}", zsh_completion(*program_));
    else if (topic_.empty())
      list_topics();
    else
      explain();
    return kSuccess;
  }

 private:
  static void list_topics() {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const HelpText& text : help_texts()) rows.emplace_back(text.topic, text.summary);
    fmt::print(
        "{}\nAlso: a command, a function ('fcbio functions'), a set ('fcbio sets'), a method ('fcbio methods').\n",
        two_columns(rows));
  }

  void explain() const {
    for (const HelpText& text : help_texts())
      if (text.topic == topic_) {
        fmt::print("{}", text.text);
        return;
      }
    if (const std::string help = program_->help(topic_); !help.empty()) {
      fmt::print("{}", help);
    } else if (const auto functions = io::function_kinds(); has_name(functions, topic_)) {
      fmt::print("{}", kind_in_words(find_kind(functions, "function", topic_), "function", "[upper] or [lower]"));
    } else if (const auto sets = io::set_kinds(); has_name(sets, topic_)) {
      fmt::print("{}", kind_in_words(find_kind(sets, "set", topic_), "set", "[domain]"));
    } else if (has_name(methods(), topic_)) {
      fmt::print("'{}' is a method: run 'fcbio methods {}'.\n", topic_, topic_);
    } else {
      throw InvalidArgument(
          fmt::format("unknown topic '{}'{}; run 'fcbio help'", topic_, did_you_mean(topic_, all_names())));
    }
  }

  std::vector<std::string> all_names() const {
    std::vector<std::string> names;
    for (const HelpText& text : help_texts()) names.push_back(text.topic);
    for (const arguments::CommandInfo& command : program_->describe()) names.push_back(command.name);
    for (const io::KindInfo& kind : io::function_kinds()) names.push_back(kind.name);
    for (const io::KindInfo& kind : io::set_kinds()) names.push_back(kind.name);
    for (const MethodInfo& method : methods()) names.emplace_back(method.name);
    return names;
  }

  CommandLine* program_ = nullptr;
  std::string topic_;
  bool man_ = false, bash_ = false, zsh_ = false;
};

}  // namespace

std::unique_ptr<Command> help_command() { return std::make_unique<Help>(); }

}  // namespace fcbio::cli
