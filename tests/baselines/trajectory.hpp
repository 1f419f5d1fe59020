// A run of a method as the list of its outputs, with values taken outside of the method's account.
#pragma once

#include <vector>

#include "fcbio/method.hpp"
#include "fcbio/point.hpp"
#include "support/problems.hpp"
#include "support/runs.hpp"

namespace fcbio::test {

inline double value_at(const Problem& problem, Level level, const Vector& x) {
  PartVectors images = problem.function(level).make_images();
  problem.function(level).images(x, images);
  return problem.function(level).value(x, images);
}

inline Vector gradient_at(const Problem& problem, Level level, const Vector& x) {
  const Function& function = problem.function(level);
  PartVectors images = function.make_images(), duals = function.make_duals();
  function.images(x, images);
  Vector gradient = Vector::Zero(x.size());
  function.gradient(x, images, duals, gradient);
  return gradient;
}

inline Vector projected(const Problem& problem, Vector x) {
  Scratch scratch;
  problem.domain().project(x, scratch);
  return x;
}

inline double smoothness_of(const Problem& problem, Level level) {
  return *problem.function(level).smoothness().value;
}

class Trajectory final : public Observer {
 public:
  std::vector<Vector> points;
  std::vector<std::int64_t> rounds;
  bool on_progress(const Progress& progress) override {
    points.push_back(*progress.x);
    rounds.push_back(progress.round);
    return true;
  }
};

struct RecordedRun {
  Trajectory trajectory;
  Result result;
};

inline RecordedRun record(const Problem& problem, const std::string& method, OptionValues values,
                          std::int64_t iterations) {
  RecordedRun run;
  Monitor monitor(Limits{.iterations = iterations});
  monitor.add_observer(run.trajectory);
  run.result = solve(problem, {.method = method, .values = std::move(values)}, monitor);
  return run;
}

/// Fitted orders of |f - f*| and g - g* against the step, over steps first, 1.3 first, ... to the end.
struct Orders {
  double upper = 0.0, lower = 0.0;
};

inline Orders fitted_orders(const KnownProblem& known, const Trajectory& trajectory, double first) {
  std::vector<double> steps, upper, lower;
  for (double k = first; k <= static_cast<double>(trajectory.points.size()); k *= 1.3) {
    const Vector& x = trajectory.points[static_cast<std::size_t>(k) - 1];
    steps.push_back(std::floor(k));
    upper.push_back(std::abs(value_at(known.problem, Level::upper, x) - known.upper_optimum));
    lower.push_back(value_at(known.problem, Level::lower, x) - known.lower_optimum);
  }
  return {fitted_order(steps, upper), fitted_order(steps, lower)};
}

/// g = 1/2 sum l_i (x_i - 1)^2 with l_i from 1 down to `smallest`, geometrically: gradient steps close the gap in
/// g like 1/k, accelerated ones like 1/k^2, before k reaches 1/smallest or its root.  f = 1/2 |x|^2, f* = n/2, g*
/// = 0.
inline KnownProblem power_law(Index n, double smallest) {
  RowMajorMatrix roots = RowMajorMatrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    roots(i, i) = std::pow(smallest, 0.5 * static_cast<double>(i) / static_cast<double>(n - 1));
  const Vector ones = Vector::Ones(n);
  const Vector b = roots * ones;
  return {Problem(squared_norm(Vector::Zero(n)), least_squares(dense_map(roots), b),
                  ball(Vector::Zero(n), 2.0 * std::sqrt(static_cast<double>(n)))),
          0.5 * static_cast<double>(n), 0.0, ones};
}

}  // namespace fcbio::test
