// FBi-PG: fast bilevel proximal gradients (Merchav, Sabach, Teboulle 2024).
//
//     alpha_k = (k + a)^-gamma,   y = x_k + k/(k + a + 1) (x_k - x_{k-1}),   k = 0, 1, ...,   a >= 2,
//     x_{k+1} = P_Z( y - s (g'(y) + alpha_k f'(y)) ),   s <= 1/(L_g + alpha_0 L_f);      l1 norms go into the
//     prox.
//
// Guarantee: O(log k / k) in general; with a Hoelder error bound and 1 < gamma < 2, g to O(k^-2) and f to
// O(k^-(2-gamma)).  gamma near 2 lets the weight of f vanish before x has turned towards the solution.
// Defaults: a = 3 as in published code, gamma 1.5, s the bound above.  Reported: the last x.
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"
#include "baselines/weighted.hpp"

namespace fcbio {
namespace {

struct FbipgOptions : BaselineOptions {
  double a = 3.0;
  double gamma = 1.5;
  std::optional<double> step;
  bool momentum = true;
};

Result fbi_pg(MethodRun& run, const FbipgOptions& options) {
  const auto weight = [&](double k) { return std::pow(k + options.a, -options.gamma); };
  const double s = options.step
                       ? *options.step
                       : 1.0 / (run.smoothness(Level::lower) + weight(0.0) * curvature_bound(run, Level::upper));
  Vector x = run.start(), before = x, y = x, direction = x;
  for (double k = 0.0; run.may_step(1, 1); k += 1.0) {
    const double alpha = weight(k);
    y = x + (options.momentum ? k / (k + options.a + 1.0) : 0.0) * (x - before);
    before = x;
    weighted_gradient(run, alpha, 1.0, y, direction);
    x = y - s * direction;
    run.prox(s, alpha, 1.0, x);
    run.step_done(x);
  }
  return run.finish();
}

}  // namespace

std::vector<MethodInfo> fbi_pg_methods() {
  return {published<FbipgOptions>(
      {"fbi-pg", "accelerated proximal gradients on g + alpha_k f (Merchav, Sabach, Teboulle 2024)",
       "f and g smooth, or with l1 norms whose prox over Z is known",
       "O(log k / k); with an error bound and 1 < gamma < 2: g to O(k^-2), f to O(k^-(2-gamma))", true},
      {{"a", &FbipgOptions::a, {2.0, kInfinity}, {}, "shift of k, at least 2; published code: 3"},
       {"gamma",
        &FbipgOptions::gamma,
        {0.0, 2.0, true},
        {},
        "the weight of f is (k + a)^-gamma; rates under an error bound for 1 < gamma < 2"},
       {"step", &FbipgOptions::step, {0.0, kInfinity, true}, {}, "unset: 1/(L_g + a^-gamma L_f), the theory's"},
       {"momentum", &FbipgOptions::momentum, {}, {}, "false: a plain diagonal gradient method"}},
      not_composite, fbi_pg)};
}

}  // namespace fcbio
