#include "interior/interior_point.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio::interior {
namespace {

constexpr double kAlmost = 0.995;        // of the way to the nearest side
constexpr double kInside = 1e-2;         // how far a start is moved inside, of the width
constexpr double kShort = 0.1;           // a step this short is tried again with more centring
constexpr double kLeastCentring = 1e-8;  // of the present tau
constexpr double kRecentring = 0.5;      // the same for a step that was short
// tau must not run ahead of what is not complementarity: of the gap of logistic losses, and of the slope of the
// Lagrangian as a share of what it was at the start, tau keeps this share.
constexpr double kOfGap = 0.01, kOfSlope = 0.01;
constexpr double kLeastLength = 1e-9;
constexpr int kMostShortSteps = 4;
constexpr double kSlackShare = 0.1;  // least slack of a loss at the start, of the mean distance to the kinks
// By rows x is a difference divided by D, so where D is tiny no digit of it is right.  A proximal term keeps D from
// that; it moves no solution.
constexpr double kProximal = 1e-7;
constexpr double kFixed = 1e40;  // on the diagonal of a variable whose sides are equal: it does not move

bool is_equation(const Block& block, Index i) { return block.low[i] == block.high[i]; }

/// v strictly inside of (low, high): `margin` is wanted from an open side.
double inside(double v, double low, double high, double margin) {
  const bool below = std::isfinite(low), above = std::isfinite(high);
  if (below && above) {
    const double width = high - low, room = kInside * width;
    return v > low && v < high ? v : std::clamp(v, low + room, high - room);
  }
  if (below) return v > low ? v : low + margin;
  if (above) return v < high ? v : high - margin;
  return v;
}

/// q - p of a row and its y are the same number, but for rounding: next to a side p or q comes from a quotient of two
/// numbers without digits, y from the linear system.  So y decides, as far as signs allow.
void agree(double& y, double low, double high, double& p, double& q) {
  if (!std::isfinite(low)) y = std::max(y, 0.0);
  if (!std::isfinite(high)) y = std::min(y, 0.0);
  const double off = y - (q - p);
  if (q >= p && q + off > 0.5 * q) {
    q += off;
  } else if (p > q && p - off > 0.5 * p) {
    p -= off;
  } else {
    y = q - p;
  }
}

/// Largest a <= 1 with v + a dv >= 0, for v > 0.
double most(double v, double dv) { return dv < 0.0 ? std::min(1.0, -v / dv) : 1.0; }

}  // namespace

InteriorPoint::InteriorPoint(const Program& program)
    : program_(program), kkt_(program), states_(program.blocks.size()), balls_(program.balls.size()) {
  d_.resize(program.variables);
  t_.resize(kkt_.stack().rows());
  right_x_.resize(program.variables);
  right_y_.resize(kkt_.stack().rows());
}

void InteriorPoint::start(VectorIn x) {
  const Index n = program_.variables;
  short_steps_ = 0;
  count_ = 0.0;
  curved_ = program_.hessian.size() > 0 || (n > 0 && program_.curvature.maxCoeff() > 0.0) || !balls_.empty();
  x_ = x;
  for (const Ball& ball : program_.balls) {  // one after the other; intersections of balls start at a common point
    auto part = ball.of(x_);
    const double distance = (part - ball.centre).norm();
    if (!(distance < ball.radius))
      part = ball.centre + (part - ball.centre) * ((1.0 - kInside) * ball.radius / distance);
  }
  for (Index j = 0; j < n; ++j) x_[j] = inside(x_[j], program_.lower[j], program_.upper[j], 1.0 + std::abs(x_[j]));
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Block& block = program_.blocks[k];
    states_[k].u.resize(block.rows.rows());
    block.rows.apply(x_, states_[k].u);
    curved_ = curved_ || block.kind == BlockKind::logistic || (block.kind == BlockKind::loss && block.bend > 0.0);
    start_block(k);
  }
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    balls_[k].slack = 0.0;
    balls_[k].slack = missing_slack(k);
    count_ += 1.0;
  }
  const double tau = first_tau();
  const auto balance = [tau](double& multiplier, double gap, double& count) {
    multiplier = std::isfinite(gap) ? tau / gap : 0.0;
    if (std::isfinite(gap)) count += 1.0;
  };
  box_.p.resize(n);
  box_.q.resize(n);
  for (Index j = 0; j < n; ++j) {
    box_.p[j] = box_.q[j] = 0.0;
    if (is_fixed(j)) continue;
    balance(box_.p[j], x_[j] - program_.lower[j], count_);
    balance(box_.q[j], program_.upper[j] - x_[j], count_);
  }
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Block& block = program_.blocks[k];
    State& state = states_[k];
    if (block.kind == BlockKind::loss)
      for (Index i = 0; i < state.v.size(); ++i)
        count_ += (std::isfinite(block.low[i]) ? 1.0 : 0.0) + (std::isfinite(block.high[i]) ? 1.0 : 0.0);
    if (block.kind != BlockKind::limits) continue;
    for (Index i = 0; i < state.v.size(); ++i) {
      if (is_equation(block, i)) continue;
      balance(state.sides.p[i], state.v[i] - block.low[i], count_);
      balance(state.sides.q[i], block.high[i] - state.v[i], count_);
      state.y[i] = state.sides.q[i] - state.sides.p[i];
    }
  }
  for (BallState& ball : balls_) ball.multiplier = tau / ball.slack;
  first_tau_ = tau;
  first_slope_ = stationarity();
}

void InteriorPoint::start_block(std::size_t k) {
  const Block& block = program_.blocks[k];
  State& state = states_[k];
  const Index m = state.u.size();
  for (Vector* v : {&state.v, &state.y, &state.t, &state.r, &state.du, &state.dy, &state.sides.p, &state.sides.q})
    v->setZero(m);
  state.has_equations = false;
  if (block.kind == BlockKind::logistic) {
    for (Index i = 0; i < m; ++i) {
      const double share = 1.0 / (1.0 + std::exp(std::clamp(block.kink[i] * state.u[i], -20.0, 20.0)));
      state.y[i] = -block.kink[i] * block.weight * share;
    }
    return;
  }
  if (block.kind == BlockKind::limits) {
    const double typical = 1.0 + (m > 0 ? state.u.cwiseAbs().mean() : 0.0);
    for (Index i = 0; i < m; ++i) {
      if (is_equation(block, i)) {
        state.v[i] = block.low[i];
        state.has_equations = true;
      } else {
        state.v[i] = inside(state.u[i], block.low[i], block.high[i], typical);
      }
    }
    return;
  }
  const double mean = m > 0 ? (state.u - block.kink).cwiseAbs().mean() : 0.0;
  const double typical =
      kSlackShare * (mean > 0.0 ? mean : 1.0);  // all rows at their kinks: any size may be wanted
  for (Index i = 0; i < m; ++i) {
    const bool below = std::isfinite(block.low[i]), above = std::isfinite(block.high[i]);
    const double r = state.u[i] - block.kink[i];
    const double best = block.bend > 0.0 ? r / block.bend : 0.0;  // without sides
    if (below && above)
      state.v[i] = 0.5 * (block.low[i] + block.high[i]);
    else if (below)
      state.v[i] = std::max(best, block.low[i] + 0.1 * std::abs(best) + 1.0 / (1.0 + block.bend));
    else if (above)
      state.v[i] = std::min(best, block.high[i] - 0.1 * std::abs(best) - 1.0 / (1.0 + block.bend));
    else
      state.v[i] = best;
    const double slack = r - block.bend * state.v[i];
    const double extra = std::max(std::abs(slack), typical);
    if (above) state.sides.q[i] = std::max(slack, 0.0) + extra;
    if (below) state.sides.p[i] = std::max(-slack, 0.0) + extra;
    state.y[i] = state.v[i];
  }
}

// Multipliers of sides at the start are tau / gap.  Losses know their products of slack and multiplier; for limits the
// size of the slope times the room there is.
double InteriorPoint::first_tau() const {
  double sum = 0.0, count = 0.0;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Block& block = program_.blocks[k];
    const State& state = states_[k];
    if (block.kind != BlockKind::loss) continue;
    for (Index i = 0; i < state.v.size(); ++i) {
      if (std::isfinite(block.low[i])) sum += state.sides.p[i] * (state.v[i] - block.low[i]), count += 1.0;
      if (std::isfinite(block.high[i])) sum += state.sides.q[i] * (block.high[i] - state.v[i]), count += 1.0;
    }
  }
  const double by_losses = count > 0.0 ? sum / count : 0.0;
  const Vector push = slope();
  double by_slope = 0.0;
  for (Index j = 0; j < x_.size(); ++j) {
    const double room = std::min({x_[j] - program_.lower[j], program_.upper[j] - x_[j], 1.0 + std::abs(x_[j])});
    by_slope = std::max(by_slope, std::abs(push[j]) * room);
  }
  for (const BallState& ball : balls_) by_slope = std::max(by_slope, push.norm() * std::sqrt(2.0 * ball.slack));
  by_slope /= std::max(count, 1.0);  // sides are few where there are many losses, and must not outweigh them
  const double tau = std::max(by_losses, by_slope);
  return tau > 0.0 && std::isfinite(tau) ? tau : 1.0;
}

Vector InteriorPoint::slope() const {
  Vector sum = program_.cost + program_.curvature.cwiseProduct(x_);
  if (const Index h = program_.hessian.rows(); h > 0) sum.head(h).noalias() += program_.hessian * x_.head(h);
  for (std::size_t k = 0; k < states_.size(); ++k) program_.blocks[k].rows.add_transpose(states_[k].y, sum);
  return sum;
}

double InteriorPoint::complementarity() const { return complementarity_after({0.0, 0.0}); }

double InteriorPoint::complementarity_after(const Lengths& lengths) const {
  const double ap = lengths.primal, ad = lengths.dual;
  double sum = 0.0;
  const auto add = [&](const Vector& v, const Vector& low, const Vector& high, const Sides& sides, double of_v,
                       double of_multiplier) {
    const bool moves = of_v > 0.0 || of_multiplier > 0.0;
    for (Index i = 0; i < v.size(); ++i) {
      const double at = moves ? v[i] + of_v * sides.dv[i] : v[i];
      if (std::isfinite(low[i]) && low[i] != high[i])
        sum += (at - low[i]) * (moves ? sides.p[i] + of_multiplier * sides.dp[i] : sides.p[i]);
      if (std::isfinite(high[i]) && low[i] != high[i])
        sum += (high[i] - at) * (moves ? sides.q[i] + of_multiplier * sides.dq[i] : sides.q[i]);
    }
  };
  add(x_, program_.lower, program_.upper, box_, ap, ad);
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Block& block = program_.blocks[k];
    if (block.kind == BlockKind::limits)
      add(states_[k].v, block.low, block.high, states_[k].sides, ap, ad);
    else if (block.kind == BlockKind::loss)
      add(states_[k].v, block.low, block.high, states_[k].sides, ad, ap);
  }
  for (const BallState& ball : balls_)
    sum += (ball.slack + ap * ball.dslack) * (ball.multiplier + ad * ball.dmultiplier);
  return sum;
}

double InteriorPoint::logistic_gap() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Block& block = program_.blocks[k];
    if (block.kind != BlockKind::logistic) continue;
    for (Index i = 0; i < block.kink.size(); ++i) {
      const double z = block.kink[i] * states_[k].u[i], share = -block.kink[i] * states_[k].y[i] / block.weight;
      const double entropy =
          (share > 0.0 ? share * std::log(share) : 0.0) + (share < 1.0 ? (1.0 - share) * std::log1p(-share) : 0.0);
      sum += block.weight * (std::max(-z, 0.0) + std::log1p(std::exp(-std::abs(z))) + entropy + share * z);
    }
  }
  return std::max(sum, 0.0);
}

double InteriorPoint::least_tau() const {
  const double of_slope = first_slope_ > 0.0 ? kOfSlope * first_tau_ * stationarity() / first_slope_ : 0.0;
  return std::max(kOfGap * logistic_gap() / count_, std::min(of_slope, first_tau_));
}

double InteriorPoint::infeasibility() const {
  double worst = 0.0;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Block& block = program_.blocks[k];
    if (block.kind != BlockKind::limits) continue;
    for (Index i = 0; i < block.low.size(); ++i)
      worst = std::max({worst, block.low[i] - states_[k].u[i], states_[k].u[i] - block.high[i]});
  }
  return worst;
}

double InteriorPoint::missing_slack(std::size_t k) const {
  const Ball& ball = program_.balls[k];
  return 0.5 * (ball.radius * ball.radius - (ball.of(x_) - ball.centre).squaredNorm()) - balls_[k].slack;
}

double InteriorPoint::share_inside_balls(VectorIn from) const {
  double share = 1.0;
  for (const Ball& ball : program_.balls) {  // |v + a d|^2 <= R^2
    const Vector v = ball.of(from) - ball.centre, d = ball.of(x_) - ball.of(from);
    const double dd = d.squaredNorm(), vd = v.dot(d), room = ball.radius * ball.radius - v.squaredNorm();
    if (!(dd + 2.0 * vd > room)) continue;
    const double root = std::sqrt(std::max(vd * vd + dd * room, 0.0));
    share = std::min(share, vd > 0.0 ? room / (vd + root) : (root - vd) / dd);
  }
  return share;
}

double InteriorPoint::stationarity() const {
  Vector sum = slope() + box_.q - box_.p;
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    const Ball& ball = program_.balls[k];
    ball.of(sum) += balls_[k].multiplier * (ball.of(x_) - ball.centre);
  }
  for (Index j = 0; j < sum.size(); ++j)
    if (is_fixed(j)) sum[j] = 0.0;
  return sum.norm();
}

// D and T of the present point; they do not depend on tau.
void InteriorPoint::set_diagonals() {
  d_ = program_.curvature;
  for (Index j = 0; j < x_.size(); ++j) {
    if (is_fixed(j)) {
      d_[j] = kFixed;
      continue;
    }
    if (std::isfinite(program_.lower[j])) d_[j] += box_.p[j] / (x_[j] - program_.lower[j]);
    if (std::isfinite(program_.upper[j])) d_[j] += box_.q[j] / (program_.upper[j] - x_[j]);
  }
  std::size_t part = 0;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Block& block = program_.blocks[k];
    State& state = states_[k];
    for (Index i = 0; i < state.t.size(); ++i) {
      if (block.kind == BlockKind::logistic) {
        const double share = std::clamp(-block.kink[i] * state.y[i] / block.weight, 1e-300, 1.0);
        state.t[i] = 1.0 / (block.weight * share * std::max(1.0 - share, 1e-300));
        continue;
      }
      if (block.kind == BlockKind::limits && is_equation(block, i)) {
        state.t[i] = 0.0;
        continue;
      }
      double s = block.kind == BlockKind::loss ? block.bend : 0.0;
      if (std::isfinite(block.low[i])) s += state.sides.p[i] / (state.v[i] - block.low[i]);
      if (std::isfinite(block.high[i])) s += state.sides.q[i] / (block.high[i] - state.v[i]);
      if (block.kind == BlockKind::limits)
        state.t[i] = s > 0.0 ? 1.0 / s : 1e300;  // a row without sides says nothing
      else
        state.t[i] = s;
    }
    if (block.rows.is_identity()) {
      d_.head(block.rows.rows()) += state.t.cwiseInverse();
    } else {
      t_.segment(kkt_.stack().parts()[part].first, state.t.size()) = state.t;
      ++part;
    }
  }
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    const Ball& ball = program_.balls[k];
    ball.of(d_).array() += balls_[k].multiplier;
    ball.of(kkt_.stack().balls()[k]) = ball.of(x_) - ball.centre;
    t_[kkt_.stack().first_ball() + static_cast<Index>(k)] = balls_[k].slack / balls_[k].multiplier;
  }
  if (kkt_.is_by_rows()) {
    double pull = 0.0;
    for (std::size_t k = 0; k < states_.size(); ++k)
      if (!program_.blocks[k].rows.is_identity())
        pull += states_[k].y.squaredNorm() * program_.blocks[k].rows.squared_norm();
    const double n = static_cast<double>(x_.size());
    const double floor = kProximal * std::sqrt(pull / n) / (1.0 + x_.cwiseAbs().maxCoeff());
    d_ = d_.cwiseMax(floor);
  }
}

// The step for this tau; `corrected`: with the products of the step before as second-order terms.
bool InteriorPoint::direction(double tau, bool corrected) {
  // (tau - second-order term) / gap, for both sides: what q - p becomes apart from S dv.
  const auto aim = [&](const Sides& sides, Index i, double low, double high, double v) {
    double h = 0.0;
    if (std::isfinite(high)) h += (tau + (corrected ? sides.dq_before[i] * sides.dv_before[i] : 0.0)) / (high - v);
    if (std::isfinite(low)) h -= (tau - (corrected ? sides.dp_before[i] * sides.dv_before[i] : 0.0)) / (v - low);
    return h;
  };
  right_x_ = -program_.cost - program_.curvature.cwiseProduct(x_);
  if (const Index h = program_.hessian.rows(); h > 0) right_x_.head(h).noalias() -= program_.hessian * x_.head(h);
  for (Index j = 0; j < x_.size(); ++j)
    if (!is_fixed(j)) right_x_[j] -= aim(box_, j, program_.lower[j], program_.upper[j], x_[j]);
  std::size_t part = 0;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Block& block = program_.blocks[k];
    State& state = states_[k];
    for (Index i = 0; i < state.r.size(); ++i) {
      if (block.kind == BlockKind::logistic) {
        const double share = -block.kink[i] * state.y[i] / block.weight;
        const double wanted = block.kink[i] * std::log(std::max(1.0 - share, 1e-300) / std::max(share, 1e-300));
        state.r[i] = wanted - state.t[i] * state.y[i] - state.u[i];
      } else if (block.kind == BlockKind::limits) {
        if (is_equation(block, i)) {
          state.r[i] = block.low[i] - state.u[i];
          continue;
        }
        const double h = aim(state.sides, i, block.low[i], block.high[i], state.v[i]);
        state.r[i] = -(state.u[i] - state.v[i]) - h * state.t[i];
      } else {
        const double h = aim(state.sides, i, block.low[i], block.high[i], state.v[i]);
        state.r[i] = (block.bend - state.t[i]) * state.v[i] + h - state.u[i] + block.kink[i];
      }
    }
    if (block.rows.is_identity()) {
      right_x_.head(state.r.size()) += state.r.cwiseQuotient(state.t);
    } else {
      right_y_.segment(kkt_.stack().parts()[part].first, state.r.size()) = state.r;
      ++part;
    }
  }
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    const double paid = tau - (corrected ? balls_[k].correction : 0.0);
    right_y_[kkt_.stack().first_ball() + static_cast<Index>(k)] =
        missing_slack(k) - (corrected ? balls_[k].bend : 0.0) - paid / balls_[k].multiplier;
  }

  dx_ = right_x_;
  kkt_.solve(dx_, right_y_);
  if (!dx_.allFinite() || !right_y_.allFinite()) return false;

  const auto multipliers = [&](Sides& sides, Index i, double low, double high, double v) {
    const double dv = sides.dv[i];
    sides.dp[i] = 0.0;
    sides.dq[i] = 0.0;
    if (std::isfinite(low)) {
      const double paid = tau - (corrected ? sides.dp_before[i] * sides.dv_before[i] : 0.0);
      sides.dp[i] = (paid - sides.p[i] * dv) / (v - low) - sides.p[i];
    }
    if (std::isfinite(high)) {
      const double paid = tau + (corrected ? sides.dq_before[i] * sides.dv_before[i] : 0.0);
      sides.dq[i] = (paid + sides.q[i] * dv) / (high - v) - sides.q[i];
    }
  };
  box_.dv = dx_;
  box_.dp.resize(dx_.size());
  box_.dq.resize(dx_.size());
  for (Index j = 0; j < x_.size(); ++j) {
    if (is_fixed(j))
      dx_[j] = box_.dv[j] = box_.dp[j] = box_.dq[j] = 0.0;
    else
      multipliers(box_, j, program_.lower[j], program_.upper[j], x_[j]);
  }
  part = 0;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Block& block = program_.blocks[k];
    State& state = states_[k];
    block.rows.apply(dx_, state.du);
    if (block.rows.is_identity()) {
      state.dy = (state.du - state.r).cwiseQuotient(state.t) - state.y;
    } else {
      state.dy = right_y_.segment(kkt_.stack().parts()[part].first, state.r.size()) - state.y;
      ++part;
    }
    if (block.kind == BlockKind::logistic) continue;
    state.sides.dv = block.kind == BlockKind::limits ? Vector(state.du + state.u - state.v) : state.dy;
    state.sides.dp.resize(state.dy.size());
    state.sides.dq.resize(state.dy.size());
    for (Index i = 0; i < state.dy.size(); ++i) {
      if (block.kind == BlockKind::limits && is_equation(block, i)) {
        state.sides.dv[i] = state.sides.dp[i] = state.sides.dq[i] = 0.0;
      } else {
        multipliers(state.sides, i, block.low[i], block.high[i], state.v[i]);
      }
    }
  }
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    BallState& ball = balls_[k];
    ball.dmultiplier = right_y_[kkt_.stack().first_ball() + static_cast<Index>(k)] - ball.multiplier;
    ball.dslack = missing_slack(k) - (corrected ? ball.bend : 0.0) - kkt_.stack().balls()[k].dot(dx_);
  }
  return true;
}

InteriorPoint::Lengths InteriorPoint::longest() const {
  Lengths lengths;
  const auto limit = [](const Vector& v, const Vector& low, const Vector& high, const Sides& sides, double& of_v,
                        double& of_multiplier) {
    for (Index i = 0; i < v.size(); ++i) {
      if (low[i] == high[i]) continue;
      if (std::isfinite(low[i])) {
        of_v = std::min(of_v, most(v[i] - low[i], sides.dv[i]));
        of_multiplier = std::min(of_multiplier, most(sides.p[i], sides.dp[i]));
      }
      if (std::isfinite(high[i])) {
        of_v = std::min(of_v, most(high[i] - v[i], -sides.dv[i]));
        of_multiplier = std::min(of_multiplier, most(sides.q[i], sides.dq[i]));
      }
    }
  };
  limit(x_, program_.lower, program_.upper, box_, lengths.primal, lengths.dual);
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Block& block = program_.blocks[k];
    const State& state = states_[k];
    if (block.kind == BlockKind::limits) {
      limit(state.v, block.low, block.high, state.sides, lengths.primal, lengths.dual);
    } else if (block.kind == BlockKind::loss) {
      limit(state.v, block.low, block.high, state.sides, lengths.dual, lengths.primal);
    } else {
      for (Index i = 0; i < state.y.size(); ++i) {
        const double share = -block.kink[i] * state.y[i] / block.weight;
        const double change = -block.kink[i] * state.dy[i] / block.weight;
        lengths.dual = std::min({lengths.dual, most(share, change), most(1.0 - share, -change)});
      }
    }
  }
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    lengths.dual = std::min(lengths.dual, most(balls_[k].multiplier, balls_[k].dmultiplier));
    lengths.primal = std::min(lengths.primal, most(balls_[k].slack, balls_[k].dslack));
  }
  return lengths;
}

void InteriorPoint::move(const Lengths& lengths) {
  const double ap = lengths.primal, ad = lengths.dual;
  const auto move_sides = [](Sides& sides, double by) {
    sides.p += by * sides.dp;
    sides.q += by * sides.dq;
  };
  x_ += ap * dx_;
  move_sides(box_, ad);
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Block& block = program_.blocks[k];
    State& state = states_[k];
    state.u += ap * state.du;
    if (block.kind == BlockKind::limits) {
      state.v += ap * state.sides.dv;
      move_sides(state.sides, ad);
      state.y += ad * state.dy;
      for (Index i = 0; i < state.y.size(); ++i)
        if (!is_equation(block, i))
          agree(state.y[i], block.low[i], block.high[i], state.sides.p[i], state.sides.q[i]);
    } else {
      state.y += ad * state.dy;
      if (block.kind == BlockKind::loss) {
        state.v = state.y;
        move_sides(state.sides, ap);
      }
    }
  }
  Vector push = slope();  // the sides of x take what is left of it
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    const Ball& ball = program_.balls[k];
    ball.of(push) += (balls_[k].multiplier + ad * balls_[k].dmultiplier) * (ball.of(x_) - ball.centre);
  }
  if (ad == 1.0 && ap == 1.0)
    for (Index j = 0; j < x_.size(); ++j) {
      double wanted = -push[j];
      if (!is_fixed(j) && (box_.p[j] > 0.0 || box_.q[j] > 0.0))
        agree(wanted, program_.lower[j], program_.upper[j], box_.p[j], box_.q[j]);
    }
  for (BallState& ball : balls_) {
    ball.multiplier += ad * ball.dmultiplier;
    ball.slack += ap * ball.dslack;
  }
}

InteriorPoint::Step InteriorPoint::step(Watch* watch) {
  for (std::size_t k = 0; k < states_.size(); ++k) program_.blocks[k].rows.apply(x_, states_[k].u);  // no drift
  set_diagonals();
  if (!d_.allFinite() || !t_.allFinite()) return Step::stuck;
  if (!kkt_.factor(d_, t_, watch)) return watch != nullptr && watch->is_over(0.0) ? Step::stopped : Step::stuck;
  const double tau = count_ > 0.0 ? complementarity() / count_ : 0.0;
  if (!direction(0.0, false)) return Step::stuck;
  Lengths lengths = longest();
  if (count_ > 0.0) {
    const double after = std::max(complementarity_after(lengths), 0.0) / count_;
    const double ratio = tau > 0.0 ? after / tau : 0.0;
    const double centring = std::clamp(ratio * ratio * ratio, kLeastCentring, 1.0);
    const auto keep = [](Sides& sides) {
      sides.dv_before = sides.dv;
      sides.dp_before = sides.dp;
      sides.dq_before = sides.dq;
    };
    keep(box_);
    for (std::size_t k = 0; k < states_.size(); ++k)
      if (program_.blocks[k].kind != BlockKind::logistic) keep(states_[k].sides);
    for (std::size_t k = 0; k < balls_.size(); ++k) {  // a straight step leaves a sphere by half its square
      balls_[k].correction = balls_[k].dslack * balls_[k].dmultiplier;
      balls_[k].bend = 0.5 * program_.balls[k].of(dx_).squaredNorm() * lengths.primal * lengths.primal;
    }
    const double aim = std::max(centring * tau, least_tau());
    if (!direction(aim, true)) return Step::stuck;
    lengths = longest();
    if (std::min(lengths.primal, lengths.dual) < kShort) {  // second-order terms may mislead far from the path
      const Lengths corrected = lengths;
      if (!direction(std::max(kRecentring * tau, aim), false)) return Step::stuck;
      lengths = longest();
      if (std::min(lengths.primal, lengths.dual) < std::min(corrected.primal, corrected.dual)) {
        if (!direction(aim, true)) return Step::stuck;
        lengths = corrected;
      }
    }
  }
  const auto almost = [](double length) { return length < 1.0 ? kAlmost * length : 1.0; };
  lengths.primal = almost(lengths.primal);
  lengths.dual = almost(lengths.dual);
  if (curved_) lengths.primal = lengths.dual = std::min(lengths.primal, lengths.dual);
  short_steps_ = std::min(lengths.primal, lengths.dual) < kLeastLength ? short_steps_ + 1 : 0;
  if (short_steps_ >= kMostShortSteps) return Step::stuck;
  move(lengths);
  return x_.allFinite() ? Step::taken : Step::stuck;
}

}  // namespace fcbio::interior
