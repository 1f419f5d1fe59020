// R-APM: regularised accelerated proximal method (Samadi, Burbano, Yousefian 2023), FISTA on g + eta f:
//
//     x+ = P_Z( y - (g'(y) + eta f'(y)) / L ),   L = L_g + eta L_f,
//     t+ = (1 + sqrt(1 + 4 t^2)) / 2,   y+ = x+ + (t - 1)/t+ (x+ - x);      l1 norms go into the prox.
//
// Guarantee: (g - g*) + eta (f - f*) <= 2 L |x0 - x*|^2 / (K+1)^2 for every x* that minimises g + eta f, or is a
// solution.  So eta = 1/K gives O(1/K) for both levels, and with weak sharp minima and eta small enough O(1/K^2).
// It is PB-APG (gamma = 1/eta) without restarts and long steps; `momentum` = false leaves a plain gradient method.
// Published codes: eta = 1e-5, tolerance 1e-10.  Reported: the last x.
#include "baselines/baselines.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"
#include "baselines/weighted.hpp"
#include "inner/momentum.hpp"

namespace fcbio {
namespace {

struct RapmOptions : BaselineOptions {
  double eta = 1e-5;
  double tolerance = 1e-10;
  bool momentum = true;
};

Result r_apm(MethodRun& run, const RapmOptions& options) {
  const double eta = options.eta;
  const double step = 1.0 / (run.smoothness(Level::lower) + eta * curvature_bound(run, Level::upper));
  Vector x = run.start(), before = x, y = x, direction = x;
  Momentum momentum(1.0);  // alpha = 1/t
  while (run.may_step(1, 1)) {
    before = x;
    weighted_gradient(run, eta, 1.0, y, direction);
    x = y - step * direction;
    run.prox(step, eta, 1.0, x);
    y = x + (options.momentum ? momentum.advance() : 0.0) * (x - before);
    run.step_done(x);
    if ((x - before).norm() < options.tolerance) return run.finish(true);
  }
  return run.finish();
}

}  // namespace

std::vector<MethodInfo> r_apm_methods() {
  return {published<RapmOptions>(
      {"r-apm", "FISTA on g + eta f (Samadi, Burbano, Yousefian 2023)",
       "f and g smooth, or with l1 norms whose prox over Z is known",
       "(g - g*) + eta (f - f*) <= 2 (L_g + eta L_f) |x0 - x*|^2 / (K+1)^2; eta = 1/K: O(1/K) for both levels",
       true},
      {{"eta",
        &RapmOptions::eta,
        {0.0, kInfinity},
        {},
        "weight of f; published codes: 1e-5 (theory: 1/iterations, or small enough under weak sharp minima)"},
       {"tolerance",
        &RapmOptions::tolerance,
        {0.0, kInfinity},
        {},
        "ends at |x+ - x| below this; published codes: 1e-10"},
       {"momentum", &RapmOptions::momentum, {}, {}, "false: a plain gradient method"}},
      not_composite, r_apm)};
}

}  // namespace fcbio
