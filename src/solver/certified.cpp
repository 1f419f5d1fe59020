#include "solver/certified.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>

#include "core/checkpoints.hpp"
#include "core/conclusion.hpp"
#include "core/requirements.hpp"
#include "fcbio/error.hpp"
#include "functions/distributed_term.hpp"
#include "inner/accelerated_engine.hpp"
#include "inner/handover_engine.hpp"
#include "inner/interior_point_engine.hpp"
#include "inner/newton.hpp"
#include "inner/projected_quasi_newton.hpp"
#include "inner/switching_engine.hpp"
#include "inner/wide_engine.hpp"
#include "solver/bundle_level.hpp"
#include "solver/earlier_answer.hpp"
#include "solver/functionally_constrained.hpp"
#include "solver/sandwich.hpp"
#include "solver/sparse_answer.hpp"

namespace fcbio {
namespace {

constexpr std::string_view kAuto = "auto", kQuasiNewton = "quasi-newton", kNewton = "newton",
                           kAccelerated = "accelerated", kBundleLevel = "bundle-level", kLevel = "level",
                           kRace = "race",  // of `accelerated` and `bundle-level`
    kInteriorPoint = "interior-point", kLowRank = "low-rank", kSmoothed = "smoothed", kPrimalDual = "primal-dual";
constexpr std::array kEngines = {kAuto,        kQuasiNewton, kNewton, kAccelerated,  // in the order of EngineKind
                                 kBundleLevel, kRace,        kLevel,  kInteriorPoint, kLowRank,
                                 kSmoothed,    kPrimalDual};

/// Engines that look at single rows, or factorise; all others take values, gradients and products.
bool needs_all_rows(std::string_view engine) {
  return engine == kNewton || engine == kLowRank || engine == kInteriorPoint || engine == kSmoothed ||
         engine == kPrimalDual;
}

/// Why an engine cannot run on a problem; empty: it can.
std::string engine_misfit(std::string_view engine, const Problem& problem) {
  if (engine == kLevel) return {};
  if (const Term* term = functions::distributed_part(problem); term != nullptr && needs_all_rows(engine))
    return fmt::format(
        "the rows of '{}' lie on many ranks, and it needs them in one place; start the program without mpirun, or "
        "take one of the engines quasi-newton, accelerated, bundle-level, race and level",
        term->name());
  if (!problem.domain().diameter()) return "the domain has no radius, without which no lower bound can be proved";
  if (engine == kBundleLevel) return {};
  if (engine == kNewton) return NewtonEngine::misfit(problem);
  if (engine == kLowRank) return NewtonEngine::misfit(problem, NewtonEngine::Form::low_rank);
  if (engine == kInteriorPoint) return InteriorPointEngine::misfit(problem);
  if (engine == kSmoothed) return SmoothedEngine::misfit(problem);
  if (engine == kPrimalDual) return PrimalDualEngine::misfit(problem);
  if (engine == kAccelerated || engine == kRace) return AcceleratedEngine::misfit(problem);
  if (!ProjectedQuasiNewton::fits(problem.domain()))
    return fmt::format(
        "the domain is of the kind '{}', and the model can be minimised over the whole space, a ball, a box, a "
        "simplex, an l1 ball and a nonnegative ball only",
        problem.domain().name());
  return not_differentiable(problem);
}

/// Whether line searches cost passes: then an engine without them is better.
bool is_black_box(const Problem& problem) {
  return problem.upper().cost().slope_along + problem.lower().cost().slope_along > 0;
}

/// Black boxes that tell their Hessians, which takes as many products as there are variables.
constexpr Index kFewVariables = 200;

/// The rule behind engine = auto; docs/mathematics.md has the counts it rests on.
std::string_view choose_engine(const Problem& problem, bool tight) {
  if (!is_black_box(problem) && engine_misfit(kQuasiNewton, problem).empty()) return kQuasiNewton;
  if (problem.dimension() <= kFewVariables && not_differentiable(problem).empty() &&
      engine_misfit(kNewton, problem).empty())
    return kNewton;
  if (engine_misfit(kInteriorPoint, problem).empty() && InteriorPointEngine::is_worthwhile(problem) &&
      InteriorPointEngine::is_affordable(problem))
    return kInteriorPoint;
  // Kinks of losses, on data that are too large for a factorisation.
  if (!is_black_box(problem) && !AcceleratedEngine::misfit(problem).empty() &&
      engine_misfit(kSmoothed, problem).empty() && WideEngine::misfit(problem).empty())
    return kSmoothed;
  if (engine_misfit(kAccelerated, problem).empty()) {
    const bool hands_over = not_smooth(problem).empty() && HandoverEngine::misfit(problem).empty();
    return tight || hands_over || is_black_box(problem) ? kAccelerated : kRace;
  }
  return engine_misfit(kBundleLevel, problem).empty() ? kBundleLevel : kLevel;
}

/// Whether a first-order method may have two or three digits before the interior-point method has done its first few
/// steps; of small problems these take no time.
bool may_begin_first_order(const Problem& problem) {
  constexpr double kLeastOperations = 1e8;
  const double operations =
      2.0 * static_cast<double>(stored_numbers(problem)) * InteriorPointEngine::expected_cost(problem);
  return operations >= kLeastOperations && InteriorRegion::size_of(problem.domain()).rows == 0;
}

std::unique_ptr<Engine> make_engine(std::string_view name, Oracle& oracle, const CertifiedOptions& options) {
  const bool may_hand_over =
      options.engine == EngineKind::automatic && HandoverEngine::misfit(oracle.problem()).empty();
  const auto or_interior_point = [&](std::unique_ptr<Engine> engine,
                                     double earliest = HandoverEngine::kEarliest) -> std::unique_ptr<Engine> {
    if (!may_hand_over) return engine;
    return std::make_unique<HandoverEngine>(oracle, std::move(engine), earliest);
  };
  if (name == kAccelerated) return or_interior_point(std::make_unique<AcceleratedEngine>(oracle));
  if (name == kNewton) return std::make_unique<NewtonEngine>(oracle);
  if (name == kLowRank) return std::make_unique<NewtonEngine>(oracle, NewtonEngine::Form::low_rank);
  if (name == kInteriorPoint && may_hand_over && may_begin_first_order(oracle.problem())) {
    const Problem& problem = oracle.problem();
    const bool kinks = !problem.lower().differentiable();  // of losses; the l1 norm is kept as it is
    if (kinks && PrimalDualEngine::misfit(problem).empty())
      return or_interior_point(std::make_unique<PrimalDualEngine>(oracle), 0.0);
    if (!kinks && SmoothedEngine::misfit(problem).empty() && SmoothedEngine::steps_within(problem.domain()))
      return or_interior_point(std::make_unique<SmoothedEngine>(oracle), 0.0);
    if (!kinks && AcceleratedEngine::misfit(problem).empty())
      return or_interior_point(std::make_unique<AcceleratedEngine>(oracle), 0.0);
  }
  if (name == kInteriorPoint) return std::make_unique<InteriorPointEngine>(oracle);
  if (name == kSmoothed && options.engine == EngineKind::automatic) return std::make_unique<WideEngine>(oracle);
  if (name == kSmoothed) return std::make_unique<SmoothedEngine>(oracle);
  if (name == kPrimalDual) return std::make_unique<PrimalDualEngine>(oracle);
  const Index memory = options.memory > 0 ? options.memory : ProjectedQuasiNewton::memory_for(oracle.problem());
  if (options.engine == EngineKind::automatic && SwitchingEngine::misfit(oracle.problem()).empty())
    return std::make_unique<SwitchingEngine>(oracle, memory);
  return or_interior_point(std::make_unique<ProjectedQuasiNewton>(oracle, memory));
}

Result run_level(const Problem& problem, const Accuracy& accuracy, const CertifiedOptions& options,
                 Monitor& monitor) {
  FcbioOptions level_options;
  level_options.alpha0 = 1.0;
  level_options.lower_iterations = 0;
  level_options.two_sided = true;
  level_options.upper_bound_below = options.upper_bound_below;
  const InnerKind kind = not_smooth(problem).empty() ? InnerKind::accelerated : InnerKind::subgradient;
  FunctionallyConstrained method(problem, accuracy, level_options, kind, monitor);
  Result result = method.run();
  result.engine = kLevel;
  return result;
}

BundleOptions bundle_options(const Problem& problem, const CertifiedOptions& options) {
  BundleOptions bundle;
  bundle.cuts = options.cuts;
  // Smooth functions are better served by the form with a proof, nonsmooth ones by the fast one.
  bundle.fixed_centre = not_smooth(problem).empty();
  return bundle;
}

/// The certificate is complete: on towards the solution, for `factor` times the work done until now.
Result refined(Driver& driver, Oracle& oracle, Ledger& ledger, const Accuracy& accuracy, double factor) {
  const Ending ending{.can_prove = true};
  CertifiedAnswer answer(oracle, ledger, accuracy);
  Monitor& monitor = oracle.monitor();
  Work done = monitor.work();
  const Frame frame(monitor, [&](Archive& archive) { archive(answer, done); });
  if (!answer.is_certified()) return conclude(oracle, ledger, accuracy, ending);
  const auto share = [factor](std::int64_t of) { return of > 0 ? factor * static_cast<double>(of) : 0.0; };
  const double passes = share(done.passes()), iterations = share(done.iterations);
  const SparseAnswer sparse(oracle.problem());
  const double for_zeros = sparse.applies() ? static_cast<double>(sparse.cost()) : 0.0;
  {
    const Monitor::Allowance allowance(monitor, done, std::max(0.0, passes - for_zeros), iterations);
    driver.approach(answer);
  }
  {
    const Monitor::Grace grace(monitor);
    answer.offer_candidate();  // the last one; free where it is the answer
  }
  if (sparse.applies() && for_zeros <= passes && !monitor.stopped())
    sparse.sparsify(oracle, ledger, accuracy, answer);
  return conclude(oracle, answer, accuracy, ending);
}

/// One engine and what drives it, from what the ledger knows.
class Attempt {
 public:
  Attempt(std::string_view name, const Accuracy& accuracy, const CertifiedOptions& options, Oracle& oracle,
          Ledger& ledger)
      : monitor_(oracle.monitor()) {
    const Problem& problem = oracle.problem();
    if (name != kBundleLevel) {
      engine_ = make_engine(name == kRace ? kAccelerated : name, oracle, options);
      sandwich_ = std::make_unique<Sandwich>(problem, accuracy, oracle, ledger, *engine_, options.refine > 0.0);
    }
    if (name == kBundleLevel || name == kRace)
      bundle_ = std::make_unique<BundleLevel>(problem, accuracy, oracle, ledger, bundle_options(problem, options));
  }

  /// The driver that completed the certificate; null: none did, with at most that much work (Driver::advance).
  Driver* run(std::int64_t most, std::int64_t projections) {
    if (completed_ == By::nobody) {
      Driver* completed = nullptr;
      if (sandwich_ && bundle_)
        completed = race(*sandwich_, *bundle_, monitor_);
      else if (Driver& only = sandwich_ ? *sandwich_ : *bundle_;
               only.advance(most, projections) == Driver::Outcome::complete)
        completed = &only;
      if (completed != nullptr) completed_ = completed == sandwich_.get() ? By::sandwich : By::bundle;
    }
    return completed_ == By::sandwich ? sandwich_.get() : (completed_ == By::bundle ? bundle_.get() : nullptr);
  }

  std::string name() const {
    std::string name(engine_ ? engine_->name() : std::string_view());
    if (bundle_) name += (engine_ ? " and " : "") + std::string(kBundleLevel);
    return name;
  }

  void archive(Archive& archive) {
    archive(completed_);
    if (engine_) archive(*engine_, *sandwich_);
    if (bundle_) archive(*bundle_);
  }

 private:
  enum class By { nobody, sandwich, bundle };
  Monitor& monitor_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Driver> sandwich_, bundle_;
  By completed_ = By::nobody;
};

/// Rounding stops engines at different places: who may finish what `chosen` could not, with all bounds and points that
/// are known by then.
std::vector<std::string_view> others_than(std::string_view chosen, const Problem& problem, bool tight) {
  std::vector<std::string_view> others;
  const auto add = [&](std::string_view name) {
    if (name != chosen && engine_misfit(name, problem).empty()) others.push_back(name);
  };
  if (InteriorPointEngine::is_affordable(problem)) add(kInteriorPoint);
  if (chosen != kRace) add(kAccelerated);
  if (!tight && chosen != kRace) add(kBundleLevel);
  return others;
}

// What the others may spend, in units of work: on what was done before, and at least.
constexpr std::int64_t kShareForOthers = 4, kLeastForOthers = 2000;
// Sets that barely meet take 10^5 projections for one point.
constexpr std::int64_t kProjectionsForOthers = 20'000'000;

/// Work that cutting planes have for a first look, before the engine `name`: they know two or three digits after a few
/// dozen passes, or never.  Only where a pass takes longer than all that they do besides.
std::int64_t first_look(std::string_view name, const Problem& problem, bool tight) {
  constexpr Index kLeastNumbers = 4'000'000;
  constexpr std::int64_t kLook = 100;
  constexpr double kMostShare = 0.2;  // of the price of the engine
  if (name != kInteriorPoint || tight || stored_numbers(problem) < kLeastNumbers) return 0;
  if (!engine_misfit(kBundleLevel, problem).empty()) return 0;
  const double price = InteriorPointEngine::expected_cost(problem);
  return std::isfinite(price) && static_cast<double>(kLook) <= kMostShare * price ? kLook : 0;
}

/// Any engine but `level`.
Result run_engine(std::string_view name, const Problem& problem, const Accuracy& accuracy,
                  const CertifiedOptions& options, Monitor& monitor) {
  Oracle oracle(problem, monitor);
  Ledger ledger(problem);
  const Monitor::Reservation for_the_end(monitor, Ledger::proof_cost(problem));  // conclude() proves
  const bool automatic = options.engine == EngineKind::automatic;
  const std::int64_t look = automatic ? first_look(name, problem, accuracy.tight) : 0;
  std::vector<std::string_view> all{name};
  if (look > 0) all.insert(all.begin(), kBundleLevel);
  const std::size_t planned = all.size();
  std::size_t turn = 0;
  std::int64_t most = look > 0 ? look : Driver::kNoEnd, projections = Driver::kNoEnd;  // of the turn
  const Frame frame(monitor, [&](Archive& archive) { archive(oracle, ledger, turn, most, projections); });
  if (options.start != nullptr && !frame.is_resumed()) take_answer(oracle, ledger, *options.start);

  const auto add_others = [&] {
    if (all.size() > planned || !automatic) return;
    for (const std::string_view other : others_than(name, problem, accuracy.tight)) all.push_back(other);
  };
  if (turn >= planned) add_others();
  for (;; ++turn) {
    Attempt attempt(all[turn], accuracy, options, oracle, ledger);
    const Frame state(monitor, [&](Archive& archive) { archive(attempt); });
    Driver* const completed = attempt.run(most, projections);
    if (completed == nullptr && !monitor.stopped()) {
      if (turn + 1 >= planned) add_others();
      if (turn + 1 < all.size()) {
        most = Driver::kNoEnd;
        if (turn + 1 >= planned) {
          most = kLeastForOthers + kShareForOthers * (monitor.work().passes() + monitor.work().iterations);
          projections = kProjectionsForOthers;
        }
        continue;
      }
    }
    Result result = completed != nullptr && options.refine > 0.0 && !accuracy.tight && !monitor.stopped()
                        ? refined(*completed, oracle, ledger, accuracy, options.refine)
                        : conclude(oracle, ledger, accuracy, {.can_prove = true});
    result.engine = attempt.name();
    return result;
  }
}

}  // namespace

std::string_view to_string(EngineKind engine) {
  const auto place = static_cast<std::size_t>(engine);
  return place < kEngines.size() ? kEngines[place] : "unknown";
}

const OptionTable<CertifiedOptions>& certified_option_table() {
  static const OptionTable<CertifiedOptions> table({
      {"engine",
       &CertifiedOptions::engine,
       {},
       {kEngines.begin(), kEngines.end()},
       "what does the work. Along a path of multipliers: 'quasi-newton' (limited-memory BFGS, exact line searches), "
       "'newton' (a factorisation; few rows or columns; ball, box, nonnegative ball, whole space), 'accelerated' "
       "(accelerated gradients; "
       "black-box functions, sums with l1 norms). Otherwise: 'bundle-level' (cutting planes of both levels; nonsmooth "
       "functions, any bounded set), 'race' (the last two in turn, with shared bounds), 'level' (bisection on t, "
       "two-sided). Along the path, too: 'interior-point' (losses with kinks, l1 norms, polyhedra; a factorisation a "
       "step, for problems with a side of up to a few thousand, or sparse), 'low-rank' (ill-posed problems: Newton's "
       "method with a model of low rank, which a randomised range finder makes and enlarges as steps need it), "
       "'smoothed' (kinks of losses rounded off, quasi-Newton; to a few digits) and 'primal-dual' (restarted primal-dual "
       "steps on losses and their duals), both for wide data with kinks"},
      {"memory", &CertifiedOptions::memory, {0, 1000}, {}, "curvature pairs of engine = quasi-newton; 0: by cost"},
      {"cuts",
       &CertifiedOptions::cuts,
       {0, 1000},
       {},
       "cutting planes of engine = bundle-level; 0: 100, less in large dimensions"},
      {"upper_bound_below",
       &CertifiedOptions::upper_bound_below,
       {},
       {},
       "engine = level: a known lower bound of f over Z, the first end of the bracket; unset: what the function "
       "knows, else by minimising f"},
      {"refine",
       &CertifiedOptions::refine,
       {.low = 0.0, .infinite = true},
       {},
       "once the answer is certified, go on towards the solution itself (a smaller g, an f nearer to f*) for at most "
       "this many times the work of the certificate; 0: stop at the certificate, without a look for the vertex or face on "
       "which the answer lies; inf: until f is near, or double "
       "precision ends"},
  });
  return table;
}

std::string certified_misfit(const Problem& problem) {
  if (engine_misfit(kBundleLevel, problem).empty()) return {};
  const std::string smooth = not_smooth(problem);
  if (smooth.empty()) return smooth;
  const std::string lipschitz = not_lipschitz(problem);
  return lipschitz.empty() ? lipschitz : smooth + ", and " + lipschitz;
}

Result run_certified(const Problem& problem, const Accuracy& accuracy, const CertifiedOptions& options,
                     Monitor& monitor) {
  const std::string_view engine =
      options.engine == EngineKind::automatic ? choose_engine(problem, accuracy.tight) : to_string(options.engine);
  if (accuracy.tight && problem.domain().rests_on_told_radius())
    throw InvalidArgument(
        "accuracy.tight speaks of every point of the domain, and a whole space with a told radius vouches for "
        "solutions only; "
        "give a ball, or leave tight out");
  if (accuracy.tight && !problem.domain().diameter())
    throw InvalidArgument(
        "accuracy.tight needs a bounded domain, found one without a radius; give a ball, or leave tight out");
  if (accuracy.tight && (engine == kLevel || engine == kBundleLevel || engine == kRace))
    throw InvalidArgument(fmt::format(
        "accuracy.tight needs an engine that works along the path of multipliers, found {}; leave tight out",
        options.engine == EngineKind::automatic ? "a problem that neither fits"
                                                : fmt::format("engine = {}", engine)));
  if (const std::string why = engine_misfit(engine, problem); !why.empty())
    throw InvalidArgument(
        fmt::format("engine '{}' does not fit: {}; leave the choice to engine = auto", engine, why));
  return engine == kLevel ? run_level(problem, accuracy, options, monitor)
                          : run_engine(engine, problem, accuracy, options, monitor);
}

}  // namespace fcbio
