// Bi-CS: bilevel co-subgradient method (2025, a public repository; no paper is known).
//
// Two sequences.  y minimises g alone by SOLO-FTRL (Orabona, Pal 2015), and g^ is the least g(y) so far:
//     y+ = P_Z( y_1 - sum of g'(y_s) / (c sqrt(sum of |g'(y_s)|^2)) ).
// x steps on f where g is small enough, and otherwise on g:
//     delta_t = min{ delta_{t-1}, U_t(f'(x)) };   if g(x) <= g^ + delta_t:  v = f'(x),
//     else  delta_t = min{ delta_{t-1}, U_t(g'(x)), g(x) - g^ };  v = g'(x), or f'(x) if now g(x) <= g^ + delta_t;
//     x+ = P_Z( x - eta_t v ).
// Reported is z_t, the least f among the f-steps of [ceil(t/2), t].  R is the diameter of Z, S_t the sum of
// |v_s|^2 with v_t, and
//     RL   U = 3 L R / sqrt t                      eta = R / sqrt S_t                  c = sqrt(5.5) / R
//     R    U = 3 R sqrt(beta t + S_t) / t          eta = R / sqrt(beta t + S_t)        c = sqrt(5.5) / R
//     N    U = max{ 2/t max over Z of sum over the window of <v_s, x_s - x>, 1/sqrt t },  eta = 1/sqrt S_t,  c = 1
//     ER   U = eps/2                               eta = eps / (2 |v|^2)               c = 1
// ER begins again from x_0 at t = 2^j and reports the best f-step of the episode before.
//
// Guarantee (derived here; the authors claim O(1/sqrt t) at all times).  Over a window of at least t/2 steps the
// mean of <v_s, x_s - x*> is at most U_t(v_t).  A g-step contributes more than delta_s >= delta_t, an f-step
// f(x_s) - f*.  So if delta_t >= U_t(v_t), some f-step of the window has f(x_s) - f* <= delta_t, while
// g(x_s) - g* <= delta_s + (g^ - g*) with g^ - g* = O(1/sqrt t) by the regret of SOLO-FTRL.
//     RL: delta_t = U_t always, so f(z_t) - f* <= 3 L R / sqrt t, g(z_t) - g* = O(1/sqrt t).
//     R, N: at every t where U_t is a new minimum; for R that happens in every interval [t, (1 + L^2/beta) t], and
//     always if beta >= L^2.
//     ER: every step but a good one brings x closer to x* by eps^2/(4 L^2), so after O(L^2 |x_0 - x*|^2 / eps^2)
//     steps f(z) - f* <= eps/2 and g(z) - g* <= eps.
//
// Departures.  The repository divides by the sum of |g'|^2 without the root, for which nothing is known.  Where a
// window holds no f-step it reports the least f of all its points, whatever their g; here the last z stays.  Long
// windows begin with a whole block of steps (baselines/step_window.hpp).
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/follow_the_leader.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"
#include "baselines/step_window.hpp"

namespace fcbio {
namespace {

struct BiCsOptions : BaselineOptions {
  std::string mode = "RL";
  std::optional<double> radius;     // R
  std::optional<double> lipschitz;  // L
  double beta = 1.0;
  std::optional<double> epsilon;
};

class BiCs {
 public:
  BiCs(MethodRun& run, const BiCsOptions& options)
      : run_(run),
        oracle_(run.oracle()),
        mode_(options.mode),
        beta_(options.beta),
        epsilon_(options.epsilon.value_or(std::min(run.accuracy().upper, run.accuracy().lower))),
        x_(run.problem()),
        at_upper_(run.problem().upper()),
        at_lower_(run.problem().lower()),
        z_(run.start()),
        episode_point_(run.start()),
        sum_(run.start()),
        window_(run.dimension(), StepWindow::usual_room(run.dimension()), mode_ == "N") {
    diameter_ = options.radius.value_or(run.problem().domain().diameter().value_or(1.0));
    if (!(diameter_ > 0.0)) diameter_ = 1.0;  // a single point: no step leaves it
    if (mode_ == "RL")
      lipschitz_ = options.lipschitz ? *options.lipschitz
                                     : std::max(run.lipschitz(Level::upper), run.lipschitz(Level::lower));
    x_.x = run.start();
  }

  Result solve() {
    const bool radius_known = mode_ == "RL" || mode_ == "R";
    FollowTheLeader leader(oracle_, run_.start(), radius_known ? std::sqrt(5.5) / diameter_ : 1.0);
    double lowest = kInfinity;  // g^
    for (t_ = 1; run_.may_step_with_passes(most_passes()); ++t_) {
      const Linearization& at_y = run_.linearize(Level::lower, leader.point());
      lowest = std::min(lowest, at_y.value);
      leader.follow(at_y.gradient);

      if (mode_ == "ER" && (t_ & (t_ - 1)) == 0) begin_episode();
      oracle_.update_images(Level::lower, x_);
      const double g = oracle_.value(Level::lower, x_);
      if (run_.stopped()) break;
      if (mode_ != "ER") window_.advance(t_);
      choose(g, lowest);
      if (run_.stopped()) break;
      remember();

      const Vector& v = f_step_ ? at_upper_.gradient : at_lower_.gradient;
      squares_ += v.squaredNorm();
      if (const double length = step_length(v); length > 0.0) x_.x -= length * v;
      oracle_.project_where_bounded(x_.x);
      run_.step_done(z_, "step", mode_ == "ER" ? episode_ : 0);
    }
    return run_.finish();
  }

 private:
  std::int64_t most_passes() const {
    return run_.evaluation_cost(Level::upper) + 2 * run_.evaluation_cost(Level::lower) +
           run_.problem().lower().cost().value;
  }

  double bound(VectorIn v) {  // U_t(v)
    const auto t = static_cast<double>(t_);
    if (mode_ == "RL") return 3.0 * lipschitz_ * diameter_ / std::sqrt(t);
    if (mode_ == "R") return 3.0 * diameter_ * std::sqrt(beta_ * t + squares_ + v.squaredNorm()) / t;
    if (mode_ == "ER") return 0.5 * epsilon_;
    sum_ = window_.direction_sum() + v;
    const double regret = window_.product_sum() + v.dot(x_.x) - oracle_.linear_lower_bound(sum_);
    return std::max(2.0 * regret / t, 1.0 / std::sqrt(t));
  }

  void choose(double g, double lowest) {
    const bool bound_needs_gradient = mode_ == "R" || mode_ == "N";
    const auto linearize_upper = [&] {
      oracle_.update_images(Level::upper, x_);
      oracle_.linearize(Level::upper, x_, at_upper_);
    };
    if (bound_needs_gradient) linearize_upper();
    const double before = delta_;
    delta_ = std::min(before, bound(at_upper_.gradient));
    f_step_ = g <= lowest + delta_;
    if (!f_step_) {
      oracle_.linearize(Level::lower, x_, at_lower_);
      if (mode_ != "ER") {
        delta_ = std::min({before, bound(at_lower_.gradient), g - lowest});
        f_step_ = g <= lowest + delta_;
      }
    }
    if (f_step_ && !bound_needs_gradient) linearize_upper();
  }

  double step_length(VectorIn v) const {
    if (mode_ == "RL") return squares_ > 0.0 ? diameter_ / std::sqrt(squares_) : 0.0;
    if (mode_ == "R") return diameter_ / std::sqrt(beta_ * static_cast<double>(t_) + squares_);
    if (mode_ == "N") return squares_ > 0.0 ? 1.0 / std::sqrt(squares_) : 0.0;
    const double square = v.squaredNorm();
    return square > 0.0 ? 0.5 * epsilon_ / square : 0.0;
  }

  void remember() {
    const double f = at_upper_.value;
    if (mode_ == "ER") {
      if (f_step_ && f < episode_best_) {
        episode_best_ = f;
        episode_point_ = x_.x;
      }
      return;
    }
    window_.add(f_step_, f, x_.x, f_step_ ? at_upper_.gradient : at_lower_.gradient);
    if (window_.has_candidate()) z_ = window_.best();
  }

  void begin_episode() {
    if (episode_best_ < kInfinity) z_ = episode_point_;
    episode_best_ = kInfinity;
    ++episode_;
    x_.x = run_.start();
  }

  MethodRun& run_;
  Oracle& oracle_;
  const std::string mode_;
  const double beta_, epsilon_;
  double diameter_ = 1.0, lipschitz_ = 1.0;
  std::int64_t t_ = 1;
  Point x_;
  Linearization at_upper_, at_lower_;
  bool f_step_ = true;
  double delta_ = kInfinity, squares_ = 0.0;  // S
  Vector z_, episode_point_, sum_;
  StepWindow window_;
  double episode_best_ = kInfinity;
  std::int64_t episode_ = 0;
};

Result bi_cs(MethodRun& run, const BiCsOptions& options) { return BiCs(run, options).solve(); }

}  // namespace

std::vector<MethodInfo> bi_cs_methods() {
  return {published<BiCsOptions>(
      {"bi-cs", "bilevel co-subgradients: switching steps against a lower level learned alongside (2025)",
       "f and g Lipschitz on a bounded Z",
       "mode RL: f(z) - f* <= 3 L R / sqrt t, g(z) - g* = O(1/sqrt t); R, N: the same whenever their bound is a "
       "new minimum; ER: (eps/2, eps) after O(L^2 R^2 / eps^2) steps",
       true, false},
      {{"mode",
        &BiCsOptions::mode,
        {},
        {"RL", "R", "N", "ER"},
        "what is known: radius and Lipschitz constant, radius alone, none, or the accuracy (episodes)"},
       {"radius",
        &BiCsOptions::radius,
        {0.0, kInfinity, true},
        {},
        "R of modes RL and R; unset: the diameter of the domain, as published"},
       {"lipschitz",
        &BiCsOptions::lipschitz,
        {0.0, kInfinity, true},
        {},
        "L of mode RL; unset: the larger Lipschitz constant of f and g on the domain"},
       {"beta", &BiCsOptions::beta, {0.0, kInfinity, true}, {}, "mode R: added to every |v|^2; published: 1"},
       {"epsilon",
        &BiCsOptions::epsilon,
        {0.0, kInfinity, true},
        {},
        "mode ER: the accuracy its steps aim at; unset: the smaller of the two asked for"}},
      [](const Problem& problem) { return first_missing(problem, not_lipschitz, unbounded_domain); }, bi_cs)};
}

}  // namespace fcbio
