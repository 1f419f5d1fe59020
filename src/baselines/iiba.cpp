// IIBA: interlaced subgradient steps on both levels (Helou and Simoes, 2017, with subgradients as the operators).
//
//     y  = x - lambda_t g'(x),   x+ = P_Z( y - mu_t f'(y) ),   lambda_t = lambda0 t^-a,   mu_t = mu0 t^-b.
//
// Guarantee: convergence to the solution set where Z is compact, lambda_t -> 0, mu_t / lambda_t -> 0 and the sum
// of mu_t is infinite (so a < b <= 1); no rate is known.  Steps t^-2/3 and t^-1 are those of the experiments of
// Bi-CS, for which this is the baseline.  y may lie outside Z, so f must be defined there; the last x is reported.
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/published.hpp"

namespace fcbio {
namespace {

struct IibaOptions : BaselineOptions {
  double lambda0 = 1.0;
  double lambda_power = 2.0 / 3.0;
  double mu0 = 1.0;
  double mu_power = 1.0;
};

Result iiba(MethodRun& run, const IibaOptions& options) {
  Vector x = run.start();
  for (std::int64_t k = 1; run.may_step(1, 1); ++k) {
    const auto t = static_cast<double>(k);
    x -= (options.lambda0 * std::pow(t, -options.lambda_power)) * run.gradient(Level::lower, x);
    x -= (options.mu0 * std::pow(t, -options.mu_power)) * run.gradient(Level::upper, x);
    run.project(x);
    run.step_done(x);
  }
  return run.finish();
}

}  // namespace

std::vector<MethodInfo> iiba_methods() {
  return {published<IibaOptions>(
      {"iiba", "interlaced subgradient steps on both levels (Helou, Simoes 2017)", "f and g Lipschitz on Z",
       "Z compact: convergence, no rate known", true, false},
      {{"lambda0", &IibaOptions::lambda0, {0.0, kInfinity, true}, {}, "first step on g; published: 1"},
       {"lambda_power",
        &IibaOptions::lambda_power,
        {0.0, 1.0, true},
        {},
        "steps on g fall like t to minus this; must be below mu_power"},
       {"mu0", &IibaOptions::mu0, {0.0, kInfinity, true}, {}, "first step on f; published: 1"},
       {"mu_power", &IibaOptions::mu_power, {0.0, 1.0, true}, {}, "steps on f fall like t to minus this"}},
      not_lipschitz, iiba)};
}

}  // namespace fcbio
