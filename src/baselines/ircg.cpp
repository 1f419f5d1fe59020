// IRCG: iteratively regularized conditional gradient (Giang-Tran, Ho-Nguyen, Lee, Math. Program. 2025).
// Frank-Wolfe steps on g plus a vanishing multiple of f; nothing but minimisers of linear functions over Z.
//
//     sigma_t = sigma0 (t+1)^-p,     v = argmin over Z of <sigma_t f'(x) + g'(x), v>,     x+ = x + 2/(t+2) (v -
//     x), z_t = [ (t+1) t sigma_t x_t + sum over 1 <= i <= t of (i+1) i (sigma_{i-1} - sigma_i) x_i ] / W_t, W_t =
//     the same weights summed.                                                     Returned: z_t.
//
// Guarantee, Z compact, 0 < p < 1.  With L_i = sigma_i L_f + L_g, telescoping the Frank-Wolfe inequality times
// (t+2)(t+1) gives  f(z_t) - f* <= 2 D^2 (sum over i < t of L_i) / W_t = O(t^-(1-p)),  and g(z_t) - g* = O(t^-p).
// The rule is the one given by the authors' later stochastic paper, which takes sigma0 = 10 and p = 1/2.
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/cached_start.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"

namespace fcbio {
namespace {

struct IrcgOptions : BaselineOptions {
  double sigma0 = 1.0;
  double p = 0.5;
};

Result ircg(MethodRun& run, const IrcgOptions& options) {
  const ConvexSet& domain = run.problem().domain();
  Oracle& oracle = run.oracle();
  Point x(run.problem());
  if (!begin_with_images(run, x, true, true)) return run.finish();
  Point v = x;
  Linearization f(run.problem().upper()), g(run.problem().lower());
  Vector direction = x.x, weighted = Vector::Zero(x.x.size()), output = x.x;
  double weights = 0.0;  // of the sum over i
  double sigma = options.sigma0;
  for (std::int64_t t = 0; run.may_step(1, 1); ++t) {
    oracle.linearize(Level::upper, x, f);
    oracle.linearize(Level::lower, x, g);
    if (run.stopped()) break;
    direction = sigma * f.gradient + g.gradient;
    domain.minimize_linear(direction, v.x);
    oracle.update_images(Level::upper, v);
    oracle.update_images(Level::lower, v);
    const double step = 2.0 / static_cast<double>(t + 2);
    x.set_combination(1.0 - step, x, step, v);

    const auto i = static_cast<double>(t + 1);  // x is x_i now
    const double next = options.sigma0 * std::pow(i + 1.0, -options.p);
    const double weight = (i + 1.0) * i * (sigma - next);
    weighted += weight * x.x;
    weights += weight;
    sigma = next;
    const double last = (i + 1.0) * i * sigma;
    output = (weighted + last * x.x) / (weights + last);
    run.step_done(output);
  }
  return run.finish();
}

std::string ircg_misfit(const Problem& problem) {
  return first_missing(problem, not_smooth, unbounded_domain, no_linear_minimum);
}

}  // namespace

std::vector<MethodInfo> ircg_methods() {
  return {published<IrcgOptions>(
      {"ircg", "iteratively regularized conditional gradients (Giang-Tran, Ho-Nguyen, Lee 2025)",
       "smooth f and g, Z bounded with minimisers of linear functions",
       "weighted average, Z compact: f to O(k^-(1-p)), g to O(k^-p)", true, false},
      {{"sigma0", &IrcgOptions::sigma0, {0.0, kInfinity, true}, {}, "first weight of f, divided by (k+1)^p"},
       {"p", &IrcgOptions::p, {0.0, 1.0, true}, {}, "how fast the weight of f falls"}},
      ircg_misfit, ircg)};
}

}  // namespace fcbio
