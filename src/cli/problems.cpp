// fcbio problems [NAME]: the built-in problems, their parameters and what is known about their answers.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "catalogue/catalogue.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/text.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kHelpEnd =
    "Examples:\n"
    "  fcbio problems\n"
    "  fcbio problems min-norm";

void print_entry(const catalogue::Entry& entry) {
  fmt::print("{}\n{}\nknown answer\n{}parameters (fcbio generate {} -o DIR --set KEY=VALUE)\n{}", entry.name,
             wrap(entry.summary, 2), wrap(entry.answer, 2), entry.name, describe_options(entry.parameters));
  if (!entry.seeded) fmt::print("\nThis problem is fixed: --seed changes nothing.\n");
}

class Problems : public Command {
 public:
  CLI::App* attach(CLI::App& program) override {
    CLI::App* command =
        program.add_subcommand("problems", "list the built-in problems, or one with its parameters");
    command->add_option("NAME", name_, "a problem: print its parameters and known answer")->type_name("");
    command->footer(kHelpEnd);
    return command;
  }

  int run() override {
    if (!name_.empty()) {
      print_entry(catalogue::find_entry(name_));
      return kSuccess;
    }
    std::vector<std::pair<std::string, std::string>> rows;
    for (const catalogue::Entry& entry : catalogue::entries()) rows.emplace_back(entry.name, entry.summary);
    fmt::print("{}\n'fcbio problems NAME' tells parameters; 'fcbio generate NAME -o DIR' writes files.\n",
               two_columns(rows));
    return kSuccess;
  }

 private:
  std::string name_;
};

}  // namespace

std::unique_ptr<Command> problems_command() { return std::make_unique<Problems>(); }

}  // namespace fcbio::cli
