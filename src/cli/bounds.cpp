// fcbio bounds: gradients against the lower bounds as the accuracy shrinks.
#include "experiments/bounds.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/family_argument.hpp"
#include "cli/flags.hpp"
#include "cli/interrupt.hpp"
#include "cli/report_data.hpp"
#include "cli/text.hpp"
#include "cli/text_chart.hpp"
#include "experiments/bounds_page.hpp"
#include "fcbio/error.hpp"
#include "io/atomic_file.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kBoundsHelpEnd =
    "The problem of an accuracy is the worst one for it: one level is Nesterov's chain, just long enough that no\n"
    "zero-respecting method can do with fewer gradients than the bound; the other level is 0.  Methods in rounds "
    "are\n"
    "judged by their longest round (the number of rounds is a logarithm on top), others by their first weak "
    "point.\n"
    "Counted are gradients of the chain.\n"
    "\n"
    "Examples:\n"
    "  fcbio bounds smooth\n"
    "  fcbio bounds lipschitz --level lower -o bounds.json --report bounds.html";

std::string table(const experiments::BoundsExperiment& experiment) {
  std::string out;
  for (const experiments::BoundCurve& curve : experiment.curves) {
    out += fmt::format("\n{}\n  {:>9} {:>8} {:>13} {:>7} {:>11} {:>11} {:>7}\n", curve.contestant.label,
                       "accuracy", "bound", "longest round", "rounds", "gradients", "first weak", "ratio");
    for (const experiments::BoundPoint& point : curve.points)
      out += fmt::format("  {:>9.2e} {:>8} {:>13} {:>7} {:>11} {:>11} {:>7}\n", point.accuracy, point.bound,
                         point.in_rounds ? fmt::format("{}", point.longest_round) : "-",
                         point.in_rounds ? fmt::format("{}", point.rounds) : "-", point.gradients,
                         point.first_weak ? fmt::format("{}", *point.first_weak) : "-",
                         point.judged() > 0 ? fmt::format("{:.1f}", static_cast<double>(point.judged()) /
                                                                        static_cast<double>(point.bound))
                                            : "-");
    out += curve.exponent ? fmt::format("  fitted exponent {:.3f} (lower bound {:g})", *curve.exponent,
                                        experiment.expected_exponent())
                          : "  no fit: fewer than two accuracies were reached";
    out += curve.first_weak_exponent
               ? fmt::format("; of the first weak point {:.3f}\n", *curve.first_weak_exponent)
               : "\n";
  }
  return out + left_out_in_words(experiment.left_out);
}

std::string chart(const experiments::BoundsExperiment& experiment) {
  std::vector<ChartLine> lines{{"lower bound", {}}};
  for (const experiments::BoundCurve& curve : experiment.curves) {
    ChartLine line{curve.contestant.label, {}};
    for (const experiments::BoundPoint& point : curve.points) {
      if (&curve == &experiment.curves.front())
        lines.front().points.emplace_back(1.0 / point.accuracy, static_cast<double>(point.bound));
      line.points.emplace_back(1.0 / point.accuracy, static_cast<double>(point.judged()));
    }
    lines.push_back(std::move(line));
  }
  return text_chart(lines, {.title = "gradients of the chain", .horizontal = "1 / accuracy"});
}

class Bounds : public Command {
 public:
  void attach(CommandLine& program) override {
    Arguments& command = program.add_command("bounds", "work against the lower bounds as the accuracy shrinks");
    command.text("FAMILY", family_, "smooth or lipschitz", "TEXT", Need::required);
    command.text("--level", level_, "which level is the chain: upper (default) or lower", "LEVEL");
    command.text("--methods", methods_,
                 "a list NAME[:KEY=VALUE...],... or all that fit; default: FC-BiO as its theorem has it", "LIST");
    command.text("--accuracies", accuracies_,
                 "falling numbers a,b,...; default 1e-2 .. 1e-6 (smooth), 1e-1 .. 10^-2.5 (lipschitz)", "LIST");
    command.text("--radius", radius_, "of the ball (default 1; 0.5 in the Lipschitz case)", "NUMBER");
    command.text("--max-iterations", iterations_, "of one run (default 5e6)", "N");
    command.text("-o,--output", json_, "write what was measured as JSON", "FILE");
    command.text("--report", page_, "write a page with chart and table, for a browser", "FILE.html");
    command.flag("--quiet", quiet_, "print nothing but errors");
    command.footer(kBoundsHelpEnd);
  }

  int run() override {
    const theory::Family family = family_named("bounds", family_);
    if (level_ != "upper" && level_ != "lower")
      throw InvalidArgument(fmt::format("--level: expected upper or lower, found '{}'", level_));
    if (!json_.empty()) check_writable("--output", json_);
    if (!page_.empty()) check_report_file(page_);
    experiments::BoundsOptions options;
    options.radius = family == theory::Family::smooth ? 1.0 : 0.5;
    if (!radius_.empty()) options.radius = positive_number("--radius", radius_);
    options.iteration_limit = positive_integer("--max-iterations", iterations_);
    options.accuracies = experiments::default_accuracies(family);
    if (!accuracies_.empty()) options.accuracies = given_accuracies();
    const std::vector<experiments::Contestant> contestants =
        experiments::parse_contestants(methods_.empty() ? experiments::default_contestants(family) : methods_);

    const InterruptGuard interrupt;
    options.interrupt = interrupt.flag();
    const bool live = !quiet_ && ::isatty(STDERR_FILENO) == 1;
    if (live)
      options.announce = [](const experiments::Contestant& who, double accuracy) {
        fmt::print(stderr, "\r\x1b[K{} at {:.2e} ...", who.label, accuracy);
      };
    const experiments::BoundsExperiment experiment =
        experiments::run_bounds(family, level_ == "upper" ? Level::upper : Level::lower, contestants, options);
    if (live) fmt::print(stderr, "\r\x1b[K");
    if (methods_ != "all" && !experiment.left_out.empty())
      throw InvalidArgument(
          fmt::format("method '{}' {}", experiment.left_out.front().name, experiment.left_out.front().why));
    if (!quiet_)
      fmt::print("Lower bound: {}; D = {:g}, the {} level is the chain.\n{}\n{}",
                 family == theory::Family::smooth ? "D sqrt(3 L / (32 eps)) - 1" : "(C D / (2 eps) - 1)^2 - 1",
                 options.radius, level_, table(experiment), chart(experiment));
    if (!json_.empty()) {
      io::write_file_atomically(json_, experiments::to_json(experiment));
      if (!quiet_) fmt::print("wrote {}\n", json_);
    }
    if (!page_.empty()) {
      report::write_html(experiments::bounds_report(experiment), page_);
      if (!quiet_) fmt::print("wrote {}\n", page_);
    }
    return experiment.interrupted ? kInterrupted : kSuccess;
  }

 private:
  std::vector<double> given_accuracies() const {
    std::vector<double> accuracies;
    for (const std::string& text : comma_separated(accuracies_)) {
      accuracies.push_back(positive_number("--accuracies", text));
      if (accuracies.size() > 1 && !(accuracies.back() < accuracies[accuracies.size() - 2]))
        throw InvalidArgument(fmt::format("--accuracies: expected falling numbers, found '{}'", accuracies_));
    }
    return accuracies;
  }

  std::string family_, level_ = "upper", methods_, accuracies_, radius_, iterations_ = "5e6", json_, page_;
  bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> bounds_command() { return std::make_unique<Bounds>(); }

}  // namespace fcbio::cli
