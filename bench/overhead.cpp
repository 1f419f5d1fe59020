// bench_overhead: where the time of a solve goes.  The RCV1 problem of the suite with maps and losses that time
// themselves; what is left is the solver's own work.
//
// With one thread the clock is the processor time of that thread, so that other programs on the machine take no
// part; with more it is the time that passes.
//
// Bars: accelerated engines spend at most 15 % of the time outside products and losses; quasi-Newton at most as
// long as the products themselves.
#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "arguments/command_line.hpp"
#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "fcbio/threads.hpp"
#include "functions/rounded_loss.hpp"
#include "suite_problems.hpp"

namespace {

using namespace fcbio;
using namespace fcbio::bench;

bool one_thread = true;

/// Seconds since some moment.
double now() {
  if (!one_thread)
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Adds the time until its end to `total`.
class Lap {
 public:
  explicit Lap(double& total) : total_(total), start_(now()) {}
  ~Lap() { total_ += now() - start_; }
  Lap(const Lap&) = delete;
  Lap& operator=(const Lap&) = delete;

 private:
  double& total_;
  double start_;
};

struct Times {
  double products = 0.0, losses = 0.0;
};

class TimedMap final : public LinearMap {
 public:
  TimedMap(LinearMapPtr map, Times& times) : map_(std::move(map)), times_(times) {}
  Index rows() const override { return map_->rows(); }
  Index cols() const override { return map_->cols(); }
  void apply(VectorIn x, VectorOut image) const override {
    const Lap lap(times_.products);
    map_->apply(x, image);
  }
  void add_transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    const Lap lap(times_.products);
    map_->add_transpose(weight, dual, gradient);
  }
  void transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    const Lap lap(times_.products);
    map_->transpose(weight, dual, gradient);
  }
  NormBound norm_bound() const override {
    const Lap lap(times_.products);
    return map_->norm_bound();
  }
  double frobenius_bound() const override { return map_->frobenius_bound(); }
  Index longest_sum() const override { return map_->longest_sum(); }
  Index numbers() const override { return map_->numbers(); }
  // So that idle variables are left out as `fcbio solve` does.
  void mark_used(std::vector<bool>& used) const override { map_->mark_used(used); }
  LinearMapPtr restricted(const std::vector<Index>& used) const override {
    LinearMapPtr map = map_->restricted(used);
    return map != nullptr ? std::make_shared<const TimedMap>(std::move(map), times_) : nullptr;
  }
  bool copy_rows(RowMajorMatrix* out) const override {
    const Lap lap(times_.products);
    return map_->copy_rows(out);
  }

 private:
  LinearMapPtr map_;
  Times& times_;
};

class TimedLoss final : public functions::RoundedLoss {
 public:
  TimedLoss(LossPtr loss, Times& times) : loss_(std::move(loss)), times_(times) {}
  std::string_view name() const override { return loss_->name(); }
  Index size() const override { return loss_->size(); }
  double value(VectorIn u) const override {
    const Lap lap(times_.losses);
    return loss_->value(u);
  }
  void derivative(VectorIn u, VectorOut r) const override {
    const Lap lap(times_.losses);
    loss_->derivative(u, r);
  }
  bool curvature(VectorIn u, VectorOut w) const override {
    const Lap lap(times_.losses);
    return loss_->curvature(u, w);
  }
  bool hessian_product(VectorIn u, VectorIn v, VectorOut out) const override {
    const Lap lap(times_.losses);
    return loss_->hessian_product(u, v, out);
  }
  void make_dual_feasible(VectorOut r) const override {
    const Lap lap(times_.losses);
    loss_->make_dual_feasible(r);
  }
  double conjugate(VectorIn r) const override {
    const Lap lap(times_.losses);
    return loss_->conjugate(r);
  }
  std::optional<double> smoothness() const override { return loss_->smoothness(); }
  std::optional<double> lipschitz(VectorIn centre, double radius) const override {
    return loss_->lipschitz(centre, radius);
  }
  double lower_bound() const override { return loss_->lower_bound(); }
  double value_rounding(VectorIn u) const override { return functions::value_rounding(*loss_, u); }
  double conjugate_rounding(VectorIn r) const override { return functions::conjugate_rounding(*loss_, r); }
  double dual_rounding() const override { return functions::dual_rounding(*loss_); }

 private:
  LossPtr loss_;
  Times& times_;
};

Function timed_mean_logistic(const data::Term& term, Times& times) {
  const auto& logistic = std::get<data::Logistic>(term.kind);
  auto map = std::make_shared<TimedMap>(sparse_map(std::get<CsrMatrix>(logistic.data.matrix)), times);
  auto loss = std::make_shared<TimedLoss>(logistic_loss(logistic.target), times);
  return Function(loss_term(std::move(map), std::move(loss)), 1.0 / static_cast<double>(logistic.data.rows()));
}

void report(const BenchProblem& rcv1, const Accuracy& accuracy, const std::string& method,
            const std::string& engine, double seconds) {
  Times times;
  const Problem problem(
      timed_mean_logistic(rcv1.data.upper.front(), times), timed_mean_logistic(rcv1.data.lower.front(), times),
      ball(Vector::Zero(rcv1.data.dimension), std::get<data::Ball>(rcv1.data.domain.kind).radius));
  SolveOptions options{.method = method, .accuracy = accuracy};
  if (method == rcv1.paper_method) options.values = rcv1.paper_options;
  if (!engine.empty()) options.values["engine"] = engine;
  options.limits.seconds = seconds;
  Result result;
  double solve_seconds = 0.0;
  try {
    const Lap lap(solve_seconds);
    result = solve(problem, options);
  } catch (const InvalidArgument& refusal) {
    fmt::print("{:<28} refused: {}\n", method + " " + engine, refusal.what());
    return;
  }
  std::string used = engine;
  for (const auto& [name, value] : result.options)
    if (name == "engine") used = value;
  const double rest = std::max(0.0, solve_seconds - times.products - times.losses);
  fmt::print("{:<28} {:>8g} {:>8} {:>9.4f} {:>8.1f}% {:>8.1f}% {:>8.1f}% {:>12.2f}  {}\n", method + " " + used,
             accuracy.upper, result.work.passes(), solve_seconds, 100.0 * times.products / solve_seconds,
             100.0 * times.losses / solve_seconds, 100.0 * rest / solve_seconds, rest / times.products,
             to_string(result.status));
}

}  // namespace

int main(int count, char** values) {
  BenchContext context;
  std::string folder;
  std::vector<std::string> methods{"fcbio-sm", "fcbio"}, engines;
  double seconds = 20.0;
  int threads = 1;
  arguments::CommandLine line("bench_overhead", "Share of the solve time outside products and losses, on RCV1.",
                              "");
  line.arguments().text("--data", folder, "folder with rcv1sub_binary.svm.xz", "DIR", arguments::Need::required);
  line.arguments().list("--methods", methods, "methods", "NAMES");
  line.arguments().list("--engines", engines, "engines of the default method", "NAMES");
  line.arguments().number("--limit", seconds, "most seconds of a solve");
  line.arguments().number("--threads", threads, "worker threads");
  try {
    if (!line.parse(count, values)) return 0;
    context.data_folder = folder;
    const ThreadScope scope(threads);
    one_thread = threads == 1;
    const BenchProblem rcv1 = logistic_problems().front().make(context);
    fmt::print("{}\n{:<28} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>12}  {}\n", rcv1.summary, "method, engine",
               "accuracy", "passes", "seconds", "products", "losses", "the rest", "rest/products", "status");
    for (const AccuracyCase& one : rcv1.cases) {
      for (const std::string& method : methods) {
        report(rcv1, one.accuracy, method, "", seconds);
        if (method != "fcbio") continue;
        for (const std::string& engine : engines) report(rcv1, one.accuracy, method, engine, seconds);
      }
    }
    fmt::print(
        "bars: the rest at most 15 % for accelerated engines; at most 1.0 of the products for quasi-newton\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_overhead: {}\n", error.what());
    return 2;
  }
  return 0;
}
