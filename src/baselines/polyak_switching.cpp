// Polyak's switching subgradient method (1967) for  min f(x) s.t. g(x) <= g^ + eps_g/2, x in Z.
//
//   lower phase   K normalised subgradient steps on g, x+ = P_Z( x - D / sqrt K * g'(x)/|g'(x)| ); x_g is the best
//                 point and g^ = g(x_g), with g^ - g* <= D C_g / sqrt K.
//   switching     from x_g:   g(x) >  g^ + eps_g/2:   x+ = P_Z( x - (g(x) - g^) / |g'(x)|^2 * g'(x) ),
//                             otherwise:              x+ = P_Z( x - eps_f / |f'(x)|^2 * f'(x) ).
// Reported is the least f among the points of the second kind.
//
// Guarantee.  A step on g brings x closer to x*: |x+ - x*|^2 <= |x - x*|^2 - (g(x) - g^)^2 / |g'|^2 since
// g(x) - g(x*) >= g(x) - g^; so does a step on f from a point with f(x) > f* + eps_f, by eps_f^2 / |f'|^2.  Once
// these numbers add up to D^2, some point of the second kind has f(x) <= f* + eps_f, and g(x) <= g* + eps_g if
// g^ - g* <= eps_g/2: at the latest after D^2 max{C_f^2/eps_f^2, 4 C_g^2/eps_g^2} steps.  That sum is the stopping
// rule.  The lower phase takes the (2 D C_g / eps_g)^2 steps of theory, but at most half of the budget, and ends
// early where a known lower bound of g shows it is done.
//
// It stands in for the O(eps^-2) nonsmooth competitors whose updates are not public (see docs/methods.md).
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"

namespace fcbio {
namespace {

struct PolyakOptions : BaselineOptions {
  std::int64_t lower_iterations = 0;
};

class PolyakSwitching {
 public:
  PolyakSwitching(MethodRun& run, const PolyakOptions& options)
      : run_(run),
        oracle_(run.oracle()),
        diameter_(run.problem().domain().diameter().value_or(1.0)),
        lower_steps_(options.lower_iterations),
        x_(run.problem()),
        at_x_{Linearization(run.problem().upper()), Linearization(run.problem().lower())},
        best_(run.start()) {
    x_.x = run.start();
    if (lower_steps_ == 0) {
      const double theory = std::pow(2.0 * diameter_ * run.lipschitz(Level::lower) / run.accuracy().lower, 2);
      lower_steps_ = static_cast<std::int64_t>(
          std::ceil(std::clamp(theory, 1.0, std::max(1.0, 0.5 * static_cast<double>(run.budget())))));
    }
  }

  Result solve() {
    lower_phase();
    return run_.finish(switching());
  }

 private:
  const Vector& gradient(Level level) {
    oracle_.linearize(level, x_, at_x_[level]);
    return at_x_[level].gradient;
  }
  void step_along(double length, VectorIn direction) {
    x_.x -= length * direction;
    oracle_.project_where_bounded(x_.x);
  }

  void lower_phase() {
    const double enough = run_.problem().lower().lower_bound() + 0.5 * run_.accuracy().lower;
    const double length = diameter_ / std::sqrt(static_cast<double>(lower_steps_));
    for (std::int64_t k = 0; k < lower_steps_ && lowest_ > enough && run_.may_step(0, 1); ++k) {
      oracle_.update_images(Level::lower, x_);
      const Vector& v = gradient(Level::lower);
      if (run_.stopped()) return;
      if (at_x_.lower.value < lowest_) {
        lowest_ = at_x_.lower.value;
        best_ = x_.x;
      }
      const double norm = v.norm();
      if (norm > 0.0) step_along(length / norm, v);
      run_.step_done(best_, "lower");
      if (!(norm > 0.0)) break;  // a minimiser of g
    }
    x_.x = best_;
  }

  // True: the sum of the guarantee is complete.
  bool switching() {
    const double allowed = 0.5 * run_.accuracy().lower;
    const double aim = run_.accuracy().upper;
    const std::int64_t passes = run_.evaluation_cost(Level::upper) + run_.evaluation_cost(Level::lower) +
                                run_.problem().lower().cost().value;
    double least = kInfinity, approach = 0.0;
    while (run_.may_step_with_passes(passes)) {
      oracle_.update_images(Level::lower, x_);
      const double excess = oracle_.value(Level::lower, x_) - lowest_;
      if (run_.stopped()) break;
      const bool feasible = excess <= allowed;
      if (feasible) oracle_.update_images(Level::upper, x_);
      const Vector& v = gradient(feasible ? Level::upper : Level::lower);
      if (run_.stopped()) break;
      if (feasible && at_x_.upper.value < least) {
        least = at_x_.upper.value;
        best_ = x_.x;
      }
      const double square = v.squaredNorm(), gap = feasible ? aim : excess;
      if (square > 0.0) {
        approach += gap * gap / square;
        step_along(gap / square, v);
      }
      run_.step_done(best_, "switch");
      if (!(square > 0.0) || approach >= diameter_ * diameter_) return true;
    }
    return false;
  }

  MethodRun& run_;
  Oracle& oracle_;
  const double diameter_;
  std::int64_t lower_steps_;
  Point x_;
  PerLevel<Linearization> at_x_;
  Vector best_;
  double lowest_ = kInfinity;  // g^
};

Result polyak_switching(MethodRun& run, const PolyakOptions& options) {
  return PolyakSwitching(run, options).solve();
}

}  // namespace

std::vector<MethodInfo> polyak_switching_methods() {
  return {published<PolyakOptions>(
      {"polyak-switching", "switching subgradient steps (Polyak 1967) after a subgradient phase on g",
       "f and g Lipschitz on a bounded Z",
       "(eps_f, eps_g)-weak after D^2 max{C_f^2/eps_f^2, 4 C_g^2/eps_g^2} steps and a lower phase of "
       "4 D^2 C_g^2/eps_g^2",
       true, false},
      {{"lower_iterations",
        &PolyakOptions::lower_iterations,
        {0, 1e15},
        {},
        "steps of the lower phase; 0: what theory asks for, at most half of `iterations`"}},
      [](const Problem& problem) { return first_missing(problem, not_lipschitz, unbounded_domain); },
      polyak_switching)};
}

}  // namespace fcbio
