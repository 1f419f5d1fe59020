#include "experiments/hard.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/json.hpp"
#include "fcbio/error.hpp"
#include "fcbio/version.hpp"
#include "report/thinning.hpp"

namespace fcbio::experiments {
namespace {

constexpr std::int64_t kIterationsPerQuery = 20;  // a method that asks g' less often than that is stopped

/// Values at the points a method shows, while the watch is open; and the user's interrupt.
class ShownPoints : public Observer {
 public:
  ShownPoints(const theory::HardInstance& instance, const std::atomic<bool>* interrupt, HardAttempt& attempt)
      : instance_(instance), interrupt_(interrupt), attempt_(attempt), half_(instance.problem.dimension() / 2) {
    sample({}, instance.problem.start(), 0.0);
  }

  /// The method's own queries: before a certificate is given out, functions of the caller are probed at points
  /// that no method asked for.
  bool on_progress(const Progress& progress) override {
    attempt_.violation = instance_.watch->violation();
    upper_change_ = instance_.watch->largest_upper_change();
    if (!instance_.watch->closed() && progress.x != nullptr) {
      shown(*progress.x);
      if (report::is_sampled(progress.work->iterations)) sample(*progress.work, *progress.x, progress.seconds);
    }
    return interrupt_ == nullptr || !interrupt_->load();
  }

  double upper_change() const { return upper_change_; }

  void shown(const Vector& x) {
    if (!instance_.watch->closed())
      attempt_.largest_upper_change = std::max(attempt_.largest_upper_change, upper_value(x));
  }

 private:
  // Computed here, not through the watched functions: looking at a point is not a query.
  double upper_value(const Vector& x) const {
    return 0.5 * (x.tail(half_) - instance_.problem.start().tail(half_)).squaredNorm();
  }
  void sample(const Work& work, const Vector& x, double seconds) {
    attempt_.run.samples.push_back(
        {work, seconds, upper_value(x), instance_.lower_value(x), kUnknown, kUnknown, kUnknown, kUnknown});
  }

  const theory::HardInstance& instance_;
  const std::atomic<bool>* interrupt_;
  HardAttempt& attempt_;
  Index half_;
  double upper_change_ = 0.0;
};

HardAttempt attempt_one(theory::Family family, std::int64_t queries, const Contestant& contestant,
                        const HardOptions& options) {
  const theory::HardInstance instance = theory::hard_instance(family, queries);
  if (const std::string why = why_not(instance.problem, contestant); !why.empty()) throw InvalidArgument(why);
  HardAttempt attempt;
  attempt.contestant = contestant;
  attempt.declared_zero_respecting = find_method(contestant.method).zero_respecting;
  attempt.run.name = contestant.label;
  ShownPoints points(instance, options.interrupt, attempt);
  const std::int64_t most = kIterationsPerQuery * queries + 100;
  Monitor monitor(Limits{.iterations = most}, instance.watch->stop());
  monitor.add_observer(points);
  const Accuracy accuracy =
      options.accuracy.value_or(Accuracy{1e-3, std::min(1e-3, 0.5 * instance.lower_gap_left)});
  attempt.run.result = solve(
      instance.problem,
      {.method = contestant.method, .values = with_iterations(contestant, most), .accuracy = accuracy}, monitor);
  points.shown(attempt.run.result.x);
  const bool by_user = options.interrupt != nullptr && options.interrupt->load();
  if (attempt.run.result.status == Status::interrupted && !by_user) {
    attempt.run.result.status = Status::work_limit;
    attempt.run.result.message = "stopped after " + std::to_string(queries) + " gradients of g";
  }
  attempt.lower_gradients = instance.watch->gradients(Level::lower);
  attempt.largest_upper_change = std::max(attempt.largest_upper_change, points.upper_change());
  return attempt;
}

}  // namespace

HardExperiment run_hard(theory::Family family, std::int64_t queries, const std::vector<Contestant>& contestants,
                        const HardOptions& options) {
  const theory::HardInstance instance = theory::hard_instance(family, queries);
  HardExperiment experiment;
  experiment.family = family;
  experiment.queries = queries;
  experiment.upper_optimum = instance.upper_optimum;
  experiment.lower_optimum = instance.lower_optimum;
  experiment.guaranteed_distance = instance.guaranteed_distance;
  const auto interrupted = [&] { return options.interrupt != nullptr && options.interrupt->load(); };
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    if (interrupted()) break;
    if (options.announce) options.announce(contestants[i], i + 1, contestants.size());
    try {
      experiment.attempts.push_back(attempt_one(family, queries, contestants[i], options));
    } catch (const InvalidArgument& error) {
      experiment.left_out.push_back({contestants[i].label, error.what()});
    }
  }
  experiment.interrupted = interrupted();
  return experiment;
}

std::string to_json(const HardExperiment& experiment) {
  Json json = {{"schema", 1},
               {"version", FCBIO_VERSION},
               {"family", experiment.family == theory::Family::smooth ? "smooth" : "lipschitz"},
               {"queries", experiment.queries},
               {"upper_optimum", experiment.upper_optimum},
               {"lower_optimum", experiment.lower_optimum},
               {"guaranteed_distance", experiment.guaranteed_distance},
               {"interrupted", experiment.interrupted},
               {"runs", Json::array()}};
  for (const HardAttempt& attempt : experiment.attempts) {
    Json violation = nullptr;
    if (attempt.violation)
      violation = {{"query", attempt.violation->query}, {"coordinate", attempt.violation->coordinate}};
    json["runs"].push_back({{"name", attempt.contestant.label},
                            {"method", attempt.contestant.method},
                            {"declared_zero_respecting", attempt.declared_zero_respecting},
                            {"zero_respecting", !attempt.violation},
                            {"violation", violation},
                            {"status", to_string(attempt.run.result.status)},
                            {"lower_gradients", attempt.lower_gradients},
                            {"iterations", attempt.run.result.work.iterations},
                            {"largest_upper_change", attempt.largest_upper_change}});
  }
  json["left_out"] = left_out_json(experiment.left_out);
  return json_text(json);
}

}  // namespace fcbio::experiments
