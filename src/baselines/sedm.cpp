// SEDM: explicit descent method (Solodov 2007), one projected gradient step on F_k = sigma_k f + g per iteration,
// its length by Armijo's rule:
//
//     x+ = prox of h ( x - h F_k'(x) ),   sigma_k = min{1, 1/k},   k = 0, 1, 2, ...,   h halved until
//     test = armijo      F_k(x+) <= F_k(x) + theta <F_k'(x), x+ - x>,  l1 norms included on both sides;
//     test = quadratic   F_k(x+) <= F_k(x) + <F_k'(x), x+ - x> + theta/(2h) |x+ - x|^2           (smooth parts).
// The prox is the projection on Z, with the l1 norms of F_k.  The first is Solodov's own, as AdaBiM's authors coded it:
// each search begins anew at first_step, and with their theta = 0.98 it ends at h of about 0.04/L.  The second is ours:
// because <F', d> <= -|d|^2/h for a projected step it implies the first with 1 - theta/2 for theta; it ends as soon as
// h <= theta/L, and a search begins at the last step length, or at twice that where the last one took its first trial.
//
// Guarantee: X* bounded, sigma_k -> 0 with infinite sum: distances to the solution set go to 0; no rate.
// A trial costs an image and a value per level, the accepted point a gradient more.  Reported: the last x.
#include <algorithm>
#include <cmath>
#include <utility>

#include "baselines/baselines.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"

namespace fcbio {
namespace {

struct SedmOptions : BaselineOptions {
  double first_step = 1.0;
  double theta = 0.98;
  double shrink = 0.5;
  std::string test = "armijo";
  std::int64_t first_index = 0;
};

// A point, its images, values and gradients of the smooth parts of both levels.
struct Evaluated {
  Point point;
  Linearization upper, lower;
  double upper_value = 0.0, lower_value = 0.0;

  explicit Evaluated(const Problem& problem) : point(problem), upper(problem.upper()), lower(problem.lower()) {}

  void evaluate_values(Oracle& oracle, const L1Part& l1) {
    for (Level level : kLevels) oracle.update_images(level, point);
    const double norm = l1.norm(point.x);
    upper_value = oracle.value(Level::upper, point) - l1.weight(Level::upper) * norm;
    lower_value = oracle.value(Level::lower, point) - l1.weight(Level::lower) * norm;
  }
  void evaluate_gradients(Oracle& oracle, const L1Part& l1) {
    oracle.linearize(Level::upper, point, upper);
    oracle.linearize(Level::lower, point, lower);
    if (l1.empty()) return;
    l1.remove_from(Level::upper, upper);
    l1.remove_from(Level::lower, lower);
  }
  double value(double sigma) const { return sigma * upper_value + lower_value; }
};

Result sedm(MethodRun& run, const SedmOptions& options) {
  constexpr int kMostTrials = 200;
  const L1Part l1(run.problem());
  Evaluated now(run.problem()), next(run.problem());
  Evaluated *x = &now, *trial = &next;
  Vector direction = run.start();
  const std::int64_t step = run.oracle().step_cost(Level::upper) + run.oracle().step_cost(Level::lower);
  if (!run.may_step_with_passes(2 * step)) return run.finish();
  x->point.x = run.start();
  x->evaluate_values(run.oracle(), l1);
  x->evaluate_gradients(run.oracle(), l1);
  const bool is_armijo = options.test == "armijo";
  double h = options.first_step;
  for (std::int64_t k = options.first_index; run.may_step_with_passes(step); ++k) {
    const double sigma = 1.0 / static_cast<double>(std::max<std::int64_t>(k, 1));
    const double norm_weight = sigma * l1.weight(Level::upper) + l1.weight(Level::lower);
    if (is_armijo) h = options.first_step;
    direction = sigma * x->upper.gradient + x->lower.gradient;
    bool accepted_at_once = true;
    for (int trials = 1;; ++trials, h *= options.shrink) {
      accepted_at_once = trials == 1;
      if (!accepted_at_once && !run.may_step_with_passes(step)) return run.finish();
      trial->point.x = x->point.x - h * direction;
      run.prox(h, sigma, 1.0, trial->point.x);
      trial->evaluate_values(run.oracle(), l1);
      const double slope = direction.dot(trial->point.x - x->point.x);
      const double squared = (trial->point.x - x->point.x).squaredNorm();
      // The last term: values are known to so much only.
      const double noise = 4.0 * kEpsilon * (1.0 + std::abs(x->value(sigma)));
      const double allowed =
          is_armijo ? options.theta * slope - norm_weight * (l1.norm(trial->point.x) - l1.norm(x->point.x))
                    : slope + 0.5 * options.theta / h * squared;
      if (run.stopped() || trials == kMostTrials || trial->value(sigma) <= x->value(sigma) + allowed + noise)
        break;
    }
    trial->evaluate_gradients(run.oracle(), l1);
    std::swap(x, trial);
    run.step_done(x->point.x);
    if (accepted_at_once) h = std::min(options.first_step, 2.0 * h);
  }
  return run.finish();
}

}  // namespace

std::vector<MethodInfo> sedm_methods() {
  return {published<SedmOptions>(
      {"sedm", "descent on f/k + g with Armijo's rule (Solodov 2007)",
       "f and g smooth, or with l1 norms whose prox over Z is known; constants are not needed",
       "X* bounded: the distance to the solution set goes to 0; no rate", true, false},
      {{"first_step", &SedmOptions::first_step, {0.0, kInfinity, true}, {}, "longest step length; our choice"},
       {"theta", &SedmOptions::theta, {0.0, 1.0, true}, {}, "of the acceptance test; AdaBiM's code: 0.98"},
       {"test",
        &SedmOptions::test,
        {},
        {"armijo", "quadratic"},
        "when a step is accepted: F falls by theta times what its slope promises, as published, each search from "
        "first_step; or it lies below a parabola, which allows longer steps, each search from the last step length"},
       {"first_index",
        &SedmOptions::first_index,
        {0, 1e15},
        {},
        "k of the first step; 0, as in the authors' code: the first weight is sigma_0 itself"},
       {"shrink", &SedmOptions::shrink, {0.01, 0.99}, {}, "factor of a step length that was not accepted"}},
      not_composite, sedm)};
}

}  // namespace fcbio
