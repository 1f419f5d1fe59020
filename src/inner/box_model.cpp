#include "inner/box_model.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio {
namespace {

constexpr int kMostRounds = 80;        // then what there is must do
constexpr double kSolved = 1e-14;      // complementarity that is left, of what it was at first, and
constexpr double kOfDescent = 1e-2;    // of what the model descends by, unless
constexpr double kNoFaster = 0.5;      // so much of it was left after a round: rounding
constexpr double kStationary = 1e-10;  // slope of the Lagrangian, of the model's at first
constexpr double kMargin = 0.02;  // of the width of a box, or of the size of a point, between bounds and start
constexpr double kShort = 0.995;  // of the way to the nearest bound
constexpr double kStuck = 1e-10;  // a step that makes no progress for rounding

}  // namespace

/// Well inside of the bounds, near 0.
void BoxModel::start_inside(double unit, Vector& d) {
  free_.clear();
  for (Index j = 0; j < d.size(); ++j) {
    const double from = low(j), to = high(j), width = to - from;
    if (!(width > 0.0)) {
      d[j] = from;
      continue;
    }
    free_.push_back(j);
    const double margin = std::min(kMargin * width, unit);
    d[j] = std::min(to - margin, std::max(from + margin, 0.0));
  }
}

double BoxModel::measure(const Vector& d) {
  double sum = 0.0;
  for (Index j : free_) {
    below_.room[j] = d[j] - low(j);
    above_.room[j] = high(j) - d[j];
    if (below_.multiplier[j] > 0.0) sum += below_.room[j] * below_.multiplier[j];
    if (above_.multiplier[j] > 0.0) sum += above_.room[j] * above_.multiplier[j];
  }
  return sum;
}

bool BoxModel::minimise(Oracle& oracle, BoxMetric& metric, const Vector& x, double a, const Vector& force,
                        std::int64_t reserve, Vector& d) {
  const Index n = x.size();
  x_ = &x;
  d.setZero(n);
  const double mean = metric.trace() / static_cast<double>(n) + a;
  const double unit = std::max(x.lpNorm<Eigen::Infinity>(), force.lpNorm<Eigen::Infinity>() / mean);
  start_inside(unit > 0.0 ? kMargin * unit : 1.0, d);
  below_.resize(n);
  above_.resize(n);
  step_.setZero(n);
  diagonal_.setZero(n);
  metric.multiply(d, slope_);
  slope_ += a * d + force;
  double scale = 0.0, count = 0.0;
  for (Index j : free_) scale = std::max(scale, std::abs(slope_[j]));
  for (Index j : free_) {
    below_.multiplier[j] = low(j) > -kInfinity ? scale : 0.0;
    above_.multiplier[j] = high(j) < kInfinity ? scale : 0.0;
    count += (low(j) > -kInfinity ? 1.0 : 0.0) + (high(j) < kInfinity ? 1.0 : 0.0);
  }
  const double start = measure(d);
  double last = kInfinity;  // complementarity a round ago
  if (!(scale > 0.0) || free_.empty()) {
    clip(d);
    return d.allFinite();
  }
  for (int round = 0; round < kMostRounds; ++round) {
    const double left = measure(d), middle = count > 0.0 ? left / count : 0.0;
    const double descent = -0.5 * (slope_.dot(d) + force.dot(d));  // of the model, from 0 to d
    double residual = 0.0;
    for (Index j : free_) {
      slope_[j] -= below_.multiplier[j] - above_.multiplier[j];
      residual = std::max(residual, std::abs(slope_[j]));
    }
    if (left <= kSolved * start && residual <= kStationary * scale && round > 0 &&
        (left <= kOfDescent * descent || left >= kNoFaster * last))
      break;
    last = left;
    if (round > 0 && !oracle.monitor().may_spend(metric.factor_cost() + reserve)) return false;
    for (Index j : free_) diagonal_[j] = a + below_.pressure(j) + above_.pressure(j);
    if (!metric.factor(oracle, diagonal_, free_)) {
      if (oracle.monitor().stopped() || round == 0) return false;
      break;  // rounding: what there is must do
    }
    solve_for(metric, 0.0, false);
    const double reach = std::min(longest(below_, 1.0), longest(above_, -1.0)), dual = longest_dual();
    double ahead = 0.0;
    for (Index j : free_) {
      if (below_.multiplier[j] > 0.0)
        ahead += (below_.room[j] + reach * step_[j]) * (below_.multiplier[j] + dual * below_.step[j]);
      if (above_.multiplier[j] > 0.0)
        ahead += (above_.room[j] - reach * step_[j]) * (above_.multiplier[j] + dual * above_.step[j]);
    }
    if (count > 0.0) {
      const double share = left > 0.0 ? ahead / left : 0.0;
      solve_for(metric, share * share * share * middle, true);
    }
    if (!step_.allFinite()) break;
    const double primal_length = kShort * std::min(longest(below_, 1.0), longest(above_, -1.0));
    const double dual_length = kShort * longest_dual();
    const double length = count > 0.0 ? primal_length : 1.0;
    for (Index j : free_) {
      d[j] += length * step_[j];
      below_.multiplier[j] += dual_length * below_.step[j];
      above_.multiplier[j] += dual_length * above_.step[j];
    }
    metric.multiply(d, slope_);
    slope_ += a * d + force;
    if (oracle.monitor().is_over(3.0 * metric.multiply_operations())) return false;
    if (length < kStuck && dual_length < kStuck) break;
  }
  clip(d);
  return d.allFinite();
}

void BoxModel::clip(Vector& d) const {
  for (Index j = 0; j < d.size(); ++j) d[j] = std::min(high(j), std::max(low(j), d[j]));
}

/// The step towards complementarity `target`; corrected by the product of the last one's steps.
void BoxModel::solve_for(BoxMetric& metric, double target, bool corrected) {
  for (Index j : free_) {
    const double moved = corrected ? step_[j] : 0.0;
    const auto aim = [&](Side& side, double sign) {
      side.aim[j] =
          side.multiplier[j] > 0.0
              ? (target - (corrected ? sign * moved * side.step[j] : 0.0)) / side.room[j] - side.multiplier[j]
              : 0.0;
    };
    aim(below_, 1.0);
    aim(above_, -1.0);
    step_[j] = -slope_[j] + below_.aim[j] - above_.aim[j];
  }
  metric.solve(step_);
  for (Index j : free_) {
    below_.step[j] = below_.aim[j] - below_.pressure(j) * step_[j];
    above_.step[j] = above_.aim[j] + above_.pressure(j) * step_[j];
  }
}

double BoxModel::longest(const Side& side, double sign) const {
  double most = 1.0 / kShort;
  for (Index j : free_)
    if (side.multiplier[j] > 0.0 && sign * step_[j] < 0.0)
      most = std::min(most, -side.room[j] / (sign * step_[j]));
  return std::min(most, 1.0);
}

double BoxModel::longest_dual() const {
  double most = 1.0;
  for (Index j : free_)
    for (const Side* side : {&below_, &above_})
      if (side->step[j] < 0.0) most = std::min(most, -side->multiplier[j] / side->step[j]);
  return most;
}

}  // namespace fcbio
