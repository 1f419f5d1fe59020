// A halfspace cut by a ball, {x : c'x <= value, |x| <= radius}, or not cut (radius infinite).  With the unit normal a = c / |c| and the offset
// beta = value / |c| it is {a'x <= beta, |x| <= radius}: a full ball for beta >= radius, a cap for beta < 0, one
// point for beta = -radius, empty (refused) below.
//
// Both problems have at most three candidates.  The rim is {a'x = beta, |x| = radius}, a sphere of radius
// rho = sqrt(radius^2 - beta^2) about beta a.
//   projection      the projection on the ball if that satisfies the inequality; else the one on the halfspace if
//                   that lies in the ball (a projection on a larger set that falls into the set is the right one);
//                   else both constraints are active: beta a + rho u/|u|, u = x - (a'x) a
//   linear minimum  s = -radius d/|d| if a's <= beta; else on the rim: beta a - rho u/|u|, u = d - (a'd) a, with
//                   value beta a'd - rho |u|
#include <algorithm>
#include <cmath>
#include <utility>

#include "fcbio/error.hpp"
#include "fcbio/set.hpp"
#include "sets/checks.hpp"
#include "sets/conditions.hpp"
#include "sets/extended.hpp"

namespace fcbio {
namespace {

class Halfspace final : public ConvexSet {
 public:
  Halfspace(Vector coefficients, double value, double radius)
      : coefficients_(std::move(coefficients)), value_(value), normal_(coefficients_), radius_(radius) {
    sets::require_dimension("halfspace", normal_.size());
    sets::require_finite("halfspace", "coefficients", normal_);
    sets::require_finite("halfspace", "value", value);
    if (radius_ != kInfinity) sets::require_size("halfspace", "radius", radius_);
    const double norm = sets::norm_of(normal_);
    if (norm == 0.0) {
      throw InvalidArgument(
          "halfspace: expected coefficients that are not all zero, found only zeros; use a ball instead");
    }
    normal_ /= norm;
    // The last bit of the norm decides about nothing: a value that misses -radius |c| by rounding is that value.
    if (value < -radius_ * norm * (1.0 + 8.0 * kEpsilon)) {
      throw InvalidArgument("halfspace: expected value >= -radius |c| = " + sets::text_of(-radius_ * norm) +
                            ", found value " + sets::text_of(value) + " with radius " + sets::text_of(radius_) +
                            " and |c| " + sets::text_of(norm) +
                            ", which leaves the set empty; raise the value or the radius");
    }
    offset_ = std::clamp(value / norm, -radius_, radius_);  // beyond the radius the inequality says nothing
    rim_radius_ = std::sqrt((radius_ - offset_) * (radius_ + offset_));
  }

  std::string_view name() const override { return "halfspace"; }
  Index dimension() const override { return normal_.size(); }

  void project(VectorOut x, Scratch&) const override {
    const double norm = sets::norm_of(x);
    const double height = normal_.dot(x);
    const double shrink = norm > radius_ ? radius_ / norm : 1.0;
    if (shrink * height <= offset_) {
      if (shrink < 1.0) x *= shrink;
      return;
    }
    // u = x - (a'x) a: the projection on the hyperplane is beta a + u, and it lies in the ball where |u| <= rho.
    // (Where x satisfies the inequality but its projection on the ball does not, |u| > rho: both are active.)
    remove_normal(x);
    const double across = sets::norm_of(x);
    if (across > rim_radius_) x *= rim_radius_ / across;
    x += offset_ * normal_;
  }

  /// For every m >= 0 and every member z, <s, z> >= <s + m a, z> - m beta >= -radius |s + m a| - m beta.  The best
  /// m makes s + m a parallel to the minimiser; an error in it costs tightness and not truth.  What the evaluation
  /// itself may lose grows with m (thin caps have large multipliers) and is subtracted.
  double linear_lower_bound(VectorIn direction, Scratch&) const override {
    if (radius_ == kInfinity) return evaluate(direction, best_multiplier(direction));
    const double norm = sets::norm_of(direction);
    const double slope = normal_.dot(direction);
    double multiplier = 0.0;
    if (-radius_ * slope > offset_ * norm) {
      const double across = sets::norm_of(direction - slope * normal_);
      // A larger multiplier would lose more to rounding than it gains; only caps of nearly one point want one.
      const double most = norm / std::sqrt(kEpsilon * static_cast<double>(dimension() + 16));
      multiplier = rim_radius_ > 0.0 ? -slope - offset_ * (across / rim_radius_) : most;
      multiplier = std::clamp(multiplier, 0.0, most);
    }
    const double bound = -radius_ * sets::norm_of(direction + multiplier * normal_) - multiplier * offset_;
    const double unit = kEpsilon * static_cast<double>(dimension() + 16);
    return bound -
           (multiplier > 0.0 ? unit * (radius_ * (norm + multiplier) + multiplier * std::abs(offset_)) : 0.0);
  }

  /// The same at a multiplier of the inequality as it was given, evaluated in extended precision.
  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch&) const override {
    const bool hinted = witness.multipliers.size() == 1 && witness.multipliers[0] >= 0.0;
    double multiplier = hinted ? witness.multipliers[0] : best_multiplier(direction);
    if (!std::isfinite(multiplier)) multiplier = 0.0;
    witness = SetWitness{};
    witness.multipliers = Vector::Constant(1, multiplier);
    return evaluate(direction, multiplier);
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    const double norm = sets::norm_of(direction);
    if (norm == 0.0) {
      vertex = std::min(offset_, 0.0) * normal_;
      return true;
    }
    if (radius_ == kInfinity) return false;
    const double slope = normal_.dot(direction);
    if (-radius_ * slope <= offset_ * norm) {
      vertex = -radius_ * (direction / norm);
      return true;
    }
    vertex = direction;
    remove_normal(vertex);
    const double across = sets::norm_of(vertex);
    // Where the direction is the normal but for rounding every point of the disc inside the rim will do.
    vertex *= across > 4.0 * kEpsilon * norm ? -rim_radius_ / across : 0.0;
    vertex += offset_ * normal_;
    return true;
  }

  /// The ball itself, or for a cap (offset < 0) the ball on its rim: |x - beta a|^2 <= radius^2 - beta^2 there.
  std::optional<double> enclosing_ball(VectorOut centre) const override {
    if (!(reach() < kInfinity)) return std::nullopt;
    if (radius_ == kInfinity) {
      centre.setZero();
      return reach_;
    }
    centre = std::min(offset_, 0.0) * normal_;
    return offset_ < 0.0 ? rim_radius_ : radius_;
  }
  std::optional<double> diameter() const override {
    if (!(reach() < kInfinity)) return std::nullopt;
    return 2.0 * (offset_ < 0.0 && radius_ < kInfinity ? rim_radius_ : reach());
  }

  double violation(VectorIn x) const override {
    return std::max({0.0, normal_.dot(x) - offset_, sets::norm_of(x) - radius_});
  }

  double reach() const override { return std::min(radius_, reach_); }
  ConvexSetPtr within(double reach) const override {
    if (radius_ < kInfinity) return nullptr;
    auto smaller = std::make_shared<Halfspace>(*this);
    smaller->reach_ = reach;
    return smaller;
  }
  bool describe(sets::Conditions& conditions, Index first) const override {
    conditions.planes.push_back({first, &coefficients_, value_});
    if (radius_ < kInfinity) conditions.balls.push_back({first, dimension(), nullptr, radius_});
    return true;
  }
  void take_duals(sets::ConditionDuals& duals, VectorOut share, SetWitness& witness) const override {
    const double multiplier = std::max(duals.plane_ahead(), 0.0);
    ConvexSet::take_duals(duals, share, witness);
    witness.multipliers = Vector::Constant(1, multiplier);
  }
  /// The centre of the largest ball inside: as far from the plane as from the sphere behind it.
  bool interior_point(VectorOut s) const override {
    const double back = radius_ < kInfinity ? 0.5 * (offset_ - radius_) : offset_ - (1.0 + std::abs(offset_));
    s = back * normal_;
    return true;
  }

 private:
  double evaluate(VectorIn direction, double multiplier) const {
    sets::ExtendedSum square, sum;
    sets::Extended size = 0;
    for (Index j = 0; j < dimension(); ++j) {
      const sets::Extended push = sets::Extended{multiplier} * coefficients_[j];
      const sets::Extended tilted = direction[j] + push;
      square.add(tilted * tilted);
      const sets::Extended sizes = std::abs(direction[j]) + std::abs(push);
      size += sizes * sizes;
    }
    if (size > 0) {
      if (!(reach() < kInfinity)) return -kInfinity;
      sum.add(-reach() * std::sqrt(square.value()), reach() * std::sqrt(size));
    }
    sum.add_product(-multiplier, value_);
    return sets::rounded_down(sum.at_least() - sum.error());
  }

  double best_multiplier(VectorIn direction) const {
    const double norm = sets::norm_of(direction);
    const double slope = normal_.dot(direction);
    if (radius_ == kInfinity) return std::max(-slope, 0.0) / sets::norm_of(coefficients_);
    if (!(-radius_ * slope > offset_ * norm)) return 0.0;
    const double across = sets::norm_of(direction - slope * normal_);
    const double most = kMostPull * norm;
    const double multiplier = rim_radius_ > 0.0 ? -slope - offset_ * (across / rim_radius_) : most;
    return std::clamp(multiplier, 0.0, most) / sets::norm_of(coefficients_);
  }

  /// x <- x - (a'x) a; twice, since what rounding leaves of a long normal part may be larger than the rest.
  void remove_normal(VectorOut x) const {
    x -= normal_.dot(x) * normal_;
    x -= normal_.dot(x) * normal_;
  }

  /// A larger multiplier, in units of the direction, would lose more to rounding than it gains.
  static constexpr double kMostPull = 0x1p30;

  Vector coefficients_;  // c, as given
  double value_;
  Vector normal_;        // a
  double offset_ = 0.0;  // beta, at most radius
  double radius_;
  double rim_radius_ = 0.0;   // rho
  double reach_ = kInfinity;  // of the points that matter, where that is known from elsewhere
};

}  // namespace

ConvexSetPtr halfspace(Vector coefficients, double value, double radius) {
  return std::make_shared<Halfspace>(std::move(coefficients), value, radius);
}

}  // namespace fcbio
