// Nesterov's scheme for smooth functional constraints (Lectures on Convex Optimization, 2018, section 2.3.5), for
//     min f(x)  s.t.  g(x) <= g^, x in Z,       psi(t, x) = max{ f(x) - t, s (g(x) - g^) },  s = eps_f/eps_g,
// f and s g strongly convex with constant mu and smooth with constant L.  With the model at y
//     m_gamma(t, y) = min over Z of max{ f(y) + <f'(y), z-y> - t, s (g(y) + <g'(y), z-y> - g^) } + gamma/2 |z-y|^2
// and z_gamma(t, y) its minimiser,  m_mu(t, y) <= min psi(t, .) <= psi(t, z_L(t, y)) <= m_L(t, y).
//
//   t_0 <= t* (the smallest root of min psi(t, .)), then for k = 0, 1, ... with x_0 the start of round k
//     inner   x_{j+1} = z_L(t, y_j),  y_{j+1} = x_{j+1} + beta_j (x_{j+1} - x_j),  alpha_0 = (sqrt 5 - 1)/2,
//             alpha+^2 = (1 - alpha+) alpha^2 + (mu/L) alpha+,  beta = alpha (1 - alpha) / (alpha^2 + alpha+),
//             until m_mu(t, x_j) >= (1 - kappa) m_L(t, x_j);
//     outer   t <- the root of m_mu(., x_j); the next round starts from z_L(t, x_i), i with the least m_L(t, x_i).
//   The whole ends when m_L(t, x_j) <= eps; z_L(t, x_j) is the answer.
//
// Guarantee: f(x) <= t* + eps, s (g(x) - g^) <= eps after O(ln((t* - t_0)/eps) sqrt(L/mu) ln(L/mu)) inner steps,
// 0 < kappa < 1/2; t* <= f* whenever g^ >= g*.
//
// Made to fit simple bilevel problems, where g has many minimisers and so is not strongly convex: unless both
// levels are, mu/2 |x - x_0|^2 is added to f and to s g with mu = eps_f / (2 D^2), and g^ is raised by mu D^2 / (2
// s) so that no minimiser is cut off; this moves both levels by at most eps/4.  (The book does not do this; with
// it sqrt(L/mu) is D sqrt(2 L/eps).)  g^ comes from accelerated gradient steps on g until its gap is at most
// eps_g/2 by the same models, or by the 2 D sqrt(L_g/eps_g) steps of theory, at most half of the budget.  eps is
// what is left of eps_f: 1/2, with the addition 1/4.  t_0 is the known lower bound of f, or that of its first
// model. Reported is z_L of the least m_L in the round; testing costs a second gradient of both levels in every
// step.
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"
#include "fcbio/error.hpp"
#include "inner/gradient_mapping.hpp"

namespace fcbio {
namespace {

struct NesterovSmoothOptions : BaselineOptions {
  double kappa = 0.25;
  std::optional<double> regularization;
  std::int64_t lower_iterations = 0;
};

class NesterovSmooth {
 public:
  NesterovSmooth(MethodRun& run, const NesterovSmoothOptions& options)
      : run_(run),
        oracle_(run.oracle()),
        options_(options),
        mapping_(oracle_, 1e-6 * run.accuracy().upper),
        x_(run.problem()),
        next_(run.problem()),
        y_(run.problem()),
        at_x_{Linearization(run.problem().upper()), Linearization(run.problem().lower())},
        at_y_(at_x_),
        reported_(run.start()),
        near_point_(run.start()),
        far_point_(run.start()) {
    target_.scale = run.accuracy().upper / run.accuracy().lower;
    own_convexity_ = std::min(run.problem().upper().strong_convexity(),
                              target_.scale * run.problem().lower().strong_convexity());
    const double diameter = run.problem().domain().diameter().value_or(0.0);
    double added = diameter > 0.0 ? run.accuracy().upper / (2.0 * diameter * diameter) : 0.0;
    if (own_convexity_ >= added) added = 0.0;
    if (options.regularization) {
      if (!(diameter > 0.0))
        throw InvalidArgument("option 'regularization': expected a bounded domain, found one without a radius");
      added = *options.regularization;
    }
    if (!(own_convexity_ + added > 0.0)) added = 1.0;  // the domain is a single point
    added_ = {added, added / target_.scale};
    slack_ = 0.5 * added_.lower * diameter * diameter;
    convexity_ = own_convexity_ + added;
    smoothness_ = std::max(run.smoothness(Level::upper), target_.scale * run.smoothness(Level::lower)) + added;
    tolerance_ = (added > 0.0 ? 0.25 : 0.5) * run.accuracy().upper;
  }

  Result solve() {
    lower_phase();
    target_.level = -kInfinity;
    for (std::int64_t round = 1;; ++round) {
      x_.x = reported_;
      if (!begin_round()) return run_.finish();
      const Ending ending = inner(round);
      if (ending == Ending::solved) return run_.finish(true);
      if (ending == Ending::stopped) return run_.finish();
      const double before = target_.level;
      raise_level();
      if (!(target_.level > before)) return run_.finish();  // no double between t and the root
    }
  }

 private:
  enum class Ending { internal, solved, stopped };
  struct Model {
    double low;   // by duality: at most m
    double high;  // at the minimiser found: at least m
    double upper_share;
  };

  // One step: gradients at y and at x of both levels, images of x.
  std::int64_t step_cost() const {
    std::int64_t passes = 0;
    for (Level level : kLevels) {
      const PassCost cost = run_.problem().function(level).cost();
      passes += cost.image + 2 * (cost.value + cost.gradient);
    }
    return passes;
  }

  // Of the function with what is added to it.
  void linearize(Level level, const Point& at, Linearization& out) {
    oracle_.linearize(level, at, out);
    const double added = added_[level];
    if (added == 0.0) return;
    out.value += 0.5 * added * (at.x - run_.start()).squaredNorm();
    out.gradient += added * (at.x - run_.start());
  }

  // The models of both levels at x_, at z: their maximum is that of m without the quadratic term.
  PerLevel<double> linear_models(VectorIn z) const {
    return {target_.upper_part(at_x_.upper.value) + at_x_.upper.gradient.dot(z - x_.x),
            target_.lower_part(at_x_.lower.value) + target_.scale * at_x_.lower.gradient.dot(z - x_.x)};
  }

  // m_gamma(t, x_); its minimiser goes to z.
  Model model(double gamma, Vector& z) {
    const double lambda = mapping_.step(target_, x_.x, at_x_.upper, at_x_.lower, gamma, z);
    const double quadratic = 0.5 * gamma * (z - x_.x).squaredNorm();
    const auto [f, g] = linear_models(z);
    return {lambda * f + (1.0 - lambda) * g + quadratic, std::max(f, g) + quadratic, lambda};
  }

  // m_mu(t, x_) >= wanted.  Any point of Z can refute that; the last minimisers often do.
  bool lower_model_reaches(double wanted) {
    for (const Vector* z : {&near_point_, &far_point_}) {
      const auto [f, g] = linear_models(*z);
      if (std::max(f, g) + 0.5 * convexity_ * (*z - x_.x).squaredNorm() < wanted) return false;
    }
    return model(convexity_, far_point_).low >= wanted;
  }

  // Step j = 0 of a round: linearisations at its first point; the first round sets t_0.
  bool begin_round() {
    if (!run_.may_step(1, 1)) return false;
    for (Level level : kLevels) {
      oracle_.update_images(level, x_);
      linearize(level, x_, at_x_[level]);
    }
    if (!(target_.level > -kInfinity))
      target_.level = std::max(run_.problem().upper().lower_bound(), first_bound());
    return !run_.stopped();
  }

  double first_bound() {
    const Linearization& f = at_x_.upper;
    far_point_ = x_.x - f.gradient / convexity_;
    run_.project(far_point_);
    return f.value + f.gradient.dot(far_point_ - x_.x) + 0.5 * convexity_ * (far_point_ - x_.x).squaredNorm();
  }

  // Newton from the left on m_mu(., x), convex and falling with slope -(share of f): every t is at most the root.
  void raise_level() {
    for (int steps = 0; steps < 50; ++steps) {
      const Model below = model(convexity_, far_point_);
      if (!(below.low > 1e-3 * tolerance_) || !(below.upper_share > 1e-12)) return;
      target_.level += below.low / below.upper_share;
    }
  }

  Ending inner(std::int64_t round) {
    const double condition = convexity_ / smoothness_;
    double alpha = 0.5 * (std::sqrt(5.0) - 1.0), least = kInfinity;
    y_ = x_;
    at_y_ = at_x_;
    for (std::int64_t j = 0;; ++j) {
      if (j > 0) {
        if (!run_.may_step_with_passes(step_cost())) return Ending::stopped;
        mapping_.step(target_, y_.x, at_y_.upper, at_y_.lower, smoothness_, next_.x);
        for (Level level : kLevels) {
          oracle_.update_images(level, next_);
          linearize(level, next_, at_x_[level]);
        }
        const double mixed = alpha * alpha - condition;
        const double following = 0.5 * (std::sqrt(mixed * mixed + 4.0 * alpha * alpha) - mixed);
        const double beta = alpha * (1.0 - alpha) / (alpha * alpha + following);
        alpha = following;
        y_.set_combination(1.0 + beta, next_, -beta, x_);
        std::swap(x_, next_);
        for (Level level : kLevels) linearize(level, y_, at_y_[level]);
        if (run_.stopped()) return Ending::stopped;
      }
      const double above = model(smoothness_, near_point_).high;
      if (above < least) {
        least = above;
        reported_ = near_point_;
      }
      run_.step_done(reported_, "round", round);
      if (above <= tolerance_) return Ending::solved;
      if (lower_model_reaches((1.0 - options_.kappa) * above)) return Ending::internal;
    }
  }

  // reported_ <- x_g;  sets g^.
  void lower_phase() {
    const Problem& problem = run_.problem();
    const double smoothness = run_.smoothness(Level::lower), convexity = problem.lower().strong_convexity();
    const double diameter = problem.domain().diameter().value_or(0.0), asked = run_.accuracy().lower;
    const auto half = std::max<std::int64_t>(1, run_.budget() / 2);
    std::int64_t steps = options_.lower_iterations;
    if (steps == 0) {
      const double theory = 2.0 * diameter * std::sqrt(smoothness / asked);
      steps = diameter > 0.0 && theory < static_cast<double>(half)
                  ? std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(theory)))
                  : half;
    }
    const PassCost cost = problem.lower().cost();
    if (!oracle_.monitor().may_spend(cost.image)) return;
    double lowest = kInfinity, bound = problem.lower().lower_bound(), momentum = 1.0;
    Linearization& at_y = at_y_.lower;
    x_.x = run_.start();
    oracle_.update_images(Level::lower, x_);
    y_ = x_;
    for (std::int64_t k = 0; k < steps && lowest - bound > 0.5 * asked; ++k) {
      if (!run_.may_step_with_passes(cost.image + 2 * cost.value + cost.gradient)) break;
      oracle_.linearize(Level::lower, y_, at_y);
      next_.x = y_.x - at_y.gradient / smoothness;
      run_.project(next_.x);
      oracle_.update_images(Level::lower, next_);
      const double g = oracle_.value(Level::lower, next_);
      if (run_.stopped()) break;
      bound = std::max(bound, model_minimum(at_y, convexity));
      if (g < lowest) {
        lowest = g;
        reported_ = next_.x;
      }
      const double following = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
      const double beta = (momentum - 1.0) / following;
      momentum = following;
      y_.set_combination(1.0 + beta, next_, -beta, x_);
      std::swap(x_, next_);
      run_.step_done(reported_, "lower");
    }
    target_.lower_reference = lowest + slack_;
  }

  double model_minimum(const Linearization& at_y, double convexity) {
    if (convexity == 0.0) return at_y.value - at_y.gradient.dot(y_.x) + oracle_.linear_lower_bound(at_y.gradient);
    far_point_ = y_.x - at_y.gradient / convexity;
    run_.project(far_point_);
    return at_y.value + at_y.gradient.dot(far_point_ - y_.x) + 0.5 * convexity * (far_point_ - y_.x).squaredNorm();
  }

  MethodRun& run_;
  Oracle& oracle_;
  const NesterovSmoothOptions options_;
  GradientMapping mapping_;
  Target target_;  // psi(t, .)
  double own_convexity_ = 0.0, convexity_ = 0.0, smoothness_ = 0.0, tolerance_ = 0.0, slack_ = 0.0;
  PerLevel<double> added_;
  Point x_, next_, y_;
  PerLevel<Linearization> at_x_, at_y_;
  Vector reported_;
  Vector near_point_, far_point_;  // minimisers of m_L and m_mu
};

Result nesterov_smooth(MethodRun& run, const NesterovSmoothOptions& options) {
  return NesterovSmooth(run, options).solve();
}

std::string nesterov_smooth_misfit(const Problem& problem) {
  if (std::string why = not_smooth(problem); !why.empty()) return why;
  if (problem.domain().diameter()) return {};
  for (Level level : kLevels)
    if (!(problem.function(level).strong_convexity() > 0.0))
      return std::string("the ") + (level == Level::upper ? "upper" : "lower") +
             " function is not known to be strongly convex, and the domain is unbounded and no radius was told";
  return {};
}

}  // namespace

std::vector<MethodInfo> nesterov_smooth_methods() {
  return {published<NesterovSmoothOptions>(
      {"nesterov-smooth",
       "root of the max-type function by accelerated rounds, constraint g <= g^ (Nesterov 2018, 2.3.5)",
       "f and g smooth; both strongly convex, or Z bounded (then a small multiple of |x - x0|^2 is added)",
       "strongly convex: (eps_f, eps_g)-weak after O(ln(1/eps) sqrt(L/mu) ln(L/mu)) steps and a lower phase; with "
       "the addition mu = eps/(2 D^2)",
       true},
      {{"kappa",
        &NesterovSmoothOptions::kappa,
        {0.0, 0.5, true},
        {},
        "a round ends when its lower model is within this share of the upper one"},
       {"regularization",
        &NesterovSmoothOptions::regularization,
        {0.0, kInfinity, true},
        {},
        "mu of the added mu/2 |x - x0|^2; unset: eps_f / (2 D^2), or 0 where both levels are more strongly "
        "convex"},
       {"lower_iterations",
        &NesterovSmoothOptions::lower_iterations,
        {0, 1e15},
        {},
        "most steps of the lower phase; 0: what theory asks for, at most half of `iterations`"}},
      nesterov_smooth_misfit, nesterov_smooth)};
}

}  // namespace fcbio
