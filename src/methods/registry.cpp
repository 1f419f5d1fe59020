// The registry of methods and solve().
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "baselines/baselines.hpp"
#include "build/presolve.hpp"
#include "core/nearest_name.hpp"
#include "core/requirements.hpp"
#include "core/unbounded.hpp"
#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "fcbio/threads.hpp"
#include "solver/absolute.hpp"
#include "solver/certified.hpp"
#include "solver/finite_sums.hpp"
#include "solver/functionally_constrained.hpp"
#include "solver/relative.hpp"
#include "solver/solution_region.hpp"

namespace fcbio {
namespace {

void check_theory(const Problem& problem, const FcbioOptions& options) {
  if (options.budget == RoundBudget::theory && !problem.domain().diameter())
    throw InvalidArgument(
        "budget = theory needs a bounded domain, found one without a diameter; give the set a "
        "radius, or use budget = cap");
}

/// A published method: its words are filled in by the caller.
MethodInfo published_method(const OptionTable<FcbioOptions>& table, InnerKind kind) {
  MethodInfo info;
  info.zero_respecting = true;
  info.options = table.describe(FcbioOptions{});
  info.check_options = [&table](const OptionValues& values) { table.parse(FcbioOptions{}, values); };
  info.options_as_used = [&table](const SolveOptions& given) {
    return table.record(table.parse(given.published, given.values));
  };
  info.run = [&table, kind](const Problem& problem, const SolveOptions& given, Monitor& monitor) {
    const FcbioOptions options = table.parse(given.published, given.values);
    table.check(options);
    check_theory(problem, options);
    Result result = FunctionallyConstrained(problem, given.accuracy, options, kind, monitor).run();
    result.options = table.record(options);
    return result;
  };
  return info;
}

MethodInfo smooth_method() {
  MethodInfo info = published_method(smooth_option_table(), InnerKind::accelerated);
  info.name = "fcbio-sm";
  info.summary =
      "FC-BiO for smooth problems, as published: bisection on t, generalized accelerated gradient inside";
  info.needs = "smooth f and g";
  info.guarantee =
      "(eps_f, eps_g)-weak after O(max{sqrt(L_f/eps_f), sqrt(L_g/eps_g)} D log(1/eps)) steps with budget = theory";
  info.misfit = not_smooth;
  return info;
}

MethodInfo lipschitz_method() {
  MethodInfo info = published_method(lipschitz_option_table(), InnerKind::subgradient);
  info.name = "fcbio-lip";
  info.summary = "FC-BiO for Lipschitz problems, as published: bisection on t, averaged subgradient method inside";
  info.needs = "f and g Lipschitz on Z";
  info.guarantee =
      "(eps_f, eps_g)-weak after O(max{C_f^2/eps_f^2, C_g^2/eps_g^2} D^2 log(1/eps)) steps with budget = theory";
  info.misfit = not_lipschitz;
  return info;
}

constexpr std::string_view kDefaultMethod = "fcbio";

/// A set without end is looked at where the solutions are proved to be, if that can be found out.
template <class Run>
Result run_where_solutions_are(const Problem& problem, bool tight, Monitor& monitor, const Run& run) {
  if (problem.domain().diameter() || tight) return run(problem);  // tight speaks of every point of the set
  std::optional<RegionWitness> region = find_solution_region(problem, monitor);
  if (!region) {
    if (std::holds_alternative<BoxShape>(problem.domain().shape()) && !monitor.stopped())
      throw InvalidArgument(fmt::format(
          "the domain '{0}' has open sides, and nothing in g says where its minimisers end (a norm would, or least "
          "squares of full column rank); give the {0} a `radius` that the norm of some solution does not "
          "exceed, or close its sides",
          problem.domain().name()));
    if (const std::string why = certified_misfit(problem); !why.empty()) throw InvalidArgument(why);
    return run(problem);
  }
  Result result = run(within_region(problem, *region));
  result.message += "; " + region_in_words(problem, *region);
  if (result.certificate.lower_gap || result.certificate.upper_excess) result.witness.region = std::move(region);
  return result;
}

MethodInfo certified_method() {
  MethodInfo info;
  info.name = kDefaultMethod;
  info.summary = "the default: the fastest engine that fits, until the answer is certified";
  info.needs = "smooth f and g, or f and g Lipschitz on a bounded Z";
  info.guarantee = "(eps_f, eps_g)-weak with a proof that `fcbio verify` can check";
  info.offers_tight = true;
  info.options = certified_option_table().describe(CertifiedOptions{});
  info.misfit = [](const Problem& problem) {
    return has_enclosing_lower_level(problem) ? std::string() : certified_misfit(problem);
  };
  info.check_options = [](const OptionValues& values) {
    certified_option_table().parse(CertifiedOptions{}, values);
  };
  info.options_as_used = [](const SolveOptions& given) {
    return certified_option_table().record(certified_option_table().parse(given.certified, given.values));
  };
  info.run = [](const Problem& problem, const SolveOptions& given, Monitor& monitor) {
    CertifiedOptions options = certified_option_table().parse(given.certified, given.values);
    certified_option_table().check(options);
    options.start = given.start.get();
    const auto run = is_relative(given.accuracy) ? run_relative
                     : given.accuracy.absolute   ? run_absolute
                                                 : run_certified;
    Result result = run_where_solutions_are(problem, given.accuracy.tight, monitor, [&](const Problem& bounded) {
      return run(bounded, given.accuracy, options, monitor);
    });
    result.options = certified_option_table().record(options);
    return result;
  };
  return info;
}

MethodInfo finite_sum_method() {
  const OptionTable<VarianceReducedOptions>& table = finite_sum_option_table();
  MethodInfo info;
  info.name = "fcbio-vr";
  info.summary = "for sums over many rows: accelerated variance reduction, a few rows at a time, until certified";
  info.needs = "f and g smooth sums over rows of data (and squared norms, linear terms) on a bounded Z";
  info.guarantee =
      "(eps_f, eps_g)-weak with a proof; expected O(m + sqrt(m) D max{sqrt(L_f/eps_f), sqrt(L_g/eps_g)}) component "
      "gradients, but for logarithms";
  info.options = table.describe(VarianceReducedOptions{});
  info.misfit = finite_sum_misfit;
  info.check_options = [&table](const OptionValues& values) { table.parse(VarianceReducedOptions{}, values); };
  info.options_as_used = [&table](const SolveOptions& given) {
    return table.record(table.parse(VarianceReducedOptions{}, given.values));
  };
  info.run = [&table](const Problem& problem, const SolveOptions& given, Monitor& monitor) {
    const VarianceReducedOptions options = table.parse(VarianceReducedOptions{}, given.values);
    Result result = run_finite_sum(problem, given.accuracy, options, monitor);
    result.options = table.record(options);
    return result;
  };
  return info;
}

void check_positive(std::string_view name, double value) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw InvalidArgument(fmt::format("accuracy.{}: expected a finite number > 0, found {}", name, value));
}

/// `relative`: in its place a number in units of the answer may be asked for.
void check_accuracy(std::string_view name, double value, double relative) {
  if (!(relative >= 0.0) || !(relative < 1.0))
    throw InvalidArgument(
        fmt::format("accuracy.{}_relative: expected a number >= 0 and below 1, found {}", name, relative));
  if (!(value == 0.0 && relative > 0.0)) check_positive(name, value);
}

void check_holder(const HolderBound& holder) {
  if (!(holder.alpha >= 1.0) || !std::isfinite(holder.alpha))
    throw InvalidArgument(
        fmt::format("accuracy.holder.alpha: expected a finite number >= 1, found {}", holder.alpha));
  check_positive("holder.beta", holder.beta);
  check_positive("holder.gradient_bound", holder.gradient_bound);
}

[[noreturn]] void refuse_checkpoints(const MethodInfo& method) {
  std::vector<std::string> others;
  for (const MethodInfo& other : methods())
    if (other.options_as_used) others.push_back(other.name);
  throw InvalidArgument(fmt::format(
      "method '{}' keeps no checkpoints; leave --checkpoint and --resume out, or take one of the methods that do: {}",
      method.name, fmt::join(others, ", ")));
}

/// While it lives, observers see points of the whole problem.
class RestoredPoints {
 public:
  RestoredPoints(const build::Presolved& presolved, Monitor& monitor) : monitor_(monitor) {
    if (presolved.idle() > 0)
      monitor.show_restored(presolved.problem().dimension() + presolved.idle(),
                            [&presolved](VectorIn point, VectorOut whole) { presolved.restore(point, whole); });
  }
  ~RestoredPoints() { monitor_.show_restored(0, {}); }
  RestoredPoints(const RestoredPoints&) = delete;
  RestoredPoints& operator=(const RestoredPoints&) = delete;

 private:
  Monitor& monitor_;
};

}  // namespace

const std::vector<MethodInfo>& methods() {
  static const std::vector<MethodInfo> all = [] {
    std::vector<MethodInfo> list{certified_method(), smooth_method(), lipschitz_method(), finite_sum_method()};
    for (MethodInfo& method : baseline_methods()) list.push_back(std::move(method));
    return list;
  }();
  return all;
}

const MethodInfo& find_method(std::string_view name) {
  std::vector<std::string> known;
  for (const MethodInfo& info : methods()) {
    if (info.name == name) return info;
    known.push_back(info.name);
  }
  throw InvalidArgument(fmt::format("unknown method '{}'{}; known methods: {}", name, did_you_mean(name, known),
                                    fmt::join(known, ", ")));
}

Result solve(const Problem& given_problem, const SolveOptions& options, Monitor& monitor) {
  const MethodInfo& method = find_method(options.method);
  check_accuracy("upper", options.accuracy.upper, options.accuracy.upper_relative);
  check_accuracy("lower", options.accuracy.lower, options.accuracy.lower_relative);
  if (options.accuracy.tight && !method.offers_tight)
    throw InvalidArgument(fmt::format(
        "accuracy.tight is offered by the method 'fcbio' only, found method '{}'; leave it out or change "
        "the method",
        method.name));
  if (options.accuracy.holder) check_holder(*options.accuracy.holder);
  if (options.accuracy.absolute && method.name != kDefaultMethod)
    throw InvalidArgument(fmt::format(
        "accuracy.absolute is offered by the method '{}' only, found method '{}'; leave it out or change "
        "the method",
        kDefaultMethod, method.name));
  if (is_relative(options.accuracy) && method.name != kDefaultMethod)
    throw InvalidArgument(fmt::format(
        "relative accuracies are offered by the method '{}' only, found method '{}'; give accuracy.upper and "
        "accuracy.lower in their place, or change the method",
        kDefaultMethod, method.name));
  if (monitor.checkpoints() != nullptr && !method.options_as_used) refuse_checkpoints(method);
  std::optional<ThreadScope> threads;
  if (options.threads != 0) threads.emplace(options.threads);
  std::optional<Problem> moved;
  if (options.start)
    moved.emplace(given_problem.upper(), given_problem.lower(), given_problem.domain_pointer(), options.start->x);
  const Problem& problem = moved ? *moved : given_problem;
  monitor.start();
  if (const std::string why = method.misfit(problem); !why.empty())
    throw InvalidArgument(fmt::format("method '{}' needs {}; {}", method.name, method.needs, why));
  if (const std::string why = falls_without_end(problem); !why.empty()) throw InvalidArgument(why);
  const build::Presolved presolved(problem, options.accuracy);
  const RestoredPoints restored(presolved, monitor);
  const auto run = [&](const Problem& ready) {
    Result result = method.run(ready, options, monitor);
    result.method = method.name;
    presolved.restore(result);
    return result;
  };
  if (presolved.problem().start_is_projected()) return run(presolved.problem());
  Problem ready = presolved.problem();
  ready.project_start(monitor);
  return run(ready);
}

Result solve(const Problem& problem, const SolveOptions& options) {
  Monitor monitor(options.limits);
  return solve(problem, options, monitor);
}

}  // namespace fcbio
