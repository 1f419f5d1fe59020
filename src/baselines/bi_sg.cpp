// Bi-SG: bilevel (sub)gradients (Merchav and Sabach, SIAM J. Optim. 2023).
//
//     y  = P_Z( x - g'(x) / L_g )                 (prox-gradient where g has an l1 norm)
//     x+ = y - eta_k f'(y),   eta_k = c (k + offset)^-alpha,  k = 1, 2, ...,   1/2 < alpha <= 1,
// f' any subgradient; where f is smooth + l1 norm,  x+ = prox over Z of eta_k times the l1 norm.
//
// Guarantee, at y: g to O(k^-alpha), f to O(k^-(1-alpha)); f strongly convex and smooth: f to exp(-c'
// k^(1-alpha)). Needs c <= 1/L_f where f is smooth.  x+ of a smooth f is not projected, as in every
// implementation; so y, which is in Z, is reported.  With an l1 norm in f the indicator of Z is counted to f,
// whose prox then is known. Defaults: alpha 0.75, c = 1/L_f as in FC-BiO's experiments; PB-APG's code: alpha 0.95,
// c = 1, offset 1.
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"
#include "baselines/weighted.hpp"

namespace fcbio {
namespace {

struct BisgOptions : BaselineOptions {
  double alpha = 0.75;
  std::optional<double> c;
  double offset = 0.0;
};

double default_c(MethodRun& run, bool composite) {
  return composite && is_curved(run.problem(), Level::upper) ? 1.0 / run.smoothness(Level::upper) : 1.0;
}

Result bi_sg(MethodRun& run, const BisgOptions& options) {
  const bool composite = level_not_composite(run.problem(), Level::upper).empty();
  const bool smooth = level_not_smooth(run.problem(), Level::upper).empty();
  const double c = options.c ? *options.c : default_c(run, composite);
  const double step = 1.0 / run.smoothness(Level::lower);
  Vector x = run.start(), y = x;
  for (std::int64_t k = 1; run.may_step(1, 1); ++k) {
    const double eta = c * std::pow(static_cast<double>(k) + options.offset, -options.alpha);
    y = x - step * run.smooth_gradient(Level::lower, x);
    run.prox(step, 0.0, 1.0, y);
    x = y - eta * (composite ? run.smooth_gradient(Level::upper, y) : run.gradient(Level::upper, y));
    if (composite && !smooth) run.prox(eta, 1.0, 0.0, x);
    run.step_done(y);
  }
  return run.finish();
}

std::string bi_sg_misfit(const Problem& problem) { return level_not_composite(problem, Level::lower); }

}  // namespace

std::vector<MethodInfo> bi_sg_methods() {
  return {published<BisgOptions>(
      {"bi-sg", "a gradient step on g, then one on f (Merchav, Sabach 2023)",
       "g smooth, or with an l1 norm whose prox over Z is known; f any convex function",
       "g to O(k^-alpha), f to O(k^-(1-alpha)); f strongly convex and smooth: f to exp(-c k^(1-alpha))", true},
      {{"alpha",
        &BisgOptions::alpha,
        {0.5, 1.0, true},
        {},
        "steps on f are c k^-alpha; FC-BiO's experiments: 0.75, PB-APG's code: 0.95"},
       {"c",
        &BisgOptions::c,
        {0.0, kInfinity, true},
        {},
        "first step on f, at most 1/L_f for a smooth f; unset: 1/L_f, or 1 where f is not smooth or is linear"},
       {"offset",
        &BisgOptions::offset,
        {0.0, kInfinity},
        {},
        "steps are c (k + offset)^-alpha; PB-APG's code: 1"}},
      bi_sg_misfit, bi_sg)};
}

}  // namespace fcbio
