// Nesterov's constrained level method (Lectures on Convex Optimization, 2018, section 3.3.4; its level method is
// that of Lemarechal, Nemirovskii and Nesterov, 1995), for Lipschitz functions:
//     min f(x)  s.t.  g(x) <= g^, x in Z,       psi(t, x) = max{ f(x) - t, s (g(x) - g^) },  s = eps_f/eps_g.
// psi^ is the cutting-plane model of psi by all linearisations so far (baselines/cutting_planes.hpp) and
//     low(t) = min over Z of psi^(t, .)  <=  min over Z of psi(t, .)  <=  high(t) = least psi(t, x_j) so far.
//
//   t_0 <= t* (the smallest root of min psi(t, .)), then
//     inner   x_{j+1} = projection of x_j on { x in Z : psi^(t, x) <= (1 - alpha) low(t) + alpha high(t) },
//             until low(t) >= (1 - kappa) high(t);
//     outer   t <- the root of low(.).
//   The whole ends when high(t) <= eps; the point that has it is the answer.
//
// Guarantee, Z of diameter D and C a Lipschitz constant of f and s g:  f(x) <= t* + eps, s (g(x) - g^) <= eps,
// with t* <= f* since g^ >= g*, after O(ln((t* - t_0)/eps) / ln(2 (1 - kappa))) outer steps of at most C^2 D^2 /
// (kappa^2 eps^2 alpha (1 - alpha)^2 (2 - alpha)) inner ones.  alpha = kappa = 1/(2 + sqrt 2).
//
// g^ comes from the same level method on g alone, until its gap is proved to be at most eps_g/2; its cuts are
// kept. eps is the other half: eps_f/2.  t_0 is the known lower bound of f, or that of its first cut.  low is
// computed to a hundredth of high - low.  The book keeps all cuts; here there is room for `cuts` of them, after
// which cuts that hold nothing are dropped, the oldest first, and the number of steps is no longer bounded by the
// theory (the stopping rule stays right).  Reported is the point with the least psi(t, .).
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/cutting_planes.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"

namespace fcbio {
namespace {

const double kPublishedShare = 1.0 / (2.0 + std::sqrt(2.0));
constexpr double kPrecision = 1e-2;  // of low, as a share of high - low

struct NesterovLevelOptions : BaselineOptions {
  double alpha = kPublishedShare;
  double kappa = kPublishedShare;
  std::int64_t cuts = 1000;
};

class NesterovLevel {
 public:
  NesterovLevel(MethodRun& run, const NesterovLevelOptions& options)
      : run_(run),
        oracle_(run.oracle()),
        options_(options),
        planes_(oracle_, options.cuts),
        x_(run.problem()),
        at_x_{Linearization(run.problem().upper()), Linearization(run.problem().lower())},
        points_(run.dimension(), options.cuts / 2),
        f_(options.cuts / 2),
        g_(options.cuts / 2),
        best_(run.start()) {
    x_.x = run.start();
    target_.scale = run.accuracy().upper / run.accuracy().lower;
  }

  Result solve() {
    if (!lower_phase()) return run_.finish();
    x_.x = best_;
    if (!evaluate(true)) return run_.finish();
    const Linearization& f = at_x_.upper;
    target_.level = std::max(run_.problem().upper().lower_bound(),
                             f.value - f.gradient.dot(x_.x) + oracle_.linear_lower_bound(f.gradient));  // t_0
    const double tolerance = 0.5 * run_.accuracy().upper;
    double high = kInfinity, low = -kInfinity;
    for (std::int64_t round = 1;;) {
      high = std::min(high, psi_of_newest());
      low = high > tolerance ? planes_.minimum(target_, high, kPrecision).low : low;
      while (high > tolerance && low >= (1.0 - options_.kappa) * high) {
        const double root = planes_.root(target_, 1e-2 * tolerance);
        if (!(root > target_.level)) return run_.finish();  // no double between t and the root
        target_.level = root;
        ++round;
        high = reread();
        low = planes_.minimum(target_, high, kPrecision).low;
      }
      run_.step_done(best_, "round", round);
      if (high <= tolerance) return run_.finish(true);
      planes_.project(target_, (1.0 - options_.alpha) * low + options_.alpha * high, x_.x);
      if (!evaluate(true)) return run_.finish();
    }
  }

 private:
  // True: g^ is within eps_g/2 of g*.
  bool lower_phase() {
    const double asked = 0.5 * run_.accuracy().lower, known = run_.problem().lower().lower_bound();
    const Target lower = only_lower();
    double high = kInfinity, low = known;
    while (high - low > asked) {
      if (!evaluate(false)) return false;
      if (const double g = at_x_.lower.value; g < high) {
        high = g;
        best_ = x_.x;
      }
      const double bound = planes_.minimum(lower, high, kPrecision).low;
      low = std::max(known, bound);
      planes_.project(lower, (1.0 - options_.alpha) * bound + options_.alpha * high, x_.x);
      run_.step_done(best_, "lower");
    }
    target_.lower_reference = high;
    return true;
  }

  // Linearises at x_ and adds the cuts; `both`: f as well, and the point is kept.
  bool evaluate(bool both) {
    if (!run_.may_step(both ? 1 : 0, 1)) return false;
    for (Level level : kLevels) {
      if (level == Level::upper && !both) continue;
      oracle_.update_images(level, x_);
      oracle_.linearize(level, x_, at_x_[level]);
      if (run_.stopped()) return false;
      planes_.add(level, at_x_[level], x_.x);
    }
    if (!both) return true;
    newest_ = kept_++ % points_.cols();
    points_.col(newest_) = x_.x;
    f_[newest_] = at_x_.upper.value;
    g_[newest_] = at_x_.lower.value;
    return true;
  }

  double psi_of_newest() {
    const double psi = target_.psi(f_[newest_], g_[newest_]);
    if (psi < best_psi_) {
      best_psi_ = psi;
      best_ = points_.col(newest_);
    }
    return psi;
  }

  // high(t) for a new t, over the points that are kept.
  double reread() {
    best_psi_ = kInfinity;
    for (newest_ = 0; newest_ < std::min<Index>(kept_, points_.cols()); ++newest_) psi_of_newest();
    return best_psi_;
  }

  MethodRun& run_;
  Oracle& oracle_;
  const NesterovLevelOptions options_;
  CuttingPlanes planes_;
  Target target_;  // psi(t, .)
  Point x_;
  PerLevel<Linearization> at_x_;
  Eigen::MatrixXd points_;
  Vector f_, g_;
  Index kept_ = 0, newest_ = 0;
  Vector best_;
  double best_psi_ = kInfinity;
};

Result nesterov_level(MethodRun& run, const NesterovLevelOptions& options) {
  return NesterovLevel(run, options).solve();
}

}  // namespace

std::vector<MethodInfo> nesterov_level_methods() {
  return {published<NesterovLevelOptions>(
      {"nesterov-level",
       "constrained level method: projections on level sets of the cutting-plane model, constraint g <= g^ "
       "(Nesterov 2018, 3.3.4)",
       "f and g Lipschitz on a bounded Z",
       "(eps_f, eps_g)-weak after O(ln(1/eps) max{C_f^2/eps_f^2, C_g^2/eps_g^2} D^2) steps while all cuts fit",
       true, false},
      {{"alpha", &NesterovLevelOptions::alpha, {0.0, 1.0, true}, {}, "where the level lies between low and high"},
       {"kappa",
        &NesterovLevelOptions::kappa,
        {0.0, 0.5, true},
        {},
        "t is raised when the model's minimum is within this share of the best value"},
       {"cuts", &NesterovLevelOptions::cuts, {16, 1e5}, {}, "room for cuts of both levels"}},
      [](const Problem& problem) { return first_missing(problem, not_lipschitz, unbounded_domain); },
      nesterov_level)};
}

}  // namespace fcbio
