// Bisec-BiO (Wang, Shi, Jiang, AISTATS 2024): bisection on the value of f, with projections on its sublevel sets.
//
//     x_g, g^ = g(x_g) by Greedy-FISTA on g over Z;     low = a lower bound of f,  high = f(x_g) + upper_slack
//     x = argmin{ g over Z, f <= low };  done where  g(x) <= g^ + eps_g / 2
//     while high - low > eps_f:
//         c = (low + high) / 2;   x = argmin{ g over Z, f <= c }  by Greedy-FISTA from the last x
//         high = c where  g(x) <= g^ + eps_g / 2,  else low = c
//     x = argmin{ g over Z, f <= high } from the last x, which is the result.
//
// Guarantee (with exact enough rounds): (eps_f, eps_g)-weak, in about sqrt(L_g / eps_g) log((high - low) / eps_f)
// iterations; every round costs one gradient of g and one sublevel projection per iteration.
//
// Settings.  The authors' code has low = 0.01, high = f(x_g) + 1 (or + 10), tolerance 1e-8, S = 1.2 in
// Greedy-FISTA; here low is the minimum of f over Z, which is known, and high is f(x_g), unless told otherwise.
// The experiments of FC-BiO cap a round at 10,000 and the lower phase at 15,000 iterations.  An f without a known
// projection is refused.  Reported while it runs: the last point that was accepted.
#include "baselines/baselines.hpp"
#include "baselines/greedy_fista.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"
#include "baselines/sublevel_projection.hpp"

namespace fcbio {
namespace {

struct BisecBioOptions : BaselineOptions {
  std::optional<double> lower_bound;
  double upper_slack = 0.0;
  double tolerance = 1e-8;
  std::int64_t round_iterations = 500000;
  std::int64_t lower_iterations = 15000;
  BisecBioOptions() { iterations = 200000; }
};

class Bisection {
 public:
  Bisection(MethodRun& run, const BisecBioOptions& options)
      : run_(run),
        options_(options),
        sublevel_(run),
        smoothness_(run.smoothness(Level::lower)),
        x_(run.start()),
        accepted_(run.start()) {}

  Result solve() {
    const auto onto_domain = [this](double, VectorOut x) { run_.project(x); };
    if (!minimise("lower", options_.lower_iterations, onto_domain, true)) return run_.finish();
    const std::optional<double> lowest = lower_value();
    if (!lowest) return run_.finish();
    const double enough = *lowest + 0.5 * run_.accuracy().lower;

    double high = sublevel_.f().value(x_) + options_.upper_slack;
    double low = options_.lower_bound ? *options_.lower_bound : sublevel_.least();
    if (!round(low)) return run_.finish();
    if (reached_ && lower_is_at_most(enough)) return run_.finish(true);
    while (high - low > run_.accuracy().upper) {
      const double c = 0.5 * (low + high);
      if (!(c > low && c < high)) break;
      if (!round(c)) return run_.finish();
      (reached_ && lower_is_at_most(enough) ? high : low) = c;
      if (run_.stopped()) return run_.finish();
    }
    const bool ended = round(high, true);
    return run_.finish(ended);
  }

 private:
  /// x <- argmin of g over the set of the projection, from x.  False: stopped by a limit.
  template <class Projection>
  bool minimise(std::string_view phase, std::int64_t iterations, const Projection& projection, bool accept) {
    fista_.begin(x_, smoothness_, {.tolerance = options_.tolerance, .iterations = iterations, .safeguard = 1.2});
    const auto gradient = [this](const Vector& y, Vector& out) { out = run_.gradient(Level::lower, y); };
    while (!fista_.ended()) {
      if (!run_.may_step(0, 1)) return false;
      fista_.step(gradient, projection);
      if (accept && fista_.x().allFinite()) accepted_ = fista_.x();
      run_.step_done(accepted_, phase, rounds_);
      if (run_.stopped()) return false;
    }
    x_ = fista_.x();
    return true;
  }

  /// One round at level c; reached_ tells whether f <= c anywhere on Z.
  bool round(double c, bool accept = false) {
    ++rounds_;
    reached_ = true;
    const auto onto_sublevel = [this, c](double, VectorOut x) { reached_ = sublevel_.project(c, x) && reached_; };
    onto_sublevel(0.0, x_);
    if (!reached_) return true;
    return minimise("round", options_.round_iterations, onto_sublevel, accept);
  }

  bool lower_is_at_most(double enough) {
    const std::optional<double> value = lower_value();
    if (!value || *value > enough) return false;
    accepted_ = x_;
    return true;
  }

  std::optional<double> lower_value() {
    const PassCost cost = run_.problem().lower().cost();
    if (!run_.oracle().monitor().may_spend(cost.image + cost.value)) return std::nullopt;
    const double value = run_.value(Level::lower, x_);
    if (run_.stopped()) return std::nullopt;
    return value;
  }

  MethodRun& run_;
  const BisecBioOptions& options_;
  SublevelProjection sublevel_;
  const double smoothness_;
  GreedyFista fista_;
  Vector x_;
  Vector accepted_;  // g at most g^ + eps_g / 2, or the best there is
  std::int64_t rounds_ = 0;
  bool reached_ = true;
};

Result bisec_bio(MethodRun& run, const BisecBioOptions& options) { return Bisection(run, options).solve(); }

std::string bisec_bio_misfit(const Problem& problem) {
  if (std::string why = level_not_smooth(problem, Level::lower); !why.empty()) return why;
  return no_sublevel_projection(problem);
}

}  // namespace

std::vector<MethodInfo> bisec_bio_methods() {
  return {published<BisecBioOptions>(
      {"bisec-bio", "bisection on f with projections on its sublevel sets (Wang, Shi, Jiang 2024)",
       "smooth g, f = weight/2 |x - c|^2, with or without an l1 norm whose prox over Z is known",
       "rounds solved: (accuracy.upper, accuracy.lower)-weak, O(accuracy.lower^-1/2) iterations up to a logarithm",
       false},
      {{"lower_bound",
        &BisecBioOptions::lower_bound,
        {},
        {},
        "where the bisection begins from below; unset: the minimum of f over Z"},
       {"upper_slack",
        &BisecBioOptions::upper_slack,
        {0.0, kInfinity},
        {},
        "added to f(x_g) where it begins from above (the authors' code: 1 or 10)"},
       {"tolerance",
        &BisecBioOptions::tolerance,
        {0.0, kInfinity},
        {},
        "a run of Greedy-FISTA ends when its points move less than this"},
       {"round_iterations", &BisecBioOptions::round_iterations, {1, 1e15}, {}, "most iterations of a round"},
       {"lower_iterations",
        &BisecBioOptions::lower_iterations,
        {1, 1e15},
        {},
        "most iterations of the lower phase"}},
      bisec_bio_misfit, bisec_bio)};
}

}  // namespace fcbio
