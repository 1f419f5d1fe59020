// fcbio solve PROBLEM.toml: reads, solves, writes what was asked for, says what is known about the answer.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "build/presolve.hpp"
#include "build/problem.hpp"
#include "cli/checkpoint_flags.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/flags.hpp"
#include "cli/interrupt.hpp"
#include "cli/limit_flags.hpp"
#include "cli/progress.hpp"
#include "cli/report_data.hpp"
#include "cli/text.hpp"
#include "fcbio/fcbio.hpp"
#include "io/problem_file.hpp"
#include "io/result_json.hpp"
#include "io/trace.hpp"
#include "parallel/communicator.hpp"
#include "parallel/decisions.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kSolveHelpEnd =
    "A command-line flag overrides the same setting of the problem file.\n"
    "Exit codes: 0 certified; 2 bad usage or input; 3 a limit was reached or stalled; 4 not finite or not convex;\n"
    "5 converged by the method's own rule, f not proved within what was asked; 130 interrupted.  With 3, 4, 5 and\n"
    "130 the best point is written all the same.\n"
    "\n"
    "Example:\n"
    "  fcbio solve problem/PROBLEM.toml --eps-f 1e-4 --eps-g 1e-6 -o result.json --solution x.npy\n"
    "  fcbio solve problem/PROBLEM.toml --engine accelerated --tight --trace trace.jsonl\n"
    "A long run, stopped and gone on with, and its answer to begin with for another accuracy:\n"
    "  fcbio solve problem/PROBLEM.toml --checkpoint run.fck --time-limit 3600 -o result.json\n"
    "  fcbio solve problem/PROBLEM.toml --checkpoint run.fck --resume run.fck -o result.json\n"
    "  fcbio solve problem/PROBLEM.toml --start result.json --eps-g 1e-9 -o finer.json";

/// One name per file: absolute, links and dots resolved as far as it exists.
std::filesystem::path resolved(const std::string& file) {
  const std::filesystem::path path = std::filesystem::absolute(file);
  std::error_code unresolvable;  // a pipe behind /dev/stdout, say
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, unresolvable);
  return unresolvable ? path : canonical;
}

constexpr const char* kSeedOption = "seed";
/// Where it cannot be written, the result is written all the same.
constexpr const char* kCheckpoint = "--checkpoint";

/// Names that nobody knows are refused elsewhere.
bool offers(std::string_view method, std::string_view option) {
  for (const MethodInfo& info : methods())
    if (info.name == method)
      return std::any_of(info.options.begin(), info.options.end(),
                         [option](const OptionInfo& known) { return known.name == option; });
  return false;
}

bool same_demand(const Accuracy& a, const Accuracy& b) {
  return a.upper == b.upper && a.lower == b.lower && a.upper_relative == b.upper_relative &&
         a.lower_relative == b.lower_relative && a.tight == b.tight && a.absolute == b.absolute;
}

/// One of the two flags takes the place of what the file says, both ask for the larger of the two.
void set_accuracy(const std::string& flag, const std::string& text, const std::string& relative_text,
                  double& absolute, double& relative) {
  if (text.empty() && relative_text.empty()) return;
  absolute = text.empty() ? 0.0 : positive_number(flag, text);
  relative = relative_text.empty() ? 0.0 : positive_number(flag + "-relative", relative_text);
}

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point started_ = Clock::now();
};

class Solve : public Command {
 public:
  void attach(CommandLine& program) override;
  int run() override;
  bool shares_work() const override { return true; }

 private:
  void check_outputs() const;
  SolveOptions options_for(const data::Problem& data);
  void say_idle(const Problem& problem, const Accuracy& accuracy) const {
    if (const std::string note = build::Presolved(problem, accuracy).note(); !note.empty())
      say(fmt::format("note: {}\n", note));
  }
  void write_outputs(const Result& result, io::ResultContext context,
                     const std::optional<data::Standardization>& units, std::optional<io::TraceWriter>& trace,
                     report::Report& page) const;
  void say(const std::string& text) const {
    if (!quiet_) fmt::print("{}", text);
  }

  std::string problem_file_;
  std::string output_, solution_, trace_, report_;
  LimitFlags limit_flags_;
  CheckpointFlags checkpoint_flags_;
  std::string method_, engine_, refine_;
  bool tight_ = false;
  bool absolute_ = false;
  std::vector<std::string> settings_;
  std::string upper_accuracy_, lower_accuracy_, upper_relative_, lower_relative_;
  std::string threads_ = "1";
  std::string seed_;
  bool quiet_ = false;
};

void Solve::attach(CommandLine& program) {
  Arguments& command = program.add_command("solve", "solve a problem file and prove how good the answer is");
  command.text("PROBLEM.toml", problem_file_, "the problem file", "", Need::required);
  command.text("-o,--output", output_, "write the result, with its certificate and witness, as JSON", "FILE");
  command.text(
      "--solution", solution_,
      "write the point x: .npy, or .csv with one number per line, behind its name where columns have names",
      "FILE");
  command.text("--trace", trace_, "write one JSON line per iteration (thinned in long runs)", "FILE");
  command.text("--report", report_, "write a page with charts, table and certificate, for a browser", "FILE.html");
  command.text("--method", method_, "method to use ('fcbio methods' lists them; default fcbio)", "NAME");
  command.text("--engine", engine_,
               "what the default method runs inside ('fcbio methods fcbio' lists them; default auto)", "NAME");
  command.text("--refine", refine_,
               "go on after the certificate, towards the solution itself, for at most this many times its work "
               "(default 1; 0: not at all; inf: to the end)",
               "FACTOR");
  command.texts("--set", settings_, "an option of the method; may be repeated", "KEY=VALUE");
  command.text("--eps-f", upper_accuracy_, "accuracy asked for in f: f(x) - f* <= this", "NUMBER");
  command.text("--eps-g", lower_accuracy_, "accuracy asked for in g: g(x) - g* <= this", "NUMBER");
  command.text("--eps-f-relative", upper_relative_, "the same in units of f: of the larger of |f(x)| and |f*|",
               "NUMBER");
  command.text("--eps-g-relative", lower_relative_, "the same in units of g", "NUMBER");
  command.flag("--tight", tight_, "go on until f is nearly the lowest that the slack in g can buy");
  command.flag("--absolute", absolute_,
               "also prove that f(x) is not far below f*; needs an error bound of g: `holder` of the problem "
               "file, or computed for least squares");
  limit_flags_.attach(command);
  checkpoint_flags_.attach(command);
  command.text("--threads", threads_, "threads to use (default 1); the answer is the same to the bit", "N");
  command.text("--seed", seed_,
               "of methods that draw random numbers (fcbio-vr; default 0); recorded in the result", "N");
  command.flag("--quiet", quiet_, "print nothing but errors");
  command.footer(kSolveHelpEnd);
}

void Solve::check_outputs() const {
  const std::vector<std::pair<std::string, std::string>> outputs = {{"--output", output_},
                                                                    {"--solution", solution_},
                                                                    {"--trace", trace_},
                                                                    {"--report", report_},
                                                                    {kCheckpoint, checkpoint_flags_.file()}};
  std::vector<std::pair<std::string, std::filesystem::path>> seen = {
      {"the problem file", resolved(problem_file_)}};
  checkpoint_flags_.check();
  if (!report_.empty()) check_report_file(report_);
  for (const auto& [flag, file] : outputs) {
    if (file.empty()) continue;
    if (flag != kCheckpoint) check_writable(flag, file);
    if (flag == "--solution" && !file.ends_with(".npy") && !file.ends_with(".csv"))
      throw InvalidArgument(fmt::format("--solution: expected a name ending in .npy or .csv, found '{}'", file));
    const std::filesystem::path path = resolved(file);
    for (const auto& [other, taken] : seen)
      if (path == taken && !std::filesystem::is_character_file(path))
        throw InvalidArgument(fmt::format("{}: '{}' is also {}; give another name", flag, file, other));
    seen.emplace_back(flag, path);
  }
}

/// The command line over the problem file.  Options of the file belong to the file's method: with another --method
/// they are left out, and that is told.
SolveOptions Solve::options_for(const data::Problem& data) {
  SolveOptions options;
  if (!data.method.empty()) options.method = data.method;
  const std::string file_method = options.method;
  if (!method_.empty()) options.method = method_;
  if (options.method == file_method)
    options.values = data.options;
  else if (!data.options.empty())
    say(fmt::format("note: the [method] options of the file are for '{}' and are not used with --method {}\n",
                    file_method, options.method));
  for (const auto& [key, value] : settings(settings_)) options.values[key] = value;
  if (!engine_.empty() && options.method != "fcbio")
    throw InvalidArgument(
        fmt::format("--engine: only the method 'fcbio' has engines, found method '{}'; leave one of them out",
                    options.method));
  if (!engine_.empty()) options.values["engine"] = engine_;
  if (!refine_.empty() && !offers(options.method, "refine"))
    throw InvalidArgument(fmt::format(
        "--refine: only the method 'fcbio' goes on after the certificate, found method '{}'; leave one of them out",
        options.method));
  if (!refine_.empty()) options.values["refine"] = refine_;
  if (!seed_.empty() && offers(options.method, kSeedOption))
    options.values[kSeedOption] = fmt::format("{}", seed_number(seed_));
  options.accuracy = data.accuracy;
  if (tight_) options.accuracy.tight = true;
  if (absolute_) options.accuracy.absolute = true;
  set_accuracy("--eps-f", upper_accuracy_, upper_relative_, options.accuracy.upper,
               options.accuracy.upper_relative);
  set_accuracy("--eps-g", lower_accuracy_, lower_relative_, options.accuracy.lower,
               options.accuracy.lower_relative);
  options.limits = limit_flags_.limits(data.limits);
  return options;
}

int Solve::run() {
  const int threads = thread_number(threads_);
  if (!seed_.empty()) seed_number(seed_);
  options_for(data::Problem{});  // mistakes of the command line are told before a large file is read
  if (!method_.empty()) find_method(method_);
  // The first rank speaks and writes, all of them compute.
  parallel::Communicator& ranks = parallel::world();
  const bool first = ranks.rank() == 0;
  quiet_ = quiet_ || !first;
  parallel::together(ranks, [&] {
    if (first) check_outputs();
  });
  const ThreadScope scope(threads);

  const Stopwatch reading;
  ReadLine read_line(quiet_);
  data::Problem data = io::read_problem(problem_file_, read_line.progress(), ranks);
  read_line.clear();
  const std::string fingerprint = data::fingerprint(data, ranks);
  const double read_seconds = reading.seconds();
  for (const std::string& note : data.notes) say(fmt::format("note: {}\n", note));
  SolveOptions options = options_for(data);
  const std::shared_ptr<EarlierAnswer> start = checkpoint_flags_.start(fingerprint, ranks);

  report::Report page;
  AnswerWords answer;
  if (!report_.empty()) {
    answer = AnswerWords(data);
    page.kind = "solve";
    page.title = std::filesystem::path(problem_file_).filename().string();
    page.problem = problem_details(data, fingerprint);
  }

  const std::vector<std::string> names = data.names;
  const std::optional<data::Standardization> units = data.units;
  const PerLevel<bool> maximized = data.maximized;
  const bool accuracy_changed = !same_demand(options.accuracy, data.accuracy);
  // Building makes transposes: that is part of solving, in the time reported and in the time limit.
  const Stopwatch building;
  std::optional<Problem> built;
  parallel::together(ranks, [&] {
    built = build::make_problem(std::move(data), ranks);  // moved: the matrices are held once
  });
  const Problem& problem = *built;
  if (start) build::keep_own_witness(problem, start->witness);
  options.start = start;
  say_idle(problem, options.accuracy);

  const InterruptGuard interrupt;
  const parallel::SharedDecisions decisions(ranks);
  Monitor monitor(options.limits, interrupt.flag());
  monitor.charge_before(building.seconds());
  checkpoint_flags_.begin(fingerprint, options, monitor, ranks);
  ProgressLine line(options.accuracy);
  if (!quiet_) monitor.add_observer(line);
  std::optional<io::TraceWriter> trace;
  parallel::together(ranks, [&] {
    if (trace_.empty() || !first) return;
    // One rank cannot evaluate a function by itself.
    monitor.add_observer(trace.emplace(trace_, 0, ranks.ranks() == 1 ? &problem : nullptr));
  });
  report::Recorder recorder;
  if (!report_.empty()) monitor.add_observer(recorder);
  Result result = solve(problem, options, monitor);
  if (!report_.empty()) {
    page.runs.push_back(report_run(result.method, problem, result, recorder));
    answer.describe(problem, result.x, page);
  }
  build::complete_witness(problem, result);
  line.clear();

  say(summary(result, read_seconds) + maximum_in_words(result, maximized) + "\n" + certificate_in_words(result));
  const auto own_seed = options.values.find(kSeedOption);
  const std::string seed = own_seed != options.values.end() ? own_seed->second : seed_;
  io::ResultContext context{fingerprint,      seed.empty() ? 0 : seed_number(seed),
                            read_seconds,     {},
                            accuracy_changed, names,
                            maximized,        ranks.ranks(),
                            threads};
  parallel::together(ranks, [&] {
    if (first) write_outputs(result, std::move(context), units, trace, page);
  });
  say(checkpoint_flags_.end(monitor));
  return exit_code(result);
}

void Solve::write_outputs(const Result& result, io::ResultContext context,
                          const std::optional<data::Standardization>& units, std::optional<io::TraceWriter>& trace,
                          report::Report& page) const {
  if (!solution_.empty()) {
    io::write_solution(solution_, result.x,
                       {context.names, units ? data::in_original_units(*units, result.x) : Vector()});
    context.solution = solution_;
    say(fmt::format("wrote {}\n", solution_));
  }
  if (!output_.empty()) {
    io::write_result(result, context, output_);
    say(fmt::format("wrote {}\n", output_));
  }
  if (trace) {
    trace->finish();
    say(fmt::format("wrote {}\n", trace_));
  }
  if (!report_.empty()) {
    page.accuracy = result.accuracy;
    page.certificate = certificate_in_words(result);
    report::write_html(page, report_);
    say(fmt::format("wrote {}\n", report_));
  }
}

}  // namespace

std::unique_ptr<Command> solve_command() { return std::make_unique<Solve>(); }

}  // namespace fcbio::cli
