// bench_suite: the whole comparison in one table.  See kDescription, and bench/run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "arguments/command_line.hpp"
#include "core/nearest_name.hpp"
#include "fcbio/error.hpp"
#include "fcbio/threads.hpp"
#include "io/atomic_file.hpp"
#include "suite_table.hpp"

namespace {

using namespace fcbio;
using namespace fcbio::bench;

constexpr const char* kDescription =
    "Solves the problems of the suite with the published method and with ours, in one run, and prints one table.\n"
    "  x passes, x time   the published method's count over this one's; '>' where the published one was cut off\n"
    "  f-f* <=, g-g* <=   what the result claims; true f, true g: against the reference, where one exists\n"
    "  bar                what the default method must reach: MET, MISSED, or OPEN (the other side was cut off)";
constexpr const char* kExamples =
    "Examples:\n"
    "  bench/run                                              everything, about a quarter of an hour\n"
    "  bench/run --quick --methods fcbio                      the first accuracy, our default only\n"
    "  bench/run --problems rcv1,a1a --data DIR -o bench.json\n"
    "  bench/run --problems pair-box --engines accelerated,quasi-newton --verify\n"
    "Exit codes: 0 all bars that were judged are met; 1 a bar was missed; 2 bad usage.";
constexpr const char* kPaper = "paper";

struct Wishes {
  std::vector<std::string> problems, methods{kPaper, "fcbio"}, engines;
  std::string data_folder;
  std::string output;
  bool quick = false;
  bool list = false;
  int threads = 1;
  RunSettings settings;
};

void attach(arguments::Arguments& line, Wishes& wishes) {
  line.list("--problems", wishes.problems, "which problems (default: all)", "NAMES");
  line.list("--methods", wishes.methods, "which methods; 'paper' is the published one with its settings", "NAMES");
  line.list("--engines", wishes.engines, "also run the default method with each of these engines", "NAMES");
  line.text("--data", wishes.data_folder, "folder of real data; problems without their file are skipped", "DIR");
  line.text("-o,--output", wishes.output, "write everything as JSON", "FILE");
  line.number("--threads", wishes.threads, "worker threads");
  line.number("--baseline-limit", wishes.settings.paper_seconds,
              "most seconds of the published method per problem and accuracy");
  line.number("--limit", wishes.settings.most_seconds, "most seconds of the others");
  line.flag("--verify", wishes.settings.verify, "check every answer with the independent checker");
  line.flag("--quick", wishes.quick, "only the first accuracy of each problem, baseline cut at 10 s");
  line.flag("--list", wishes.list, "list the problems and stop");
}

void check_names(const std::vector<std::string>& asked, const std::vector<ProblemEntry>& entries) {
  std::vector<std::string> known;
  for (const ProblemEntry& entry : entries) known.push_back(entry.name);
  for (const std::string& name : asked) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InvalidArgument(
        fmt::format("unknown problem '{}'{}; known: {}", name, did_you_mean(name, known), fmt::join(known, ", ")));
  }
}

class Suite {
 public:
  explicit Suite(Wishes wishes) : wishes_(std::move(wishes)) {
    if (wishes_.quick) wishes_.settings.paper_seconds = std::min(10.0, wishes_.settings.paper_seconds);
    context_.data_folder = wishes_.data_folder;
  }

  int run() {
    const std::vector<ProblemEntry> entries = problem_entries();
    check_names(wishes_.problems, entries);
    for (const std::string& method : wishes_.methods)
      if (method != kPaper) find_method(method);
    const ThreadScope scope(wishes_.threads);
    fmt::print("{}", table_head());
    for (const ProblemEntry& entry : entries)
      if (wishes_.problems.empty() ||
          std::find(wishes_.problems.begin(), wishes_.problems.end(), entry.name) != wishes_.problems.end())
        run_problem(entry);
    print_summary();
    if (!wishes_.output.empty())
      io::write_file_atomically(wishes_.output, to_json(problems_, records_, skipped_, wishes_.threads));
    return missed_ > 0 ? 1 : 0;
  }

 private:
  void run_problem(const ProblemEntry& entry) {
    if (!entry.file.empty()) {
      const auto file = context_.data_folder / entry.file;
      if (context_.data_folder.empty() || !std::filesystem::exists(file)) {
        skip(entry.name, fmt::format("needs the data file {}; give its folder with --data", entry.file));
        return;
      }
    }
    BenchProblem problem;
    try {
      problem = entry.make(context_);
    } catch (const std::exception& error) {
      skip(entry.name, error.what());
      return;
    }
    problems_.emplace_back(problem.name, problem.summary);
    std::string reference;
    if (problem.reference)
      reference = fmt::format("; reference f* = {:.9g}, g* = {:.3g} (+- {:.1g}, {})", problem.reference->upper,
                              problem.reference->lower, problem.reference->error, problem.reference->source);
    fmt::print("# {}: {}{}\n", problem.name, problem.summary, reference);
    for (const AccuracyCase& one : problem.cases) {
      run_case(problem, one);
      if (wishes_.quick) break;
    }
  }

  void run_case(const BenchProblem& problem, const AccuracyCase& one) {
    std::optional<RunRecord> paper;
    for (const std::string& method : wishes_.methods) {
      if (method == kPaper || method == problem.paper_method) {
        if (paper || problem.paper_method.empty()) continue;
        paper = run_paper(problem, one, wishes_.settings);
        judge(*paper, problem, one, nullptr);
        report(*paper);
      }
    }
    for (const std::string& method : wishes_.methods) {
      if (method == kPaper || method == problem.paper_method) continue;
      run_ours(problem, one, method, {}, paper);
      if (method != "fcbio") continue;
      for (const std::string& engine : wishes_.engines)
        run_ours(problem, one, method, {{"engine", engine}}, paper);
    }
  }

  void run_ours(const BenchProblem& problem, const AccuracyCase& one, const std::string& method,
                const OptionValues& values, const std::optional<RunRecord>& paper) {
    RunRecord record = run_method(problem, one, method, values, wishes_.settings);
    judge(record, problem, one, paper ? &*paper : nullptr);
    // Bars are for the default choice of engine; a chosen engine is there to compare.
    if (!values.empty()) {
      record.bar.clear();
      record.met.reset();
    }
    report(record);
  }

  void report(const RunRecord& record) {
    fmt::print("{}", table_line(record));
    std::fflush(stdout);
    records_.push_back(record);
    if (!record.met) return;
    ++(*record.met ? met_ : missed_);
  }

  void skip(const std::string& name, const std::string& reason) {
    skipped_.push_back({name, reason});
    fmt::print("{}", skipped_line(name, reason));
  }

  void print_summary() const {
    fmt::print("bars met {}, missed {}; problems skipped {}\n", met_, missed_, skipped_.size());
  }

  Wishes wishes_;
  BenchContext context_;
  std::vector<std::pair<std::string, std::string>> problems_;
  std::vector<RunRecord> records_;
  std::vector<Skipped> skipped_;
  int met_ = 0, missed_ = 0;
};

int list_problems() {
  for (const ProblemEntry& entry : problem_entries())
    fmt::print("{:<22} {}\n", entry.name, entry.file.empty() ? "made in memory" : "needs " + entry.file);
  return 0;
}

}  // namespace

int main(int count, char** values) {
  Wishes wishes;
  arguments::CommandLine line("bench/run", kDescription, kExamples);
  attach(line.arguments(), wishes);
  try {
    if (!line.parse(count, values)) return 0;
    return wishes.list ? list_problems() : Suite(std::move(wishes)).run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench/run: {}\n", error.what());
    return 2;
  }
}
