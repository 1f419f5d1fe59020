// DBGD: dynamic barrier gradient descent (Gong, Liu, Liu 2021).
//
//     phi = min{ a (g(x) - low), b |g'(x)|^2 },     lambda = max{ (phi - <f', g'>) / |g'|^2, 0 }   (0 where g' =
//     0), x+ = P_Z( x - h (f'(x) + lambda g'(x)) ):
// the direction nearest to f' along which g falls at the rate phi.
//
// Guarantee: stationarity in general, no rate for a simple bilevel problem.  `low` is a lower bound of g (codes:
// 0), not g*: far below g* the barrier is b |g'|^2 alone (the "Bloop" variant), and the method stalls where f' and
// g' balance.  Unset, the bound g knows of itself is used.  Codes: a = b = 1, h between 1e-4 and 1/L_g. Reported:
// the last x.
#include <algorithm>

#include "baselines/baselines.hpp"
#include "baselines/published.hpp"

namespace fcbio {
namespace {

struct DbgdOptions : BaselineOptions {
  double a = 1.0;
  double b = 1.0;
  std::optional<double> low;
  std::optional<double> step;
};

double barrier_weight(const DbgdOptions& options, double low, const Linearization& upper,
                      const Linearization& lower) {
  const double squared = lower.gradient.squaredNorm();
  if (squared == 0.0) return 0.0;
  const double phi = std::min(options.a * (lower.value - low), options.b * squared);
  return std::max((phi - upper.gradient.dot(lower.gradient)) / squared, 0.0);
}

Result dbgd(MethodRun& run, const DbgdOptions& options) {
  const double low = options.low ? *options.low : run.problem().lower().lower_bound();  // -infinity: none
  const double step = options.step ? *options.step : 1.0 / run.smoothness(Level::lower);
  Vector x = run.start();
  while (run.may_step(1, 1)) {
    const Linearization& lower = run.linearize(Level::lower, x);
    const Linearization& upper = run.linearize(Level::upper, x);
    const double lambda = barrier_weight(options, low, upper, lower);
    x -= step * (upper.gradient + lambda * lower.gradient);
    run.project(x);
    run.step_done(x);
  }
  return run.finish();
}

}  // namespace

std::vector<MethodInfo> dbgd_methods() {
  return {published<DbgdOptions>(
      {"dbgd", "dynamic barrier gradient descent (Gong, Liu, Liu 2021)", "smooth f and g",
       "none known for the two gaps", true},
      {{"a", &DbgdOptions::a, {0.0, kInfinity, true}, {}, "barrier a (g - low); codes: 1"},
       {"b", &DbgdOptions::b, {0.0, kInfinity, true}, {}, "barrier b |g'|^2; codes: 1"},
       {"low",
        &DbgdOptions::low,
        {},
        {},
        "lower bound of g; codes: 0; unset: what g knows of itself, without any the barrier is b |g'|^2"},
       {"step", &DbgdOptions::step, {0.0, kInfinity, true}, {}, "step length; unset: 1/L_g"}},
      not_smooth, dbgd)};
}

}  // namespace fcbio
