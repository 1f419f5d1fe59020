// StaBiM: static bilevel method (Latafat, Themelis, Villa, Patrinos 2023), and Iterative-3D (after the dual
// diagonal descent of Garrigos, Rosasco, Villa 2018) as they compare it: proximal gradients on sigma_k f + g,
//
//     x+ = prox of h ( x - h (sigma_k f' + g')(x) ),   h = 0.99 / (sigma_k L_f + L_g),   k = 0, 1, 2, ...
//     StaBiM         sigma_k = min{ max{1/k, 3/4 sigma_{k-1}}, sigma_{k-1} },  sigma_0 = 1: down to 1/k, never by
//     more
//                    than a quarter at once;
//     Iterative-3D   sigma_k = sigma_0/k^2, k >= 1.
// The authors' code makes a first step with sigma_0 = 1 and then counts from 1; first_index = 1 leaves it out.  (The
// code's StaBiM steps along gradients of the point before; that is not repeated here.)
// The prox is the projection on Z, with the l1 norms of sigma_k f + g.
//
// Guarantee.  StaBiM: f and g bounded below, X* bounded: every cluster point is a solution; no rate. Iterative-3D:
// none here; weights with a finite sum may vanish before x has reached the solution among the minimisers of g.
// Reported: the last x.
#include <algorithm>

#include "baselines/baselines.hpp"
#include "baselines/diagonal_weight.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"
#include "baselines/weighted.hpp"

namespace fcbio {
namespace {

struct DescentOptions : BaselineOptions {
  double first_weight = 1.0;
  std::int64_t first_index = 0;
  std::optional<double> step;
};

template <class Weight>
Result descend(MethodRun& run, const DescentOptions& options, Weight weight) {
  const double lower_l = run.smoothness(Level::lower), upper_l = curvature_bound(run, Level::upper);
  Vector x = run.start(), direction = x;
  for (std::int64_t k = options.first_index; run.may_step(1, 1); ++k) {
    const double sigma = weight(k);
    const double h = options.step ? *options.step : 0.99 / (sigma * upper_l + lower_l);
    weighted_gradient(run, sigma, 1.0, x, direction);
    x -= h * direction;
    run.prox(h, sigma, 1.0, x);
    run.step_done(x);
  }
  return run.finish();
}

Result stabim(MethodRun& run, const DescentOptions& options) {
  double sigma = options.first_weight;
  return descend(run, options, [&](std::int64_t k) { return sigma = next_diagonal_weight(sigma, k); });
}

Result iterative_3d(MethodRun& run, const DescentOptions& options) {
  return descend(run, options, [&](std::int64_t k) {
    const auto steps = static_cast<double>(std::max<std::int64_t>(k, 1));
    return options.first_weight / (steps * steps);
  });
}

std::vector<OptionEntry<DescentOptions>> entries() {
  return {
      {"first_weight", &DescentOptions::first_weight, {0.0, kInfinity, true}, {}, "sigma_0; the authors' code: 1"},
      {"first_index",
       &DescentOptions::first_index,
       {0, 1e15},
       {},
       "k of the first step; 0, as in the authors' code: the first weight is sigma_0 itself"},
      {"step",
       &DescentOptions::step,
       {0.0, kInfinity, true},
       {},
       "step length h; unset: 0.99/(sigma_k L_f + L_g), as in the authors' code"}};
}

}  // namespace

std::vector<MethodInfo> stabim_methods() {
  const std::string needs = "f and g smooth, or with l1 norms whose prox over Z is known";
  return {published<DescentOptions>(
              {"stabim", "proximal gradients on f/k + g (Latafat, Themelis, Villa, Patrinos 2023)", needs,
               "X* bounded: cluster points are solutions; no rate", true},
              entries(), not_composite, stabim),
          published<DescentOptions>(
              {"iterative-3d", "proximal gradients on f/k^2 + g (after Garrigos, Rosasco, Villa 2018)", needs,
               "none known: the weights of f have a finite sum", true},
              entries(), not_composite, iterative_3d)};
}

}  // namespace fcbio
