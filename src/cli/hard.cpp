// fcbio hard: the instances on which no zero-respecting method can approach f*, run and watched.
#include "experiments/hard.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/family_argument.hpp"
#include "cli/flags.hpp"
#include "cli/interrupt.hpp"
#include "cli/report_data.hpp"
#include "cli/text.hpp"
#include "fcbio/error.hpp"
#include "io/atomic_file.hpp"

namespace fcbio::cli {
namespace {

constexpr std::int64_t kMostQueries = 1000000;

constexpr const char* kHardHelpEnd =
    "For every T there is a problem with f* >= 1/48 (smooth) or f* = 1/4 (lipschitz) on which a method that moves "
    "only\n"
    "in coordinates that gradients have touched sees f(x) = f(x_0) = 0 at every point of its first T queries of "
    "g'.\n"
    "So no such method can tell how far it is from f*: only weak optimality (f(x) - f* <= eps) can be had in "
    "general.\n"
    "Every query is watched; what a method says of itself is not trusted.  f and g are black boxes here: engines "
    "that\n"
    "use Hessians or factorisations are not zero-respecting, and need more than a black box.\n"
    "\n"
    "Example:\n"
    "  fcbio hard smooth -T 100 --methods all --report hard.html";

std::string title(const experiments::HardExperiment& experiment) {
  return fmt::format("Where f* cannot be found: the {} chain, T = {}",
                     experiment.family == theory::Family::smooth ? "smooth" : "Lipschitz", experiment.queries);
}

std::string introduction(const experiments::HardExperiment& experiment) {
  return fmt::format(
      "f(x_0) = 0, f* = {} (guaranteed: at least {:.6g} away for every T), g* = {}.\n"
      "Within T = {} gradients of g a zero-respecting method cannot move f at all.\n",
      number(experiment.upper_optimum), experiment.guaranteed_distance, number(experiment.lower_optimum),
      experiment.queries);
}

std::string table(const experiments::HardExperiment& experiment) {
  std::size_t width = 6;
  for (const auto& attempt : experiment.attempts) width = std::max(width, attempt.contestant.label.size());
  std::string out = fmt::format("{:<{}}  {:>10} {:>10} {:>18}  {:<9} {}\n", "method", width, "queries g'",
                                "iterations", "max |f(x)-f(x_0)|", "declared", "watched");
  for (const auto& attempt : experiment.attempts)
    out += fmt::format(
        "{:<{}}  {:>10} {:>10} {:>18}  {:<9} {}\n", attempt.contestant.label, width, attempt.lower_gradients,
        attempt.run.result.work.iterations,
        attempt.largest_upper_change == 0.0 ? "0" : fmt::format("{:.3g}", attempt.largest_upper_change),
        attempt.declared_zero_respecting ? "yes" : "no",
        attempt.violation ? fmt::format("not zero-respecting: query {} moved coordinate {}",
                                        attempt.violation->query, attempt.violation->coordinate + 1)
                          : "zero-respecting");
  return out + left_out_in_words(experiment.left_out);
}

class Hard : public Command {
 public:
  void attach(CommandLine& program) override {
    Arguments& command = program.add_command("hard", "where f* cannot be found: watch methods not move f");
    command.text("FAMILY", family_, "smooth or lipschitz", "TEXT", Need::required);
    command.text("-T,--queries", queries_, "gradients of g a method may ask for (default 100)", "N");
    command.text("--methods", methods_, "a list NAME[:KEY=VALUE...],... or all that fit (default)", "LIST");
    command.text("-o,--output", json_, "write what was seen as JSON", "FILE");
    command.text("--report", page_, "write a page with charts and table, for a browser", "FILE.html");
    command.flag("--quiet", quiet_, "print nothing but errors");
    command.footer(kHardHelpEnd);
  }

  int run() override {
    const theory::Family family = family_named("hard", family_);
    const std::int64_t queries = positive_integer("-T", queries_);
    if (queries > kMostQueries)
      throw InvalidArgument(fmt::format("-T: expected at most {}, found {}", kMostQueries, queries));
    if (!json_.empty()) check_writable("--output", json_);
    if (!page_.empty()) check_report_file(page_);
    const std::vector<experiments::Contestant> contestants = experiments::parse_contestants(methods_);

    const InterruptGuard interrupt;
    const bool live = !quiet_ && ::isatty(STDERR_FILENO) == 1;
    experiments::HardOptions options;
    options.interrupt = interrupt.flag();
    if (live)
      options.announce = [](const experiments::Contestant& who, std::size_t number, std::size_t of) {
        fmt::print(stderr, "\r\x1b[K[{}/{}] {} ...", number, of, who.label);
      };
    const experiments::HardExperiment experiment = experiments::run_hard(family, queries, contestants, options);
    if (live) fmt::print(stderr, "\r\x1b[K");
    if (methods_ != "all" && !experiment.left_out.empty())
      throw InvalidArgument(
          fmt::format("method '{}' {}", experiment.left_out.front().name, experiment.left_out.front().why));
    if (!quiet_) fmt::print("{}\n{}\n{}", title(experiment), introduction(experiment), table(experiment));
    write_files(experiment);
    if (experiment.interrupted) return kInterrupted;
    for (const auto& attempt : experiment.attempts)
      if (attempt.contradicts()) return kClaimFailed;
    return kSuccess;
  }

 private:
  void write_files(const experiments::HardExperiment& experiment) const {
    if (!json_.empty()) {
      io::write_file_atomically(json_, experiments::to_json(experiment));
      if (!quiet_) fmt::print("wrote {}\n", json_);
    }
    if (page_.empty()) return;
    report::Report page;
    page.kind = "hard";
    page.title = title(experiment);
    page.introduction = introduction(experiment);
    page.problem = {{"upper", "1/2 sum of x_j^2 over the second half of the coordinates"},
                    {"lower", experiment.family == theory::Family::smooth ? "smooth chain" : "Lipschitz chain"},
                    {"domain", "the unit ball about the start"},
                    {"dimension", fmt::format("{}", 2 * experiment.queries)}};
    experiments::fill_report(experiment, page);
    report::write_html(page, page_);
    if (!quiet_) fmt::print("wrote {}\n", page_);
  }

  std::string family_, queries_ = "100", methods_ = "all", json_, page_;
  bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> hard_command() { return std::make_unique<Hard>(); }

}  // namespace fcbio::cli
