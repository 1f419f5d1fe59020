// a-IRG: averaging iteratively regularized gradient method (Kaushik and Yousefian, SIAM J. Optim. 2021).
//
//     x+ = P_Z( x - gamma_k (g'(x) + eta_k f'(x)) ),   gamma_k = gamma0 / sqrt(k+1),   eta_k = eta0 / (k+1)^b,
//     average: xbar = sum gamma_k^r x_k / sum gamma_k^r,   0 <= r < 1.
//
// Guarantee, for the average, subgradients allowed, Z compact, 0 < b < 1/2:  f to O(k^-(1/2-b)), g to O(k^-b).
// Later experiments (CG-BiO's, PB-APG's, Bisec-BiO's and so FC-BiO's) report the last iterate (output = last), for
// which nothing is known.  gamma is the step and eta the weight of f, as in the source. Defaults: theory leaves
// gamma0 and eta0 free; gamma0 = 1/L_g is that of the Bisec-BiO and PB-APG codes, R/C_g (R the radius of a ball
// around Z) that of codes for Lipschitz functions; eta0 = 1, b = 1/4 (best for both levels), r = 1/2. FC-BiO's
// experiments: gamma0 = eta0 = 1e-3 (minimum norm); gamma0 = 0.1, eta0 = 1e3 (logistic).
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"

namespace fcbio {
namespace {

struct AirgOptions : BaselineOptions {
  std::optional<double> gamma0;
  double eta0 = 1.0;
  double b = 0.25;
  double r = 0.5;
  std::string output = "average";
};

double default_step(MethodRun& run) {
  if (level_not_smooth(run.problem(), Level::lower).empty()) return 1.0 / run.smoothness(Level::lower);
  Vector centre = run.start();
  const double radius = run.problem().domain().enclosing_ball(centre).value_or(1.0);
  return radius / run.lipschitz(Level::lower);
}

Result a_irg(MethodRun& run, const AirgOptions& options) {
  const bool averaging = options.output == "average";
  const double gamma0 = options.gamma0 ? *options.gamma0 : default_step(run);
  Vector x = run.start(), average = x, direction = x;
  double weights = std::pow(gamma0, options.r);
  for (std::int64_t k = 0; run.may_step(1, 1); ++k) {
    const double gamma = gamma0 / std::sqrt(static_cast<double>(k + 1));
    const double eta = options.eta0 / std::pow(static_cast<double>(k + 1), options.b);
    direction = run.gradient(Level::lower, x) + eta * run.gradient(Level::upper, x);
    x -= gamma * direction;
    run.project(x);
    if (averaging) {
      const double weight = std::pow(gamma0 / std::sqrt(static_cast<double>(k + 2)), options.r);
      weights += weight;
      average += (weight / weights) * (x - average);
    }
    run.step_done(averaging ? average : x);
  }
  return run.finish();
}

}  // namespace

std::vector<MethodInfo> a_irg_methods() {
  return {published<AirgOptions>(
      {"a-irg", "averaging iteratively regularized gradients (Kaushik, Yousefian 2021)", "f and g Lipschitz on Z",
       "average, Z compact: f to O(k^-(1/2-b)), g to O(k^-b); last iterate: none known", true},
      {{"gamma0",
        &AirgOptions::gamma0,
        {0.0, kInfinity, true},
        {},
        "first step length, divided by sqrt(k+1); unset: 1/L_g, or radius of Z / C_g where g is not smooth"},
       {"eta0", &AirgOptions::eta0, {0.0, kInfinity, true}, {}, "first weight of f, divided by (k+1)^b"},
       {"b", &AirgOptions::b, {0.0, 0.5, true}, {}, "how fast the weight of f falls"},
       {"r", &AirgOptions::r, {0.0, 1.0}, {}, "averaging weights are (step length)^r"},
       {"output",
        &AirgOptions::output,
        {},
        {"average", "last"},
        "what is returned; the guarantee is for the average, published experiments use the last iterate"}},
      not_lipschitz, a_irg)};
}

}  // namespace fcbio
