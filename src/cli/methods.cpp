// fcbio methods [NAME]: what can solve, and with which options.  --markdown prints docs/options.md.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/text.hpp"
#include "fcbio/error.hpp"
#include "fcbio/method.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kMethodsHelpEnd =
    "Examples:\n"
    "  fcbio methods\n"
    "  fcbio methods fcbio-sm";

/// A '|' would end the cell of a Markdown table.
std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char letter : text) {
    if (letter == '|') cell += '\\';
    cell += letter;
  }
  return cell;
}

std::string zero_respecting(const MethodInfo& method) {
  return method.zero_respecting ? "yes" : "not declared: it may use more than gradients";
}

void print_markdown() {
  fmt::print(
      "# Methods and their options\n\n"
      "Made by `fcbio methods --markdown`; do not edit.  Options go into a `[method]` table of the problem file "
      "or\n"
      "into `--set KEY=VALUE`.\n");
  for (const MethodInfo& method : methods()) {
    fmt::print("\n## `{}`\n\n{}\n\n- Needs: {}\n- Guarantee: {}\n- Zero-respecting: {}\n", method.name,
               method.summary, method.needs, method.guarantee, zero_respecting(method));
    if (method.options.empty()) {
      fmt::print("- Options: none\n");
      continue;
    }
    fmt::print("\n| option | takes | default | meaning |\n|---|---|---|---|\n");
    for (const OptionInfo& option : method.options)
      fmt::print("| `{}` | {} | {} | {} |\n", option.name, markdown_cell(option.range), option.default_value,
                 markdown_cell(option.help));
  }
}

void print_method(const MethodInfo& method) {
  fmt::print(
      "{}\n{}\nneeds\n{}guarantee\n{}zero-respecting (see 'fcbio hard')\n{}"
      "options (--set KEY=VALUE, or a [method] table)\n{}",
      method.name, wrap(method.summary, 2), wrap(method.needs, 2), wrap(method.guarantee, 2),
      wrap(zero_respecting(method), 2), describe_options(method.options));
}

class Methods : public Command {
 public:
  void attach(CommandLine& program) override {
    Arguments& command = program.add_command("methods", "list the methods, or one of them with its options");
    command.text("NAME", name_, "a method: print its needs, guarantee and options", "");
    command.flag("--markdown", markdown_, "print all of them as the page docs/options.md");
    command.footer(kMethodsHelpEnd);
  }

  int run() override {
    if (markdown_ && !name_.empty()) throw InvalidArgument("--markdown prints all methods; leave NAME out");
    if (markdown_) {
      print_markdown();
    } else if (!name_.empty()) {
      print_method(find_method(name_));
    } else {
      std::vector<std::pair<std::string, std::string>> rows;
      for (const MethodInfo& method : methods())
        rows.emplace_back(method.name, fmt::format("{} (needs: {})", method.summary, method.needs));
      fmt::print("{}\n'fcbio methods NAME' tells guarantees and options.\n", two_columns(rows));
    }
    return kSuccess;
  }

 private:
  std::string name_;
  bool markdown_ = false;
};

}  // namespace

std::unique_ptr<Command> methods_command() { return std::make_unique<Methods>(); }

}  // namespace fcbio::cli
