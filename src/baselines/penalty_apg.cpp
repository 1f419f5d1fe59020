// PB-APG, aPB-APG and their -sc forms: penalty-based accelerated proximal gradients (Chen, Shi, Jiang, Wang,
// NeurIPS 2024).  One penalised problem
//
//     min over Z of  Phi = f + gamma g,        L = L_f + gamma L_g,
//
// is solved by Greedy FISTA (greedy_fista.hpp) until |x+ - x| < tolerance; l1 norms go into the prox.
//   a...   in stages gamma_i = gamma / factor^(stages - i), each started at the end of the one before, with
//          tolerances 10^(stages - i) times the last one;
//   -sc    f is mu-strongly convex: momentum (sqrt L - sqrt mu) / (sqrt L + sqrt mu) instead of 1.
//
// Guarantee, with a plain accelerated method in place of Greedy FISTA (that is r-apm with eta = 1/gamma): under
// dist(x, X*)^alpha <= rho (g - g*) and f l-Lipschitz, gamma of the order l^beta eps^(1-beta), beta >= alpha,
// gives an (eps, l^-beta eps^beta)-solution after O(sqrt(L_f/eps) + sqrt(l^beta L_g / eps^beta)) steps.  The limit
// is the minimiser of Phi: f lies below f* and g above g*, by O(1/gamma) where g grows quadratically. The paper
// analyses plain FISTA; its code, followed here, uses Greedy FISTA with S = 1, and so do its defaults: gamma 1e5,
// tolerance 1e-10, 500,000 iterations, 5 stages with factor 20.  That code begins wherever it is told to, in Z or
// not (raw_start): a far start makes |x1 - x0| and with it the rule on the step length generous.  Reported: the
// last x, which is a projection and so in Z.
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/greedy_fista.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"
#include "baselines/weighted.hpp"

namespace fcbio {
namespace {

struct PenaltyOptions : BaselineOptions {
  PenaltyOptions() { iterations = 500000; }
  double gamma = 1e5;
  double tolerance = 1e-10;
  double safeguard = 1.0;
  bool raw_start = false;
};

struct StagedPenaltyOptions : PenaltyOptions {
  std::int64_t stages = 5;
  double factor = 20.0;
};

// One stage, from x on; false: a limit or the budget ended it.
bool minimise_penalised(MethodRun& run, GreedyFista& fista, double gamma, double mu, const GreedyFistaRules& rules,
                        std::int64_t stage, Vector& x) {
  fista.begin(x, curvature_bound(run, Level::upper) + gamma * run.smoothness(Level::lower), rules, mu);
  while (!fista.converged()) {
    if (!run.may_step(1, 1)) return false;
    fista.step([&](const Vector& y, Vector& out) { weighted_gradient(run, 1.0, gamma, y, out); },
               [&](double step, Vector& z) { run.prox(step, 1.0, gamma, z); });
    run.step_done(fista.x(), "step", stage);
  }
  x = fista.x();
  return true;
}

Result staged(MethodRun& run, const PenaltyOptions& options, std::int64_t stages, double factor, double mu) {
  GreedyFista fista;
  Vector x = options.raw_start ? run.given_start() : run.start();
  for (std::int64_t i = 1; i <= stages; ++i) {
    const auto left = static_cast<double>(stages - i);
    const GreedyFistaRules rules{.tolerance = options.tolerance * std::pow(10.0, left),
                                 .safeguard = options.safeguard};
    if (!minimise_penalised(run, fista, options.gamma * std::pow(factor, -left), mu, rules, i, x))
      return run.finish();
  }
  return run.finish(true);
}

Result pb_apg(MethodRun& run, const PenaltyOptions& options) { return staged(run, options, 1, 1.0, 0.0); }

Result pb_apg_sc(MethodRun& run, const PenaltyOptions& options) {
  return staged(run, options, 1, 1.0, run.problem().upper().strong_convexity());
}

Result apb_apg(MethodRun& run, const StagedPenaltyOptions& options) {
  return staged(run, options, options.stages, options.factor, 0.0);
}

Result apb_apg_sc(MethodRun& run, const StagedPenaltyOptions& options) {
  return staged(run, options, options.stages, options.factor, run.problem().upper().strong_convexity());
}

template <class Options>
std::vector<OptionEntry<Options>> penalty_entries() {
  return {{"gamma",
           &Options::gamma,
           {0.0, kInfinity, true},
           {},
           "weight of g in f + gamma g; the authors' code: 1e5 (theory: see the method's notes)"},
          {"tolerance",
           &Options::tolerance,
           {0.0, kInfinity},
           {},
           "the (last) minimisation ends at |x+ - x| below this; the authors' code: 1e-10"},
          {"safeguard",
           &Options::safeguard,
           {0.0, kInfinity, true},
           {},
           "Greedy FISTA shortens its step where |x+ - x| > safeguard |x1 - x0|; the authors' code: 1"},
          {"raw_start",
           &Options::raw_start,
           {},
           {},
           "begin from the start as it was given, even outside Z, as the authors' code does; else from its "
           "projection"}};
}

std::vector<OptionEntry<StagedPenaltyOptions>> staged_entries() {
  auto entries = penalty_entries<StagedPenaltyOptions>();
  entries.push_back({"stages",
                     &StagedPenaltyOptions::stages,
                     {1, 100},
                     {},
                     "penalised problems solved one after the other; the authors' code: 5"});
  entries.push_back({"factor",
                     &StagedPenaltyOptions::factor,
                     {1.0, kInfinity},
                     {},
                     "gamma of a stage over that of the one before; the authors' code: 20"});
  return entries;
}

std::string strongly_convex_misfit(const Problem& problem) {
  return first_missing(problem, not_composite, not_strongly_convex_upper);
}

}  // namespace

std::vector<MethodInfo> penalty_apg_methods() {
  const std::string composite = "f and g smooth, or with l1 norms whose prox over Z is known";
  const std::string composite_sc = composite + "; f strongly convex";
  const std::string guarantee =
      "under an error bound and with gamma chosen by it: (eps, eps)-weak after O(eps^(-1/2) + sqrt(gamma L_g / "
      "eps)) steps of a plain accelerated method";
  return {published<PenaltyOptions>(
              {"pb-apg", "one penalised problem f + gamma g by Greedy FISTA (Chen, Shi, Jiang, Wang 2024)",
               composite, guarantee, true},
              penalty_entries<PenaltyOptions>(), not_composite, pb_apg),
          published<StagedPenaltyOptions>(
              {"apb-apg", "pb-apg in stages of growing gamma, warm-started (Chen, Shi, Jiang, Wang 2024)",
               composite, guarantee, true},
              staged_entries(), not_composite, apb_apg),
          published<PenaltyOptions>(
              {"pb-apg-sc", "pb-apg with the momentum of a strongly convex f (Chen, Shi, Jiang, Wang 2024)",
               composite_sc, guarantee, true},
              penalty_entries<PenaltyOptions>(), strongly_convex_misfit, pb_apg_sc),
          published<StagedPenaltyOptions>(
              {"apb-apg-sc", "apb-apg with the momentum of a strongly convex f (Chen, Shi, Jiang, Wang 2024)",
               composite_sc, guarantee, true},
              staged_entries(), strongly_convex_misfit, apb_apg_sc)};
}

}  // namespace fcbio
