// fcbio paper: the two published experiments, all methods with their published settings.
#include "experiments/paper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/comparison_run.hpp"
#include "cli/flags.hpp"
#include "cli/limit_flags.hpp"
#include "fcbio/error.hpp"

namespace fcbio::cli {
namespace {

constexpr double kPaperSeconds = 30.0;

constexpr const char* kPaperHelpEnd =
    "min-norm   the shortest of all least-squares solutions; data: a table (CSV), one of its columns is taken as "
    "b\n"
    "logistic   validation loss over the minimisers of training loss; data: LIBSVM text with labels\n"
    "The default method comes first; the others run with the settings published for them.\n"
    "\n"
    "Examples:\n"
    "  fcbio paper min-norm --report min-norm.html\n"
    "  fcbio paper logistic --data rcv1_train.binary --report logistic.html -o logistic.json";

class Paper : public Command {
 public:
  void attach(CommandLine& program) override {
    Arguments& command = program.add_command("paper", "the two experiments of the FC-BiO paper");
    command.text("EXPERIMENT", experiment_, "min-norm or logistic", "TEXT", Need::required);
    command.text("--data", data_,
                 "real data: CSV for min-norm, LIBSVM text for logistic; without it a "
                 "seeded stand-in of the same shape",
                 "FILE");
    command.text("--target", target_, "min-norm: column of the data (from 0) that is b; default by the seed", "N");
    command.text("--rows", rows_, "rows sampled: 400 in min-norm, 5000 per level in logistic", "N");
    command.text("--scale", scale_, "min-norm: divide the data by this (default 1)", "NUMBER");
    command.text("--seed", seed_, "of the sample, the start and the stand-in (default 1)", "N");
    command.text("--methods", methods_, "only these, with their published settings", "LIST");
    limit_flags_.attach(command);
    outputs_.attach(command);
    command.footer(kPaperHelpEnd);
  }

  int run() override {
    if (experiment_ != "min-norm" && experiment_ != "logistic")
      throw InvalidArgument(fmt::format("paper: expected min-norm or logistic, found '{}'", experiment_));
    const bool minimum_norm = experiment_ == "min-norm";
    ComparisonRun comparison_run(outputs_);
    experiments::PaperOptions options;
    options.data = data_;
    if (!target_.empty()) {
      if (!minimum_norm) throw InvalidArgument("--target: only for min-norm; leave it out");
      options.target = count_number("--target", target_);
    }
    if (!rows_.empty()) options.rows = positive_integer("--rows", rows_);
    options.scale = positive_number("--scale", scale_);
    options.seed = seed_number(seed_);
    const Limits limits = limit_flags_.limits();

    experiments::PaperExperiment experiment =
        minimum_norm ? experiments::minimum_norm_experiment(options) : experiments::logistic_experiment(options);
    keep_chosen(experiment.contestants);
    comparison_run.say(experiment.title + "\n" + experiment.introduction);
    for (const std::string& note : experiment.data.notes) comparison_run.say(fmt::format("note: {}\n", note));
    const Problem problem = comparison_run.problem_of(experiment.data);
    const std::vector<report::LeftOut> left_out = experiments::remove_misfits(problem, experiment.contestants);
    return comparison_run.run({.kind = "paper",
                               .title = experiment.title,
                               .introduction = experiment.introduction,
                               .data = experiment.data,
                               .accuracy = experiment.data.accuracy,
                               .limits = limits,
                               .contestants = experiment.contestants,
                               .left_out = left_out},
                              problem);
  }

 private:
  /// --methods: names of methods, of those that take part.
  void keep_chosen(std::vector<experiments::Contestant>& contestants) const;

  std::string experiment_, data_, target_, rows_, scale_ = "1", seed_ = "1", methods_;
  LimitFlags limit_flags_{kPaperSeconds};
  ComparisonOutputs outputs_;
};

void Paper::keep_chosen(std::vector<experiments::Contestant>& contestants) const {
  if (methods_.empty()) return;
  std::vector<std::string> wanted, known;
  for (const std::string& name : comma_separated(methods_)) wanted.push_back(lower_case(name));
  const auto names = [&](const experiments::Contestant& who, const std::string& name) {
    return who.method == name || lower_case(who.label) == name;
  };
  for (const experiments::Contestant& who : contestants) known.push_back(who.method);
  for (const std::string& name : wanted)
    if (std::none_of(contestants.begin(), contestants.end(), [&](const auto& who) { return names(who, name); }))
      throw InvalidArgument(fmt::format("--methods: expected some of {}, without settings, found '{}'",
                                        fmt::join(known, ", "), name));
  std::erase_if(contestants, [&](const experiments::Contestant& who) {
    return std::none_of(wanted.begin(), wanted.end(), [&](const auto& name) { return names(who, name); });
  });
}

}  // namespace

std::unique_ptr<Command> paper_command() { return std::make_unique<Paper>(); }

}  // namespace fcbio::cli
