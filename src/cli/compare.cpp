// fcbio compare: several methods on one problem, with equal starts and limits, against a certified reference.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command.hpp"
#include "cli/comparison_run.hpp"
#include "cli/exit_code.hpp"
#include "cli/flags.hpp"
#include "cli/limit_flags.hpp"
#include "fcbio/error.hpp"
#include "fcbio/threads.hpp"
#include "io/problem_file.hpp"

namespace fcbio::cli {
namespace {

constexpr double kCompareSeconds = 10.0;

constexpr const char* kCompareHelpEnd =
    "All methods start from the same point and get the same limits; their lower-level phases are in their "
    "account,\n"
    "what only the comparison computes is not.  f* and g* come from the default method at a sharper accuracy, "
    "with\n"
    "error bars.  'weak after' is the work up to the first point that is surely weak optimal for the accuracy "
    "asked.\n"
    "\n"
    "Examples:\n"
    "  fcbio compare PROBLEM.toml --max-passes 20000 --report compare.html\n"
    "  fcbio compare PROBLEM.toml --methods fcbio,apb-apg,pb-apg:gamma=1e4 --time-limit 5 -o compare.json";

class Compare : public Command {
 public:
  void attach(CommandLine& program) override {
    Arguments& command = program.add_command("compare", "run several methods on one problem");
    command.text("PROBLEM", problem_file_, "the problem file (TOML)", "TEXT", Need::required);
    command.text("--methods", methods_,
                 "a list NAME[:KEY=VALUE...],... or all that fit (default); 'fcbio methods' lists them", "LIST");
    command.text("--eps-f", upper_accuracy_, "accuracy in f", "NUMBER");
    command.text("--eps-g", lower_accuracy_, "accuracy in g", "NUMBER");
    limit_flags_.attach(command);
    outputs_.attach(command);
    command.footer(kCompareHelpEnd);
  }

  int run() override {
    std::vector<experiments::Contestant> contestants = experiments::parse_contestants(methods_);
    ComparisonRun comparison_run(outputs_);
    limit_flags_.limits();  // mistakes of the command line are told before a large file is read

    const data::Problem data = io::read_problem(problem_file_);
    const Limits limits = limit_flags_.limits(data.limits);
    for (const std::string& note : data.notes) comparison_run.say(fmt::format("note: {}\n", note));
    if (!data.method.empty())
      comparison_run.say("note: the [method] table of the file is not used here; give --methods NAME:KEY=VALUE\n");
    if ((data.accuracy.upper == 0.0 && upper_accuracy_.empty()) ||
        (data.accuracy.lower == 0.0 && lower_accuracy_.empty()))
      throw InvalidArgument(
          "the accuracy of the problem file is relative, and methods are compared at the same numbers; give --eps-f "
          "and --eps-g");
    Accuracy accuracy{data.accuracy.upper, data.accuracy.lower};
    if (!upper_accuracy_.empty()) accuracy.upper = positive_number("--eps-f", upper_accuracy_);
    if (!lower_accuracy_.empty()) accuracy.lower = positive_number("--eps-g", lower_accuracy_);

    const Problem problem = comparison_run.problem_of(data);
    const std::vector<report::LeftOut> left_out = experiments::remove_misfits(problem, contestants);
    if (methods_ != "all" && !left_out.empty())
      throw InvalidArgument(fmt::format("method '{}' {}", left_out.front().name, left_out.front().why));

    const std::string name = std::filesystem::path(problem_file_).filename().string();
    return comparison_run.run({.kind = "compare",
                               .title = fmt::format("Methods compared on {}", name),
                               .introduction = {},
                               .data = data,
                               .accuracy = accuracy,
                               .limits = limits,
                               .contestants = std::move(contestants),
                               .left_out = left_out},
                              problem);
  }

 private:
  std::string problem_file_, methods_ = "all", upper_accuracy_, lower_accuracy_;
  LimitFlags limit_flags_{kCompareSeconds};
  ComparisonOutputs outputs_;
};

}  // namespace

std::unique_ptr<Command> compare_command() { return std::make_unique<Compare>(); }

}  // namespace fcbio::cli
