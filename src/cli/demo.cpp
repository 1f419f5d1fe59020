// fcbio demo: a built-in minimum-norm problem, solved, explained and checked, in seconds and without any input.
#include <fmt/format.h>

#include <filesystem>

#include "build/problem.hpp"
#include "catalogue/catalogue.hpp"
#include "checker.hpp"
#include "claims/claims.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/report_data.hpp"
#include "cli/text.hpp"
#include "data/input_error.hpp"
#include "fcbio/fcbio.hpp"
#include "io/problem_file.hpp"
#include "io/result_json.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kProblem = "min-norm";
constexpr std::uint64_t kSeed = 1;

constexpr const char* kIntroduction =
    "Of all least-squares solutions of Ax = b (40 rows, 100 unknowns, condition number 100) find the shortest:\n"
    "    min 1/2 |x|^2   subject to   x in argmin over |x| <= 2 of 1/2 |Ax - b|^2\n"
    "to 1e-6 in both levels.  The answer is known here (the pseudo-inverse), but the solver does not use it.\n\n";

// The page shows the published method beside the default, stopped here.
constexpr const char* kPublished = "fcbio-sm";
constexpr std::int64_t kPublishedPasses = 100000;

constexpr const char* kPageName = "fcbio-demo.html";

constexpr const char* kDemoHelpEnd =
    "Exit code 0 only if the answer is certified and the independent checker confirms every claim.\n"
    "\n"
    "Example:\n"
    "  fcbio demo --output demo && fcbio verify demo/PROBLEM.toml demo/result.json";

void print_known_answer(const catalogue::Instance& instance, const Result& result) {
  fmt::print("Known answer: f* = {}, g* = {}; truly f(x) - f* = {:+.6g} and g(x) - g* = {:+.6g}.\n",
             number(*instance.upper_optimum), number(*instance.lower_optimum),
             result.upper_value - *instance.upper_optimum, result.lower_value - *instance.lower_optimum);
}

class Demo : public Command {
 public:
  void attach(CommandLine& program) override {
    Arguments& command = program.add_command("demo", "solve a built-in problem, show the proof and check it");
    command.text("--output", directory_,
                 "also write PROBLEM.toml with its data, result.json and x.npy into this directory", "DIR");
    command.text("--report", report_,
                 "where to write the page with charts, table and certificate (default report.html in DIR, "
                 "without DIR fcbio-demo.html)",
                 "FILE.html");
    command.footer(kDemoHelpEnd);
  }

  int run() override {
    if (!report_.empty()) check_report_file(report_);
    const catalogue::Instance instance = catalogue::find_entry(kProblem).make({}, kSeed);
    const std::string fingerprint = data::fingerprint(instance.data);
    if (!directory_.empty()) {
      const std::string comment = fmt::format("The problem of 'fcbio demo': {} with seed {}.", kProblem, kSeed);
      io::write_problem(instance.data, directory_, comment);
    }
    fmt::print("{}", kIntroduction);

    SolveOptions options;
    options.accuracy = {1e-6, 1e-6};
    const InterruptGuard interrupt;
    Monitor monitor({}, interrupt.flag());
    ProgressTable table;
    monitor.add_observer(table);
    const Problem problem = build::make_problem(instance.data);
    report::Recorder recorder(problem);
    monitor.add_observer(recorder);
    const Result result = solve(problem, options, monitor);
    table.finish();

    fmt::print("\n{}\n{}", summary(result, std::nullopt), certificate_in_words(result));
    print_known_answer(instance, result);
    const verify::VerifyReport report =
        verify::verify(instance.data, claims::claims_of(result, fingerprint), fingerprint);
    fmt::print("\nThe same claims, recomputed by the independent checker:\n{}", verify::to_text(report));
    if (!directory_.empty()) write_files(result, fingerprint);
    report::Report page;
    AnswerWords(instance.data).describe(problem, result.x, page);
    page.runs = {report_run(result.method, problem, result, recorder), published_run(problem, options, interrupt)};
    write_page(instance, std::move(page), fingerprint);
    if (result.status == Status::certified) return report.all_hold ? kSuccess : kClaimFailed;
    return result.status == Status::converged ? kLimitReached : exit_code(result);
  }

 private:
  void write_files(const Result& result, const std::string& fingerprint) const {
    const std::filesystem::path directory = directory_;
    io::ResultContext context{fingerprint, kSeed, 0.0, directory / "x.npy"};
    io::write_solution(*context.solution, result.x);
    io::write_result(result, context, directory / "result.json");
    fmt::print(
        "\nwrote {0}/PROBLEM.toml, result.json, x.npy; check them with\n"
        "  fcbio verify {0}/PROBLEM.toml {0}/result.json\n",
        directory_);
  }

  /// Only for the page: what it finds changes neither the answer nor the exit code.
  static report::Run published_run(const Problem& problem, SolveOptions options, const InterruptGuard& interrupt) {
    options.method = kPublished;
    Limits limits;
    limits.passes = kPublishedPasses;
    Monitor monitor(limits, interrupt.flag());
    report::Recorder recorder(problem);
    monitor.add_observer(recorder);
    const Result result = solve(problem, options, monitor);
    return report_run(kPublished, problem, result, recorder);
  }

  /// The page has its runs and its solution.
  void write_page(const catalogue::Instance& instance, report::Report page, const std::string& fingerprint) const {
    page.kind = "demo";
    page.title = "The shortest least-squares solution";
    page.introduction = std::string(kIntroduction) +
                        fmt::format(
                            "For comparison the published method ({}) was run on the same problem, for at "
                            "most {} passes.",
                            kPublished, kPublishedPasses);
    page.problem = problem_details(instance.data, fingerprint);
    page.accuracy = page.runs.front().result.accuracy;
    page.upper_optimum = {*instance.upper_optimum, *instance.upper_optimum};
    page.lower_optimum = {*instance.lower_optimum, *instance.lower_optimum};
    page.certificate = certificate_in_words(page.runs.front().result);
    for (report::Run& run : page.runs)
      run.weak_after =
          report::first_weak(run.samples, run.result, *page.upper_optimum, *page.lower_optimum, page.accuracy);
    const bool asked = !report_.empty() || !directory_.empty();
    std::filesystem::path file = report_;
    if (report_.empty()) file = directory_.empty() ? kPageName : std::filesystem::path(directory_) / "report.html";
    try {
      report::write_html(page, file);
    } catch (const InputError& error) {
      if (asked) throw;
      fmt::print("\nno report page was written: {}\n", error.what());  // nobody asked for one here
      return;
    }
    fmt::print("\nwrote {}: open it in a browser for charts, table and certificate\n", file.string());
  }

  std::string directory_;
  std::string report_;
};

}  // namespace

std::unique_ptr<Command> demo_command() { return std::make_unique<Demo>(); }

}  // namespace fcbio::cli
