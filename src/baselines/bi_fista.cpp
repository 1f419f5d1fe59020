// Bi-PG and bi-FISTA: diagonal proximal gradients, plain and with momentum (Bot, Chenchene, Csetnek, Hulett 2025).
//
//     Bi-PG      eps_k = c / (k + sigma + 1)^(delta/2),
//                x+ = prox of 2s ( x - 2s (g' + eps_k f')(x) );
//     bi-FISTA   eps_k = c / (k + sigma_weight + 1)^delta,
//                y = x + (1 - alpha / (k + sigma_momentum + 1)) (x - x_old),
//                x+ = prox of s ( y - s (g' + eps_k f')(y) );              k = 0, 1, ...
// The prox is the projection on Z, with the l1 norms of g + eps_k f.
//
// Guarantee (theirs): under Hoelderian growth of g, or the Attouch-Czarnecki condition, convergence to solutions
// and rates for both levels that depend on the growth and on delta.  alpha = 4, s = 0.95/L_g as in their code,
// whose f has no smooth part.  With one the step is 0.95/(L_g + eps_0 L_f), so that no step is too long. Other
// defaults from their example: c = 10, sigmas 10 and 20; delta 1.5, between the 1.1 and 1.9 of the example.
// Reported: the last x.
#include <algorithm>
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"
#include "baselines/weighted.hpp"

namespace fcbio {
namespace {

struct DiagonalOptions : BaselineOptions {
  double c = 10.0;
  double delta = 1.5;
  double sigma_weight = 10.0;
  std::optional<double> step;
};

struct BifistaOptions : DiagonalOptions {
  double alpha = 4.0;
  double sigma_momentum = 20.0;
};

double step_length(MethodRun& run, const DiagonalOptions& options, double first_weight) {
  if (options.step) return *options.step;
  return 0.95 / (run.smoothness(Level::lower) + first_weight * curvature_bound(run, Level::upper));
}

Result bi_pg(MethodRun& run, const DiagonalOptions& options) {
  const auto weight = [&](double k) {
    return options.c * std::pow(k + options.sigma_weight + 1.0, -0.5 * options.delta);
  };
  const double s = step_length(run, options, weight(0.0));
  Vector x = run.start(), direction = x;
  for (double k = 0.0; run.may_step(1, 1); k += 1.0) {
    weighted_gradient(run, weight(k), 1.0, x, direction);
    x -= 2.0 * s * direction;
    run.prox(2.0 * s, weight(k), 1.0, x);
    run.step_done(x);
  }
  return run.finish();
}

Result bi_fista(MethodRun& run, const BifistaOptions& options) {
  const auto weight = [&](double k) {
    return options.c * std::pow(k + options.sigma_weight + 1.0, -options.delta);
  };
  const double s = step_length(run, options, weight(0.0));
  Vector x = run.start(), before = x, y = x, direction = x;
  for (double k = 0.0; run.may_step(1, 1); k += 1.0) {
    y = x + std::max(0.0, 1.0 - options.alpha / (k + options.sigma_momentum + 1.0)) * (x - before);
    before = x;
    weighted_gradient(run, weight(k), 1.0, y, direction);
    x = y - s * direction;
    run.prox(s, weight(k), 1.0, x);
    run.step_done(x);
  }
  return run.finish();
}

template <class Options>
std::vector<OptionEntry<Options>> diagonal_entries() {
  return {{"c",
           &Options::c,
           {0.0, kInfinity, true},
           {},
           "first weight of f, before it falls; their examples: 10, 100"},
          {"delta",
           &Options::delta,
           {0.0, 2.0, true},
           {},
           "how fast the weight of f falls (bi-pg: half of it); their examples: 1.1 to 1.9"},
          {"sigma_weight",
           &Options::sigma_weight,
           {0.0, kInfinity},
           {},
           "shift of k in the weight of f; their examples: 10, 1"},
          {"step",
           &Options::step,
           {0.0, kInfinity, true},
           {},
           "s; unset: 0.95/(L_g + eps_0 L_f), L_f of the smooth part of f"}};
}

std::vector<OptionEntry<BifistaOptions>> bifista_entries() {
  auto entries = diagonal_entries<BifistaOptions>();
  entries.push_back({"alpha",
                     &BifistaOptions::alpha,
                     {0.0, kInfinity},
                     {},
                     "momentum 1 - alpha/(k + sigma_momentum + 1), not below 0; their code: 4"});
  entries.push_back({"sigma_momentum",
                     &BifistaOptions::sigma_momentum,
                     {0.0, kInfinity},
                     {},
                     "shift of k in the momentum; their examples: 20, 1"});
  return entries;
}

}  // namespace

std::vector<MethodInfo> bi_fista_methods() {
  const std::string needs = "f and g smooth, or with l1 norms whose prox over Z is known";
  const std::string guarantee =
      "under Hoelderian growth of g: convergence, and rates for both levels that depend on it and on delta";
  return {
      published<DiagonalOptions>(
          {"bi-pg", "diagonal proximal gradients (Bot, Chenchene, Csetnek, Hulett 2025)", needs, guarantee, true},
          diagonal_entries<DiagonalOptions>(), not_composite, bi_pg),
      published<BifistaOptions>(
          {"bi-fista", "diagonal proximal gradients with momentum (Bot, Chenchene, Csetnek, Hulett 2025)", needs,
           guarantee, true},
          bifista_entries(), not_composite, bi_fista)};
}

}  // namespace fcbio
