// fcbio problems [NAME]: the built-in problems, their parameters and what is known about their answers.
#include <fmt/format.h>

#include <algorithm>

#include "catalogue/catalogue.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/text.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kProblemsHelpEnd =
    "Examples:\n"
    "  fcbio problems\n"
    "  fcbio problems min-norm";

void print_entry(const catalogue::Entry& entry) {
  fmt::print("{}{}, size {}\n{}\nknown answer\n{}parameters (fcbio generate {} -o DIR --set KEY=VALUE)\n{}",
             entry.name, entry.id.empty() ? "" : " (" + entry.id + ")", entry.size, wrap(entry.summary, 2),
             wrap(entry.answer, 2), entry.name, describe_options(entry.parameters));
  if (!entry.seeded) fmt::print("\nThis problem is fixed: --seed changes nothing.\n");
}

/// One row per entry, the summaries wrapped in the last of four columns.
std::string table_of_entries() {
  std::size_t name = 4, id = 2, size = 4;  // at least the headings
  for (const catalogue::Entry& entry : catalogue::entries()) {
    name = std::max(name, entry.name.size());
    id = std::max(id, entry.id.size());
    size = std::max(size, entry.size.size());
  }
  const std::size_t indent = name + id + size + 8;
  std::string out = fmt::format("  {:<{}}  {:<{}}  {:>{}}  {}\n", "name", name, "id", id, "size", size,
                                "f over the minimisers of g");
  for (const catalogue::Entry& entry : catalogue::entries())
    out += fmt::format("  {:<{}}  {:<{}}  {:>{}}  {}", entry.name, name, entry.id, id, entry.size, size,
                       wrap(entry.summary, indent).substr(indent));
  return out;
}

class Problems : public Command {
 public:
  void attach(CommandLine& program) override {
    Arguments& command = program.add_command("problems", "list the built-in problems, or one with its parameters");
    command.text("NAME", name_, "a problem: print its parameters and known answer", "");
    command.footer(kProblemsHelpEnd);
  }

  int run() override {
    if (!name_.empty()) {
      print_entry(catalogue::find_entry(name_));
      return kSuccess;
    }
    fmt::print(
        "{}\n{}", table_of_entries(),
        wrap("id: the problem's place in docs/problems.md; size: rows of the lower level's data x dimension, with "
             "the default parameters. 'fcbio problems NAME' tells parameters; 'fcbio generate NAME -o DIR' writes "
             "files.",
             0));
    return kSuccess;
  }

 private:
  std::string name_;
};

}  // namespace

std::unique_ptr<Command> problems_command() { return std::make_unique<Problems>(); }

}  // namespace fcbio::cli
