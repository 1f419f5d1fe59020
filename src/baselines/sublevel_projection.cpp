#include "baselines/sublevel_projection.hpp"

#include <cmath>

#include "baselines/needs.hpp"

namespace fcbio {
namespace {

constexpr int kMostLevelTrials = 100;

/// The root of  a t^2 + b t = rise,  a >= 0, at which the left side rises (`rising`) or falls; NaN: none.
double parabola_root(double a, double b, double rise, bool rising) {
  const double root = std::sqrt(b * b + 4.0 * a * rise);
  const double slope = rising ? root : -root;
  // Written so that nothing cancels.
  return b * slope >= 0.0 ? 2.0 * rise / (b + slope) : (slope - b) / (2.0 * a);
}

}  // namespace

SublevelProjection::SublevelProjection(MethodRun& run)
    : run_(run),
      f_(*isotropic(run.problem().upper())),
      target_(f_.centre),
      least_(f_.centre),
      low_{0.0, 0.0, f_.centre},
      high_(low_),
      last_(low_),
      before_(low_) {
  run_.prox(1.0 / f_.curvature, 1.0, 0.0, least_);
  least_value_ = f_.value(least_);
}

void SublevelProjection::trial(double tau, Trial& out) {
  out.tau = tau;
  out.x = tau * target_ + (1.0 - tau) * f_.centre;
  run_.prox((1.0 - tau) / f_.curvature, 1.0, 0.0, out.x);
  out.value = f_.value(out.x);
}

double SublevelProjection::share(const Trial& from, const Trial& to, double level) const {
  const double curvature = 0.5 * f_.curvature * (to.x - from.x).squaredNorm();
  return parabola_root(curvature, to.value - from.value - curvature, level - from.value, to.tau > from.tau);
}

bool SublevelProjection::project(double level, VectorOut x) {
  target_ = x;
  trial(1.0, high_);
  if (!(high_.value > level)) {
    x = high_.x;
    return true;
  }
  low_.tau = 0.0;
  low_.value = least_value_;
  low_.x = least_;
  if (low_.value > level) {
    x = least_;
    return false;
  }
  const double tolerance = 512.0 * kEpsilon * (std::abs(level - f_.constant) + std::abs(f_.constant));
  before_ = high_;
  double tau = last_tau_;
  double width = 1.0;  // of the bracket, some trials ago
  for (int trials = 1; trials <= kMostLevelTrials; ++trials) {
    if (!(tau > low_.tau && tau < high_.tau)) tau = low_.tau + share(low_, high_, level) * (high_.tau - low_.tau);
    if (!(tau > low_.tau && tau < high_.tau)) break;
    trial(tau, last_);
    (last_.value > level ? high_ : low_) = last_;
    if (std::abs(last_.value - level) <= tolerance || high_.tau - low_.tau <= 4.0 * kEpsilon) break;
    tau = last_.tau + share(last_, before_, level) * (before_.tau - last_.tau);  // exact within one piece
    std::swap(before_, last_);
    if (trials % 4 != 0) continue;
    if (high_.tau - low_.tau > 0.5 * width) tau = 0.5 * (low_.tau + high_.tau);
    width = high_.tau - low_.tau;
  }
  last_tau_ = low_.tau;
  const double t = share(low_, high_, level);
  x = low_.x;
  if (t > 0.0) x += std::min(t, 1.0) * (high_.x - low_.x);
  return true;
}

std::string no_sublevel_projection(const Problem& problem) {
  std::string why = upper_not_isotropic(problem, true);
  if (!why.empty()) return why + ", and only on level sets of that a projection is known";
  why = level_not_composite(problem, Level::upper);
  return why;
}

}  // namespace fcbio
