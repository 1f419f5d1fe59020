// bench_regret: what the automatic choice of an engine costs.  See kDescription, and bench/regret.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>

#include "arguments/command_line.hpp"
#include "build/problem.hpp"
#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "fcbio/threads.hpp"
#include "regret_problems.hpp"

namespace {

using namespace fcbio;
using namespace fcbio::bench;

constexpr const char* kDescription =
    "Runs the default method with its own choice of an engine, and with every engine that fits, on one thread, and prints\n"
    "what the choice costs: regret = work of the default / least work of an engine that certifies, in CPU seconds of the\n"
    "solve and in passes.  Short solves are repeated and the shortest time counts.  Engines are cut off at --cap times the\n"
    "time of the default, since slower ones do not matter.  All are asked for the same: the certificate; what --refine\n"
    "adds after it is a share of the work before, and not every engine has it.";
constexpr const char* kExamples =
    "Examples:\n"
    "  bench/regret                             the catalogue at 1e-3, 1e-6 and 1e-9, and the rows of bench/run\n"
    "  bench/regret --data DIR                  the same, and 30 problems on the files of DIR\n"
    "  bench/regret --groups catalogue --problems foxgood,baart\n"
    "Exit codes: 0 regret at most 1.5 on every problem that takes 2 ms or more and 1.15 in the mean; 1 more; 2 bad usage.";

constexpr double kMostRegret = 1.5, kMostMean = 1.15;
constexpr double kShortest = 2e-3;  // seconds: what takes less is not judged one by one
constexpr int kMostRepeats = 9;
constexpr double kRepeatSeconds = 0.06;

struct Wishes {
  std::vector<std::string> problems, groups, engines;
  std::string data_folder;
  double most_seconds = 10.0;
  double cap = 1.5;
  double refine = 0.0;
  bool every = false;
};

double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Measured {
  std::string name;  // what ran
  bool fits = false, certified = false;
  double seconds = kInfinity;  // CPU
  double wall = 0.0;
  std::int64_t passes = 0;
};

Measured measure(const data::Problem& data, const Accuracy& accuracy, EngineKind engine, double refine,
                 double most_seconds) {
  Measured measured;
  measured.name = to_string(engine);
  double spent = 0.0;
  for (int repeat = 0; repeat < kMostRepeats && spent < kRepeatSeconds; ++repeat) {
    try {
      const Problem problem = build::make_problem(data);
      SolveOptions options;
      options.accuracy = accuracy;
      options.limits.seconds = most_seconds;
      options.certified.engine = engine;
      options.certified.refine = refine;
      const double before = cpu_seconds();
      const Result result = solve(problem, options);
      const double taken = cpu_seconds() - before;
      measured.fits = true;
      measured.certified = result.status == Status::certified;
      measured.passes = result.work.passes();
      measured.seconds = std::min(measured.seconds, taken);
      measured.wall = std::max(measured.wall, result.solve_seconds);
      if (engine == EngineKind::automatic) measured.name = result.engine;
      spent += taken;
    } catch (const InvalidArgument&) {
      return measured;  // does not fit
    }
    if (!measured.certified) break;
  }
  return measured;
}

std::vector<EngineKind> all_engines() {
  std::vector<EngineKind> engines;
  for (int i = 1; to_string(static_cast<EngineKind>(i)) != "unknown"; ++i)
    engines.push_back(static_cast<EngineKind>(i));
  return engines;
}

class Regrets {
 public:
  explicit Regrets(Wishes wishes) : wishes_(std::move(wishes)) { context_.data_folder = wishes_.data_folder; }

  int run() {
    const ThreadScope scope(1);
    fmt::print("{:<10} {:<42} {:>8} {:<28} {:>9} {:>10} {:<15} {:>9} {:>10} {:>7} {:>7}\n", "group", "problem",
               "accuracy", "default ran", "passes", "ms", "best engine", "passes", "ms", "passes", "time");
    for (const RegretProblem& problem : regret_problems()) {
      if (!asked(wishes_.groups, problem.group) || !asked(wishes_.problems, problem.name)) continue;
      if (!problem.file.empty() &&
          (context_.data_folder.empty() || !std::filesystem::exists(context_.data_folder / problem.file)))
        continue;
      const AskedProblem made = problem.make(context_);
      for (const Accuracy& accuracy : made.accuracies) compare(problem, made.data, accuracy);
    }
    return summary();
  }

 private:
  static bool asked(const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  }

  void compare(const RegretProblem& problem, const data::Problem& data, const Accuracy& accuracy) {
    Measured own = measure(data, accuracy, EngineKind::automatic, wishes_.refine, wishes_.most_seconds);
    const double most = std::min(wishes_.most_seconds, std::max(0.02, wishes_.cap * own.wall));
    Measured best = own;
    std::int64_t least_passes = own.passes;
    for (const EngineKind engine : all_engines()) {
      if (!asked(wishes_.engines, std::string(to_string(engine)))) continue;
      const Measured other = measure(data, accuracy, engine, wishes_.refine, own.certified ? most : wishes_.most_seconds);
      if (wishes_.every && other.fits) print_engine(other);
      if (!other.certified) continue;
      if (!best.certified || other.seconds < best.seconds) best = other;
      if (!own.certified || other.passes < least_passes) least_passes = other.passes;
    }
    if (own.certified && best.name != own.name) {  // again, as the machine is now: the choice itself counts
      const Measured again = measure(data, accuracy, EngineKind::automatic, wishes_.refine, wishes_.most_seconds);
      own.seconds = std::min(own.seconds, again.seconds);
    }
    if (own.certified && best.seconds >= own.seconds) best = own;
    const std::string best_name = best.name == own.name ? "-" : best.name;
    const std::string label = accuracy.upper == accuracy.lower
                                  ? fmt::format("{:g}", accuracy.upper)
                                  : fmt::format("{:g},{:g}", accuracy.upper, accuracy.lower);
    std::string in_passes = "-", in_time = "-";
    if (own.certified) {
      const double regret = own.seconds / best.seconds;
      in_time = fmt::format("{:.2f}", regret);
      in_passes = fmt::format("{:.2f}", static_cast<double>(own.passes) /
                                            static_cast<double>(std::max<std::int64_t>(1, least_passes)));
      logs_ += std::log(regret);
      ++count_;
      if (own.seconds >= kShortest) {
        long_logs_ += std::log(regret);
        ++long_count_;
        if (regret > worst_) {
          worst_ = regret;
          worst_name_ = fmt::format("{} at {}", problem.name, label);
        }
        over_ += regret > kMostRegret ? 1 : 0;
      }
    } else if (best.certified) {
      in_time = "FAILED";
      ++failed_;
    } else {
      ++open_;
    }
    fmt::print("{:<10} {:<42} {:>8} {:<28} {:>9} {:>10.3f} {:<15} {:>9} {:>10.3f} {:>7} {:>7}\n", problem.group,
               problem.name, label, own.certified ? own.name : own.name + " (no)", own.passes, 1e3 * own.seconds,
               best.certified ? best_name : "none", best.passes, 1e3 * best.seconds, in_passes, in_time);
    std::fflush(stdout);
  }

  static void print_engine(const Measured& engine) {
    fmt::print("{:>62} {:<28} {:>9} {:>10.3f}\n", "", engine.name + (engine.certified ? "" : " (no)"), engine.passes,
               1e3 * (engine.certified ? engine.seconds : engine.wall));
  }

  int summary() const {
    const double mean = count_ > 0 ? std::exp(logs_ / count_) : 1.0;
    const double long_mean = long_count_ > 0 ? std::exp(long_logs_ / long_count_) : 1.0;
    fmt::print("{} certified: geometric mean {:.3f} in time\n", count_, mean);
    fmt::print("{} of them take 2 ms or more: mean {:.3f}, worst {:.2f} ({}), {} above {}\n", long_count_,
               long_mean, worst_, worst_name_, over_, kMostRegret);
    fmt::print("{} certified by another engine only, {} by none within the limits\n", failed_, open_);
    return over_ > 0 || failed_ > 0 || mean > kMostMean || long_mean > kMostMean ? 1 : 0;
  }

  Wishes wishes_;
  BenchContext context_;
  double logs_ = 0.0, long_logs_ = 0.0, worst_ = 1.0;
  std::string worst_name_ = "none";
  int count_ = 0, long_count_ = 0, over_ = 0, failed_ = 0, open_ = 0;
};

}  // namespace

int main(int count, char** values) {
  // Memory of one solve serves the next: which engine comes first is not to decide who pays for new pages.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  Wishes wishes;
  arguments::CommandLine line("bench/regret", kDescription, kExamples);
  arguments::Arguments& options = line.arguments();
  options.list("--problems", wishes.problems, "which problems (default: all)", "NAMES");
  options.list("--groups", wishes.groups, "of catalogue, bench and data (default: all)", "NAMES");
  options.list("--engines", wishes.engines, "beside the default (default: all)", "NAMES");
  options.text("--data", wishes.data_folder, "folder of real data; problems without their file are left out",
               "DIR");
  options.number("--limit", wishes.most_seconds, "most seconds of a solve");
  options.number("--cap", wishes.cap, "most seconds of an engine, in those of the default");
  options.number("--refine", wishes.refine, "go on after the certificate for so many times its work (default: 0)");
  options.flag("--every", wishes.every, "also a line for every engine that fits, above that of the default");
  try {
    if (!line.parse(count, values)) return 0;
    return Regrets(std::move(wishes)).run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench/regret: {}\n", error.what());
    return 2;
  }
}
