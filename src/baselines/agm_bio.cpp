// AGM-BiO: accelerated gradient method for bilevel optimization (Cao, Jiang, Yazdandoost Hamedani, Mokhtari,
// NeurIPS 2024).  The set of lower solutions is replaced by a halfspace that contains it, new in every step.  With
// values g_k >= g*, g_k -> g*, A_0 = 0, x_0 = z_0:
//
//     a = gamma (k+1) / (4 L_f),      y = (A x + a z) / (A + a),
//     z+ = projection of  z - a f'(y)  on  X_k = { z in Z : g(y) + <g'(y), z - y> <= g_k },
//     x+ = (A x + a z+) / (A + a),    A+ = A + a.                                            Returned: x.
//
// g_k is the best value of an accelerated projected gradient run on g in parallel (its steps are charged).
//
// Guarantee.  a_k^2 / A_{k+1} <= gamma/(2 L_f) and A_k = gamma k (k+1) / (8 L_f) give
//     f(x_k) - f* <= 4 L_f |x_0 - x*|^2 / (gamma k (k+1)),
// and since g at x+ exceeds the linearisation at y by at most L_g/2 (a/(A+a))^2 |z+ - z|^2, for gamma <= 1
//     g(x_k) - g* <= 2 L_g D^2 / (k+1) + 4 L_g R^2 (1 + ln k) / (k (k+1)),   D = diameter, R = |x_0 - argmin g|.
// Rules for gamma: compact (theorem 4.1): gamma = 1.  heb, for T iterations where g - g* grows like the distance
// to its minimisers to the power r (theorem 4.4): gamma = 1 / ((2 L_g / L_f) T^((2r-2)/(2r-1)) + 2); then both
// gaps are about T^-(2r/(2r-1)).  The experiments of FC-BiO use compact on minimum norm and heb with r = 2 on
// logistic pairs.
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/cached_start.hpp"
#include "baselines/halfspace_cut.hpp"
#include "baselines/lower_fista.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"

namespace fcbio {
namespace {

struct AgmBioOptions : BaselineOptions {
  std::string rule = "compact";
  double heb_order = 2.0;
  std::optional<double> gamma;
};

double gamma_of(MethodRun& run, const AgmBioOptions& options) {
  if (options.gamma) return *options.gamma;
  if (options.rule == "compact") return 1.0;
  const double ratio = run.smoothness(Level::lower) / run.smoothness(Level::upper);
  const double r = options.heb_order;
  const double power = std::pow(static_cast<double>(run.budget()), (2.0 * r - 2.0) / (2.0 * r - 1.0));
  return 1.0 / (2.0 * ratio * power + 2.0);
}

Result agm_bio(MethodRun& run, const AgmBioOptions& options) {
  const double unit = gamma_of(run, options) / (4.0 * run.smoothness(Level::upper));
  run.smoothness(Level::lower);
  Point x(run.problem());
  if (!begin_with_images(run, x, true, true, 1)) return run.finish();
  LowerFista lower(run, x);
  CutDomain cut_domain(run.oracle());
  Oracle& oracle = run.oracle();
  Point y = x, z = x;
  Linearization f(run.problem().upper()), g(run.problem().lower());
  const std::int64_t cost =
      run.evaluation_cost(Level::upper) + run.evaluation_cost(Level::lower) + oracle.step_cost(Level::lower);
  double sum = 0.0;  // A
  for (std::int64_t k = 0; run.may_step_with_passes(cost); ++k) {
    const double a = unit * static_cast<double>(k + 1);
    const double share = a / (sum + a);
    y.set_combination(1.0 - share, x, share, z);
    oracle.linearize(Level::upper, y, f);
    oracle.linearize(Level::lower, y, g);
    if (run.stopped()) break;
    z.x -= a * f.gradient;
    cut_domain.project({g.gradient, y.x, lower.best() - g.value}, z.x);
    oracle.update_images(Level::upper, z);
    oracle.update_images(Level::lower, z);
    x.set_combination(1.0 - share, x, share, z);
    sum += a;
    lower.step();
    run.step_done(x.x);
  }
  return run.finish();
}

// Its steps grow with k, so that points far outside of Z are projected; Dykstra's algorithm takes forever there.
std::string iterative_projection(const Problem& problem) {
  if (problem.domain().name() != "intersection") return {};
  return "the projection on the domain 'intersection' is iterative, and too slow for points as far away as its "
         "growing steps lead";
}

std::string agm_bio_misfit(const Problem& problem) {
  return first_missing(problem, not_smooth, iterative_projection);
}

}  // namespace

std::vector<MethodInfo> agm_bio_methods() {
  return {published<AgmBioOptions>(
      {"agm-bio",
       "accelerated gradients with a halfspace cut of g (Cao, Jiang, Yazdandoost Hamedani, Mokhtari 2024)",
       "smooth f and g, a projection on Z in closed form",
       "Z compact, gamma = 1: f to O(k^-2), g to O(k^-1); heb: both to T^-(2r/(2r-1)) up to logarithms where g "
       "grows with power r away from its minimisers",
       true},
      {{"rule",
        &AgmBioOptions::rule,
        {},
        {"compact", "heb"},
        "how gamma is chosen: 1 (theorem 4.1), or for an error bound from iterations (theorem 4.4)"},
       {"heb_order", &AgmBioOptions::heb_order, {1.0, kInfinity}, {}, "r of the error bound, rule heb"},
       {"gamma", &AgmBioOptions::gamma, {0.0, 1.0, true}, {}, "weight of the steps; unset: by the rule"}},
      agm_bio_misfit, agm_bio)};
}

}  // namespace fcbio
