// CG-BiO: conditional gradient method for bilevel optimization (Jiang, Abolfazli, Mokhtari, Yazdandoost Hamedani,
// AISTATS 2023).
//
//     x_0 with g(x_0) - g* <= eps_g / 2, by a lower phase;
//     s = argmin{ <f'(x), s> : s in Z, <g'(x), s - x> <= g(x_0) - g(x) },     x+ = (1 - gamma_k) x + gamma_k s.
//
// The cut contains every minimiser of g, so <f'(x), x - s> <= eps_f proves f(x) - f* <= eps_f; with
// g(x) - g(x_0) <= eps_g / 2 the method stops.  (The paper's <g'(x), x - s> <= eps_g / 2 implies the second
// test; the authors' code uses the one here.)
//
// Guarantee, gamma_k = 2/(k+2), Z compact: f to O(1/k), g to O(1/k) + eps_g / 2.  gamma_k = step / (k +
// step_offset) otherwise: the authors' code takes 2/(k+12), the experiments of FC-BiO 0.5/(k+1) and 2/(k+2). k counts
// from first_index, 0 in the paper, 1 in the authors' code; in the lower phase too, where 0 makes the first step whole
// and so forgets the start. Lower phase: Frank-Wolfe with step 2/(k+2) until <g'(x), x - s> <= eps_g / 2 (the paper),
// or the accelerated projected gradient method; at most lower_iterations steps, after which x_0 is what it is.
#include <algorithm>

#include "baselines/baselines.hpp"
#include "baselines/cached_start.hpp"
#include "baselines/halfspace_cut.hpp"
#include "baselines/lower_fista.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"

namespace fcbio {
namespace {

struct CgBioOptions : BaselineOptions {
  double step = 2.0;
  double step_offset = 2.0;
  std::int64_t first_index = 0;
  std::string lower_method = "frank-wolfe";
  std::int64_t lower_iterations = 10000;
};

/// x, with its lower images, <- a point with a Frank-Wolfe gap of g of at most `asked`.
void frank_wolfe(MethodRun& run, const CgBioOptions& options, double asked, Point& x) {
  Oracle& oracle = run.oracle();
  Point s = x;
  Linearization g(run.problem().lower());
  for (std::int64_t k = 0; k < options.lower_iterations && run.may_step(0, 1); ++k) {
    oracle.linearize(Level::lower, x, g);
    if (run.stopped()) break;
    run.problem().domain().minimize_linear(g.gradient, s.x);
    const bool close = g.gradient.dot(x.x - s.x) <= asked;
    if (!close) {
      oracle.update_images(Level::lower, s);
      const double step = 2.0 / static_cast<double>(options.first_index + k + 2);
      x.set_combination(1.0 - step, x, step, s);
    }
    run.step_done(x.x, "lower");
    if (close) break;
  }
}

void accelerated(MethodRun& run, const CgBioOptions& options, double asked, Point& x) {
  LowerFista fista(run, x);
  const std::int64_t cost = run.oracle().step_cost(Level::lower);
  for (std::int64_t k = 0; k < options.lower_iterations && run.may_step_with_passes(cost); ++k) {
    fista.step();
    run.step_done(fista.best_x(), "lower");
    if (run.stopped() || fista.gap() <= asked) break;
  }
  if (!run.oracle().monitor().may_spend(run.problem().lower().cost().image)) return;
  x.x = fista.best_x();
  run.oracle().update_images(Level::lower, x);
}

Result cg_bio(MethodRun& run, const CgBioOptions& options) {
  const double half_lower = 0.5 * run.accuracy().lower;
  Oracle& oracle = run.oracle();
  Point x(run.problem());
  const bool plain = options.lower_method == "frank-wolfe";
  if (!plain) run.smoothness(Level::lower);
  if (!begin_with_images(run, x, false, true, 1)) return run.finish();
  (plain ? frank_wolfe : accelerated)(run, options, half_lower, x);
  const PassCost f_cost = run.problem().upper().cost(), g_cost = run.problem().lower().cost();
  if (run.stopped() || !oracle.monitor().may_spend(f_cost.image + g_cost.value)) return run.finish();
  oracle.update_images(Level::upper, x);
  const double g0 = oracle.value(Level::lower, x);

  CutDomain cut_domain(oracle);
  Point s = x;
  Linearization f(run.problem().upper()), g(run.problem().lower());
  for (std::int64_t k = options.first_index; run.may_step(1, 1); ++k) {
    oracle.linearize(Level::upper, x, f);
    oracle.linearize(Level::lower, x, g);
    if (run.stopped()) break;
    cut_domain.minimize_linear(f.gradient, {g.gradient, x.x, g0 - g.value}, s.x);
    if (f.gradient.dot(x.x - s.x) <= run.accuracy().upper && g.value - g0 <= half_lower) {
      run.step_done(x.x);
      return run.finish(true);
    }
    oracle.update_images(Level::upper, s);
    oracle.update_images(Level::lower, s);
    const double gamma = std::min(1.0, options.step / (static_cast<double>(k) + options.step_offset));
    x.set_combination(1.0 - gamma, x, gamma, s);
    run.step_done(x.x);
  }
  return run.finish();
}

std::string cg_bio_misfit(const Problem& problem) {
  return first_missing(problem, not_smooth, unbounded_domain, no_linear_minimum);
}

}  // namespace

std::vector<MethodInfo> cg_bio_methods() {
  return {published<CgBioOptions>(
      {"cg-bio",
       "conditional gradients with a halfspace cut of g (Jiang, Abolfazli, Mokhtari, Yazdandoost Hamedani 2023)",
       "smooth f and g, Z bounded with minimisers of linear functions",
       "Z compact, step 2/(k+2): f to O(k^-1), g to O(k^-1) + accuracy.lower / 2", true},
      {{"step", &CgBioOptions::step, {0.0, kInfinity, true}, {}, "step length is step / (k + step_offset)"},
       {"step_offset", &CgBioOptions::step_offset, {0.0, kInfinity, true}, {}, "see step; never longer than 1"},
       {"first_index",
        &CgBioOptions::first_index,
        {0, 1e15},
        {},
        "k of the first step, also of Frank-Wolfe in the lower phase: 0 in the paper, 1 in the authors' code"},
       {"lower_method",
        &CgBioOptions::lower_method,
        {},
        {"frank-wolfe", "accelerated"},
        "how the first point is found: as published, or by accelerated projected gradients"},
       {"lower_iterations",
        &CgBioOptions::lower_iterations,
        {0, 1e15},
        {},
        "most steps of the lower phase, which ends at a proved gap of accuracy.lower / 2"}},
      cg_bio_misfit, cg_bio)};
}

}  // namespace fcbio
