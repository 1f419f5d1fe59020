#include "fcbio/certified.hpp"

#include <memory>

#include "fcbio/conclusion.hpp"
#include "fcbio/error.hpp"
#include "fcbio/functionally_constrained.hpp"
#include "fcbio/requirements.hpp"
#include "fcbio/sandwich.hpp"
#include "inner/accelerated_engine.hpp"
#include "inner/projected_quasi_newton.hpp"

namespace fcbio {
namespace {

constexpr std::string_view kQuasiNewton = "quasi-newton", kAccelerated = "accelerated", kLevel = "level";

/// Why an engine cannot run on a problem; empty: it can.
std::string engine_misfit(std::string_view engine, const Problem& problem) {
  if (engine == kLevel) return {};
  if (!problem.domain().diameter()) return "the domain has no radius, without which no lower bound can be proved";
  if (engine == kAccelerated) return AcceleratedEngine::misfit(problem);
  if (!ProjectedQuasiNewton::fits(problem.domain()))
    return fmt::format(
        "the domain is of the kind '{}', and the model can be minimised over the whole space, a ball, a box, a "
        "simplex and an l1 ball only",
        problem.domain().name());
  return not_smooth(problem);
}

/// Whether line searches cost passes: then an engine without them is better.
bool is_black_box(const Problem& problem) {
  return problem.upper().cost().slope_along + problem.lower().cost().slope_along > 0;
}

/// The rule behind engine = auto.
std::string_view choose_engine(const Problem& problem) {
  if (!is_black_box(problem) && engine_misfit(kQuasiNewton, problem).empty()) return kQuasiNewton;
  if (engine_misfit(kAccelerated, problem).empty()) return kAccelerated;
  return kLevel;
}

std::unique_ptr<Engine> make_engine(std::string_view name, Oracle& oracle, const CertifiedOptions& options) {
  if (name == kAccelerated) return std::make_unique<AcceleratedEngine>(oracle);
  const Index memory = options.memory > 0 ? options.memory : ProjectedQuasiNewton::memory_for(oracle.problem());
  return std::make_unique<ProjectedQuasiNewton>(oracle, memory);
}

Result run_level(const Problem& problem, const Accuracy& accuracy, const CertifiedOptions& options,
                 Monitor& monitor) {
  FcbioOptions level_options;
  level_options.alpha0 = 1.0;
  level_options.lower_iterations = 0;
  level_options.two_sided = true;
  level_options.upper_bound_below = options.upper_bound_below;
  const InnerKind kind = not_smooth(problem).empty() ? InnerKind::accelerated : InnerKind::subgradient;
  return FunctionallyConstrained(problem, accuracy, level_options, kind, monitor).run();
}

Result run_sandwich(std::string_view name, const Problem& problem, const Accuracy& accuracy,
                    const CertifiedOptions& options, Monitor& monitor) {
  Oracle oracle(problem, monitor);
  Ledger ledger(problem);
  monitor.reserve_passes(Ledger::proof_cost(problem));
  const std::unique_ptr<Engine> engine = make_engine(name, oracle, options);
  Sandwich(problem, accuracy, oracle, ledger, *engine).run();
  return conclude(oracle, ledger, accuracy, {.can_prove = true});
}

}  // namespace

const OptionTable<CertifiedOptions>& certified_option_table() {
  static const OptionTable<CertifiedOptions> table({
      {"engine",
       &CertifiedOptions::engine,
       {},
       {"auto", std::string(kQuasiNewton), std::string(kAccelerated), std::string(kLevel)},
       "what solves the inner problems: 'quasi-newton' (limited-memory BFGS and exact line searches along a path "
       "of "
       "multipliers), 'level' (bisection on t with two-sided stopping, for any convex set)"},
      {"memory", &CertifiedOptions::memory, {0, 1000}, {}, "curvature pairs of engine = quasi-newton; 0: by cost"},
      {"upper_bound_below",
       &CertifiedOptions::upper_bound_below,
       {},
       {},
       "engine = level: a known lower bound of f over Z, the first end of the bracket; unset: what the function "
       "knows, else by minimising f"},
  });
  return table;
}

std::string certified_misfit(const Problem& problem) {
  if (engine_misfit(kAccelerated, problem).empty()) return {};
  const std::string smooth = not_smooth(problem);
  if (smooth.empty()) return smooth;
  const std::string lipschitz = not_lipschitz(problem);
  return lipschitz.empty() ? lipschitz : smooth + ", and " + lipschitz;
}

Result run_certified(const Problem& problem, const Accuracy& accuracy, const CertifiedOptions& options,
                     Monitor& monitor) {
  const std::string_view engine = options.engine == "auto" ? choose_engine(problem) : options.engine;
  if (accuracy.tight && engine == kLevel)
    throw InvalidArgument(
        "accuracy.tight needs an engine that follows the path of multipliers, and none fits this problem (or "
        "engine = "
        "level was asked for); leave tight out");
  if (const std::string why = engine_misfit(engine, problem); !why.empty())
    throw InvalidArgument(
        fmt::format("engine '{}' does not fit: {}; leave the choice to engine = auto", engine, why));
  Result result = engine == kLevel ? run_level(problem, accuracy, options, monitor)
                                   : run_sandwich(engine, problem, accuracy, options, monitor);
  result.engine = engine;
  return result;
}

}  // namespace fcbio
