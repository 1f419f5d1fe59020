#include "experiments/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/json.hpp"
#include "fcbio/error.hpp"
#include "fcbio/version.hpp"
#include "io/value_at.hpp"

namespace fcbio::experiments {
namespace {

using theory::Family;

/// Counts gradients per round, and finds the first weak point among those shown.
class RoundCounter : public Observer {
 public:
  RoundCounter(const theory::BoundInstance& instance, double accuracy, const std::atomic<bool>* interrupt)
      : instance_(instance), accuracy_(accuracy), interrupt_(interrupt) {}

  bool on_progress(const Progress& progress) override {
    point.iterations = progress.work->iterations;
    if (phase_ != progress.phase || round_ != progress.round) {
      phase_ = progress.phase;
      round_ = progress.round;
      before_round_ = point.gradients;
      ++point.rounds;
      point.in_rounds = point.in_rounds && (phase_ == "round" || phase_ == "lower" || phase_ == "bracket");
    }
    point.gradients = *instance_.gradients;
    point.longest_round = std::max(point.longest_round, point.gradients - before_round_);
    if (!point.first_weak && progress.x != nullptr && is_weak(*progress.x)) point.first_weak = point.gradients;
    // A method without rounds is done when it has found what it is judged by.
    const bool found = point.first_weak && !point.in_rounds;
    return !found && (interrupt_ == nullptr || !interrupt_->load());
  }

  BoundPoint point;

 private:
  bool is_weak(const Vector& x) {
    const auto value = [&](Level level) { return io::value_at(instance_.problem.function(level), x); };
    return value(Level::upper) <= instance_.upper_optimum + accuracy_ &&
           value(Level::lower) <= instance_.lower_optimum + accuracy_;
  }

  const theory::BoundInstance& instance_;
  double accuracy_;
  const std::atomic<bool>* interrupt_;
  std::string phase_;
  std::int64_t round_ = -1, before_round_ = 0;
};

BoundPoint measure(Family family, Level chain, const Contestant& contestant, double accuracy,
                   const BoundsOptions& options) {
  const std::int64_t bound = theory::least_queries(family, options.radius, accuracy);
  const theory::BoundInstance instance = theory::bound_instance(family, chain, options.radius, bound - 1);
  if (const std::string why = why_not(instance.problem, contestant); !why.empty()) throw InvalidArgument(why);
  RoundCounter counter(instance, accuracy, options.interrupt);
  counter.point.in_rounds = contestant.method != "fcbio";  // it has a lower phase, but then a path or cuts
  Monitor monitor(Limits{.iterations = options.iteration_limit});
  monitor.add_observer(counter);
  const Result result = solve(instance.problem,
                              {.method = contestant.method,
                               .values = with_iterations(contestant, options.iteration_limit),
                               .accuracy = {accuracy, accuracy}},
                              monitor);
  BoundPoint point = counter.point;
  point.accuracy = accuracy;
  point.bound = bound;
  point.complete = result.status != Status::iteration_limit && result.status != Status::not_finite;
  if (!point.in_rounds) point.rounds = point.longest_round = 0;
  return point;
}

std::optional<double> exponent_of(const std::vector<BoundPoint>& points,
                                  std::int64_t (*count)(const BoundPoint&)) {
  std::vector<double> accuracies, counts;
  for (const BoundPoint& point : points) {
    if (count(point) == 0) continue;
    accuracies.push_back(point.accuracy);
    counts.push_back(static_cast<double>(count(point)));
  }
  if (accuracies.size() < 2) return std::nullopt;
  return theory::fitted_exponent(accuracies, counts);
}

}  // namespace

std::vector<double> default_accuracies(Family family) {
  const int from = family == Family::smooth ? 4 : 2, to = family == Family::smooth ? 12 : 5;  // half decades
  std::vector<double> accuracies;
  for (int half = from; half <= to; ++half) accuracies.push_back(std::pow(10.0, -0.5 * half));
  return accuracies;
}

std::string default_contestants(Family family) {
  return family == Family::smooth ? "fcbio-sm:budget=theory:warm_start=false"
                                  : "fcbio-lip:budget=theory:warm_start=false";
}

BoundsExperiment run_bounds(Family family, Level chain, const std::vector<Contestant>& contestants,
                            const BoundsOptions& options) {
  const double at_start = theory::error_after(family, options.radius, 0);
  for (double accuracy : options.accuracies)
    if (!(accuracy < at_start))
      throw InvalidArgument(fmt::format("accuracy {:g} asks for nothing: the start may be within {:g}; take less",
                                        accuracy, at_start));
  const auto interrupted = [&] { return options.interrupt != nullptr && options.interrupt->load(); };
  BoundsExperiment experiment;
  experiment.family = family;
  experiment.chain = chain;
  experiment.radius = options.radius;
  for (const Contestant& contestant : contestants) {
    if (interrupted()) break;
    BoundCurve curve{contestant, {}, std::nullopt, std::nullopt};
    try {
      for (double accuracy : options.accuracies) {
        if (options.announce) options.announce(contestant, accuracy);
        const BoundPoint point = measure(family, chain, contestant, accuracy, options);
        if (interrupted()) break;  // cut short
        curve.points.push_back(point);
      }
    } catch (const InvalidArgument& error) {
      experiment.left_out.push_back({contestant.label, error.what()});
      continue;
    }
    curve.exponent = exponent_of(curve.points, [](const BoundPoint& point) { return point.judged(); });
    curve.first_weak_exponent =
        exponent_of(curve.points, [](const BoundPoint& point) { return point.first_weak.value_or(0); });
    experiment.curves.push_back(std::move(curve));
  }
  experiment.interrupted = interrupted();
  return experiment;
}

std::string to_json(const BoundsExperiment& experiment) {
  Json json = {{"schema", 1},
               {"version", FCBIO_VERSION},
               {"family", experiment.family == Family::smooth ? "smooth" : "lipschitz"},
               {"hard_level", experiment.chain == Level::upper ? "upper" : "lower"},
               {"radius", experiment.radius},
               {"expected_exponent", experiment.expected_exponent()},
               {"interrupted", experiment.interrupted},
               {"curves", Json::array()}};
  for (const BoundCurve& curve : experiment.curves) {
    Json points = Json::array();
    for (const BoundPoint& point : curve.points)
      points.push_back({{"accuracy", point.accuracy},
                        {"bound", point.bound},
                        {"complete", point.complete},
                        {"longest_round", point.in_rounds ? Json(point.longest_round) : Json(nullptr)},
                        {"rounds", point.rounds},
                        {"gradients", point.gradients},
                        {"iterations", point.iterations},
                        {"first_weak", point.first_weak ? Json(*point.first_weak) : Json(nullptr)},
                        {"ratio", point.judged() > 0 ? Json(static_cast<double>(point.judged()) /
                                                            static_cast<double>(point.bound))
                                                     : Json(nullptr)}});
    json["curves"].push_back({{"name", curve.contestant.label},
                              {"exponent", json_number(curve.exponent)},
                              {"first_weak_exponent", json_number(curve.first_weak_exponent)},
                              {"points", points}});
  }
  json["left_out"] = left_out_json(experiment.left_out);
  return json_text(json);
}

}  // namespace fcbio::experiments
