// BiG-SAM: bilevel gradient sequential averaging (Sabach and Shtern, SIAM J. Optim. 2017).
//
//     y  = P_Z( x - g'(x) / L_g ),   z = x - s f'(x),   0 < s <= 2/(L_f + sigma),
//     x+ = alpha_k z + (1 - alpha_k) y,   alpha_k = min{ 2 gamma / ((1 - beta) k), 1 },  k = 1, 2, ...,
//     beta = sqrt(1 - 2 s sigma L_f / (sigma + L_f)): z is a beta-contraction of x.
// f = smooth part + l1 norm, smooth part made of squared norms (Hessian sigma I): z is the prox-gradient step over
// Z, which is the prox of (f + indicator of Z) with parameter delta = s / (1 - s sigma); the Moreau envelope of f
// with that delta then takes the place of f, as in the paper.
//
// Guarantee: f sigma-strongly convex, 0 < gamma <= 1: x converges to the solution, g to O(1/k) at y; no rate for
// f. x may leave Z, so y is reported.  Codes use alpha_k = min{2 gamma / k, 1} (beta = 0 here) with gamma 1 or 10.
#include <algorithm>
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"

namespace fcbio {
namespace {

struct BigSamOptions : BaselineOptions {
  double gamma = 1.0;
  std::optional<double> step;
  std::optional<double> beta;
};

Result big_sam(MethodRun& run, const BigSamOptions& options) {
  const bool smooth = level_not_smooth(run.problem(), Level::upper).empty();
  const double sigma = run.problem().upper().strong_convexity();
  const double upper_l = run.smoothness(Level::upper), lower_l = run.smoothness(Level::lower);
  const double s = options.step ? *options.step : (smooth ? 2.0 / (upper_l + sigma) : 0.5 / (sigma + lower_l));
  const double beta =
      options.beta ? *options.beta : std::sqrt(std::max(0.0, 1.0 - 2.0 * s * sigma * upper_l / (sigma + upper_l)));
  Vector x = run.start(), y = x, z = x;
  for (std::int64_t k = 1; run.may_step(1, 1); ++k) {
    const double alpha = std::min(2.0 * options.gamma / ((1.0 - beta) * static_cast<double>(k)), 1.0);
    y = x - (1.0 / lower_l) * run.smooth_gradient(Level::lower, x);
    run.prox(1.0 / lower_l, 0.0, 1.0, y);
    z = x - s * run.smooth_gradient(Level::upper, x);
    if (!smooth) run.prox(s, 1.0, 0.0, z);
    x = alpha * z + (1.0 - alpha) * y;
    run.step_done(y);
  }
  return run.finish();
}

// Smooth, or an l1 norm plus squared norms.
std::string no_prox_of_upper(const Problem& problem) {
  if (level_not_smooth(problem, Level::upper).empty()) return {};
  if (std::string why = level_not_composite(problem, Level::upper); !why.empty()) return why;
  for (const Function::Part& part : problem.upper().parts())
    if (part.weight > 0.0 && part.term->l1_centre() == nullptr && part.term->name() != "squared-norm")
      return "no prox is known for an l1 norm plus the term '" + std::string(part.term->name()) + "'";
  return {};
}

std::string big_sam_misfit(const Problem& problem) {
  return first_missing(
      problem, no_prox_of_upper, [](const Problem& p) { return level_not_composite(p, Level::lower); },
      not_strongly_convex_upper);
}

}  // namespace

std::vector<MethodInfo> big_sam_methods() {
  return {published<BigSamOptions>(
      {"big-sam", "averages of a gradient step on f and one on g (Sabach, Shtern 2017)",
       "f strongly convex, smooth or an l1 norm plus squared norms; g smooth or with an l1 norm whose prox is "
       "known",
       "gamma <= 1: convergence, g to O(1/k); no rate for f", true},
      {{"gamma",
        &BigSamOptions::gamma,
        {0.0, kInfinity, true},
        {},
        "alpha_k = min(2 gamma / ((1 - beta) k), 1); theory: at most 1, codes: 1 or 10"},
       {"step",
        &BigSamOptions::step,
        {0.0, kInfinity, true},
        {},
        "s; unset: 2/(L_f + sigma) for a smooth f, with an l1 norm 1/(2 (sigma + L_g)), our choice"},
       {"beta",
        &BigSamOptions::beta,
        {0.0, 0.999999},
        {},
        "contraction factor of the step on f; unset: from s, sigma and L_f as in theory; codes: 0"}},
      big_sam_misfit, big_sam)};
}

}  // namespace fcbio
