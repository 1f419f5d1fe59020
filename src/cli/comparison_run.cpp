#include "cli/comparison_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <optional>

#include "build/presolve.hpp"
#include "build/problem.hpp"
#include "cli/comparison_text.hpp"
#include "cli/exit_code.hpp"
#include "cli/flags.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/report_data.hpp"
#include "cli/text.hpp"
#include "fcbio/error.hpp"
#include "io/atomic_file.hpp"

namespace fcbio::cli {

void ComparisonOutputs::attach(arguments::Arguments& command) {
  command.text("-o,--output", json, "write all runs, with their traces, as JSON", "FILE");
  command.text("--report", page, "write a page with charts and table, for a browser", "FILE.html");
  command.text("--reference-time", reference_seconds,
               "seconds to spend on sharpening the reference values (default 60)", "SECONDS");
  command.text("--threads", threads, "threads to use (default 1)", "N");
  command.flag("--quiet", quiet, "print nothing but errors");
}

ComparisonRun::ComparisonRun(const ComparisonOutputs& outputs)
    : outputs_(outputs), reference_seconds_(positive_number("--reference-time", outputs.reference_seconds)) {
  if (!outputs.json.empty()) check_writable("--output", outputs.json);
  if (!outputs.page.empty()) check_report_file(outputs.page);
  if (!outputs.json.empty() && outputs.json == outputs.page)
    throw InvalidArgument(fmt::format("--report: '{}' is also --output; give another name", outputs.page));
  threads_.emplace(thread_number(outputs.threads));
}

void ComparisonRun::say(std::string_view text) const {
  if (!outputs_.quiet) fmt::print("{}", text);
  std::fflush(stdout);
}

Problem ComparisonRun::problem_of(data::Problem data) const {
  const Accuracy accuracy = data.accuracy;
  Problem problem = build::make_problem(std::move(data));
  if (const std::string note = build::Presolved(problem, accuracy).note(); !note.empty())
    say(fmt::format("note: {}\n", note));
  return problem;
}

int ComparisonRun::run(const ComparisonPlan& plan, const Problem& problem) {
  const InterruptGuard interrupt;
  ProgressLine line(plan.accuracy);
  const bool live = !outputs_.quiet && ::isatty(STDERR_FILENO) == 1;
  if (live) fmt::print(stderr, "reference values ...");
  experiments::Reference reference =
      experiments::find_reference(problem, plan.accuracy, {reference_seconds_, interrupt.flag()});
  if (live) fmt::print(stderr, "\r\x1b[K");
  const std::string first_reference = reference_in_words(reference);
  say(first_reference);
  if (plan.limits.seconds < kInfinity)
    say(fmt::format("{} methods, at most {:g} seconds each\n", plan.contestants.size(), plan.limits.seconds));

  experiments::ComparisonOptions options;
  options.accuracy = plan.accuracy;
  options.limits = plan.limits;
  options.interrupt = interrupt.flag();
  if (live) {
    options.observer = &line;
    options.announce = [&](const experiments::Contestant& who, std::size_t number, std::size_t of) {
      line.clear();
      fmt::print(stderr, "\r\x1b[K[{}/{}] {} ...", number, of, who.label);
    };
  }
  experiments::Comparison comparison =
      experiments::compare(problem, plan.contestants, std::move(reference), options);
  line.clear();
  if (live) fmt::print(stderr, "\r\x1b[K");
  comparison.left_out.insert(comparison.left_out.begin(), plan.left_out.begin(), plan.left_out.end());
  if (const std::string sharpened = reference_in_words(comparison.reference); sharpened != first_reference)
    say("The runs sharpened it:\n" + sharpened);
  say(fmt::format("\n{}\n{}", comparison_table(comparison), comparison_chart(comparison)));
  if (comparison.interrupted)
    say(fmt::format("interrupted: {} of {} methods ran\n", comparison.attempts.size(), plan.contestants.size()));

  const std::string fingerprint = data::fingerprint(plan.data);
  if (!outputs_.json.empty()) {
    io::write_file_atomically(outputs_.json, experiments::to_json(comparison, fingerprint, plan.data.dimension));
    say(fmt::format("wrote {}\n", outputs_.json));
  }
  if (!outputs_.page.empty()) {
    report::Report page;
    page.kind = plan.kind;
    page.title = plan.title;
    page.introduction = plan.introduction;
    page.problem = problem_details(plan.data, fingerprint);
    page.problem.emplace_back("Reference values", reference_sentence(comparison.reference));
    experiments::fill_report(problem, comparison, page);
    if (!page.runs.empty()) {
      page.certificate = certificate_in_words(page.runs.front().result);
      AnswerWords(plan.data).describe(problem, page.runs.front().result.x, page);
    }
    report::write_html(page, outputs_.page);
    say(fmt::format("wrote {}\n", outputs_.page));
  }
  return comparison.interrupted || interrupt.flag()->load() ? kInterrupted : kSuccess;
}

}  // namespace fcbio::cli
