// AdaBiM: adaptive bilevel method (Latafat, Themelis, Villa, Patrinos 2023): StaBiM with steps from the curvature
// seen, no L needed.  F_k = sigma_k f + g; x_k came from x_{k-1} by a step gamma_k on F_k.  With d = x_k -
// x_{k-1}, D = F_k'(x_k) - F_k'(x_{k-1}), mu the strong convexity of f,
//
//     C = |D|^2 / <D, d>,   l = <D, d> / |d|^2,   l2 the same as l for g alone,
//     excess = gamma l (gamma C - 1) - gamma sigma mu / 2,
//     tau_k = sigma_k / sigma_{k-1},   tau = sigma_{k+1} / sigma_k,   rho = (gamma_k / gamma_{k-1}) tau_k,
//     gamma+ = min{ gamma/tau sqrt((1 + rho) tau_k),
//                   gamma/tau sqrt(1 + 2 mu sigma gamma - 4 (1 - tau_k) gamma l2) / (2 sqrt(max(excess, 0))),
//                   gamma_max },
//     x+ = prox of gamma+ ( x - gamma+ F_{k+1}'(x) ),
//     gamma+ halved and the step repeated until  gamma+ (l(x+, x) - sigma mu / 2) <= 0.98.
// sigma_k as in StaBiM, the first step with sigma_0 = 1 (first_index = 0, as in the authors' code); the prox is the projection on Z, with the l1 norms of F_{k+1}.
//
// Guarantee: f and g with locally Lipschitz gradients, X* bounded: cluster points are solutions; no rate.
// A repeated step costs one evaluation per level; an iteration is an accepted step.  Reported: the last x.
#include <algorithm>
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/diagonal_weight.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"

namespace fcbio {
namespace {

struct AdabimOptions : BaselineOptions {
  double first_step = 1.0;
  double largest_step = 1e6;
  double acceptance = 0.98;
  std::int64_t first_index = 0;
};

// A point with the gradients of the smooth parts.
struct Visited {
  Vector x, upper, lower;
  explicit Visited(const Vector& start) : x(start), upper(start), lower(start) {}
  void evaluate(MethodRun& run) {
    upper = run.smooth_gradient(Level::upper, x);
    lower = run.smooth_gradient(Level::lower, x);
  }
  void swap(Visited& other) {
    x.swap(other.x);
    upper.swap(other.upper);
    lower.swap(other.lower);
  }
};

// Curvature along d = x - z, of sigma f + g and of g alone.
struct Curvature {
  double cocoercivity = 0.0;  // C
  double along = 0.0;         // l
  double lower_along = 0.0;   // l2
};

Curvature curvature(const Visited& x, const Visited& z, double sigma) {
  const double moved = (x.x - z.x).squaredNorm();
  if (moved == 0.0) return {};
  const double lower_slope = (x.lower - z.lower).dot(x.x - z.x);
  const double slope = sigma * (x.upper - z.upper).dot(x.x - z.x) + lower_slope;
  const double difference = (sigma * (x.upper - z.upper) + (x.lower - z.lower)).squaredNorm();
  return {slope > 0.0 ? difference / slope : 0.0, std::max(0.0, slope) / moved,
          std::max(0.0, lower_slope) / moved};
}

// Step lengths and weights of the last two steps.
struct Steps {
  double gamma, gamma_before;
  double sigma = 1.0, sigma_before = 1.0;
};

double longest_step(const Steps& s, const Curvature& seen, double sigma_next, double mu, double largest) {
  const double tau_now = s.sigma / s.sigma_before, tau = sigma_next / s.sigma;
  const double rho = s.gamma / s.gamma_before * tau_now;
  const double growth = s.gamma / tau * std::sqrt((1.0 + rho) * tau_now);
  const double excess = s.gamma * seen.along * (s.gamma * seen.cocoercivity - 1.0) - 0.5 * s.gamma * s.sigma * mu;
  if (excess <= 0.0) return std::min(growth, largest);
  const double room = 1.0 + 2.0 * mu * s.sigma * s.gamma - 4.0 * (1.0 - tau_now) * s.gamma * seen.lower_along;
  const double stable = s.gamma / tau * std::sqrt(std::max(room, 0.0)) / (2.0 * std::sqrt(excess));
  return stable > 0.0 ? std::min({growth, stable, largest}) : std::min(growth, largest);
}

Result adabim(MethodRun& run, const AdabimOptions& options) {
  constexpr int kMostHalvings = 200;  // differences lost in rounding look like any curvature
  const double mu = run.problem().upper().strong_convexity();
  const std::int64_t pair = run.evaluation_cost(Level::upper) + run.evaluation_cost(Level::lower);
  Visited x(run.start()), before = x, next = x;
  Steps steps{.gamma = options.first_step, .gamma_before = options.first_step};
  if (!run.may_step_with_passes(2 * pair)) return run.finish();
  x.evaluate(run);
  bool is_first = true;
  for (std::int64_t k = options.first_index; run.may_step(1, 1); ++k) {
    const double sigma = next_diagonal_weight(steps.sigma, k);
    double gamma = is_first
                       ? options.first_step
                       : longest_step(steps, curvature(x, before, steps.sigma), sigma, mu, options.largest_step);
    for (int halvings = 0;; ++halvings, gamma *= 0.5) {
      if (halvings > 0 && !run.may_step(1, 1)) return run.finish();
      next.x = x.x - gamma * (sigma * x.upper + x.lower);
      run.prox(gamma, sigma, 1.0, next.x);
      next.evaluate(run);
      const double along = curvature(next, x, sigma).along;
      if (run.stopped() || halvings == kMostHalvings || gamma * (along - 0.5 * sigma * mu) <= options.acceptance)
        break;
    }
    before.swap(x);
    x.swap(next);
    steps = {gamma, is_first ? gamma : steps.gamma, sigma, is_first ? sigma : steps.sigma};
    is_first = false;
    run.step_done(x.x);
  }
  return run.finish();
}

}  // namespace

std::vector<MethodInfo> adabim_methods() {
  return {published<AdabimOptions>(
      {"adabim", "stabim with steps from the curvature seen (Latafat, Themelis, Villa, Patrinos 2023)",
       "f and g smooth, or with l1 norms whose prox over Z is known; constants are not needed",
       "X* bounded: cluster points are solutions; no rate", true, false},
      {{"first_step",
        &AdabimOptions::first_step,
        {0.0, kInfinity, true},
        {},
        "first trial step length; our choice"},
       {"largest_step",
        &AdabimOptions::largest_step,
        {0.0, kInfinity, true},
        {},
        "gamma_max; the authors' code: 1e6"},
       {"acceptance",
        &AdabimOptions::acceptance,
        {0.0, 1.0, true},
        {},
        "a step is repeated while gamma (l - sigma mu / 2) is above this; the authors' code: 0.98"},
       {"first_index",
        &AdabimOptions::first_index,
        {0, 1e15},
        {},
        "k of the first step; 0, as in the authors' code: the first weight is sigma_0 itself"}},
      not_composite, adabim)};
}

}  // namespace fcbio
