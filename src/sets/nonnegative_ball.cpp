// The nonnegative part of a ball, {x >= 0 : |x| <= radius}; radius 0 is the single point 0.
//   projection      negative entries to 0, then scaled into the ball
//   linear minimum  -radius |min(c, 0)|, at -radius min(c, 0) / |min(c, 0)|
#include <algorithm>
#include <cmath>

#include "fcbio/set.hpp"
#include "sets/checks.hpp"
#include "sets/conditions.hpp"
#include "sets/extended.hpp"

namespace fcbio {
namespace {

class NonnegativeBall final : public ConvexSet {
 public:
  NonnegativeBall(Index n, double radius) : n_(n), radius_(radius) {
    sets::require_dimension("nonnegative-ball", n_);
    sets::require_size("nonnegative-ball", "radius", radius_);
  }

  std::string_view name() const override { return "nonnegative-ball"; }
  Index dimension() const override { return n_; }
  SetShape shape() const override { return NonnegativeBallShape{radius_}; }

  bool resting_point(VectorIn, VectorOut rest) const override {
    rest.setZero();
    return true;
  }
  ConvexSetPtr restricted(const std::vector<Index>& used) const override {
    return nonnegative_ball(static_cast<Index>(used.size()), radius_);
  }

  void project(VectorOut x, Scratch&) const override {
    x = x.cwiseMax(0.0);
    const double norm = sets::norm_of(x);
    if (norm > radius_) x *= radius_ / norm;
  }

  double linear_lower_bound(VectorIn direction, Scratch&) const override {
    return -radius_ * sets::norm_of(direction.cwiseMin(0.0));
  }

  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch&) const override {
    witness = SetWitness{};
    const Vector falling = direction.cwiseMin(0.0);
    sets::ExtendedSum sum;
    sum.add(-radius_ * sets::norm_at_most(falling, nullptr, n_),
            radius_ * sets::norm_at_most(direction, nullptr, n_));
    return sets::rounded_down(sum.at_least());
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    const double norm = sets::norm_of(direction.cwiseMin(0.0));
    if (norm > 0.0) {
      vertex = radius_ * (-direction.cwiseMin(0.0) / norm);
    } else {
      vertex.setZero();
    }
    return true;
  }

  /// The smallest such ball.  About (t, ..., t) the farthest members are radius e_i, or 0 where n = 1: for n >= 2
  /// the best t is radius / n, for n = 1 the middle of [0, radius].
  std::optional<double> enclosing_ball(VectorOut centre) const override {
    const double count = static_cast<double>(std::max<Index>(n_, 2));
    centre.setConstant(radius_ / count);
    return n_ == 1 ? 0.5 * radius_ : radius_ * std::sqrt(1.0 - 1.0 / count);
  }
  std::optional<double> diameter() const override { return n_ == 1 ? radius_ : radius_ * std::sqrt(2.0); }

  /// The distance to the set: the two steps of the projection are orthogonal.
  double violation(VectorIn x) const override {
    const double negative = sets::norm_of(x.cwiseMin(0.0));
    const double beyond = std::max(0.0, sets::norm_of(x.cwiseMax(0.0)) - radius_);
    return std::hypot(negative, beyond);
  }

  bool describe(sets::Conditions& conditions, Index first) const override {
    conditions.sides.push_back({first, n_, nullptr, nullptr});
    conditions.balls.push_back({first, n_, nullptr, radius_});
    return true;
  }
  /// (t, ..., t) with t = radius - t sqrt(n): as far from the sides as from the sphere.
  bool interior_point(VectorOut s) const override {
    s.setConstant(radius_ / (1.0 + std::sqrt(static_cast<double>(n_))));
    return true;
  }

 private:
  Index n_;
  double radius_;
};

}  // namespace

ConvexSetPtr nonnegative_ball(Index n, double radius) { return std::make_shared<NonnegativeBall>(n, radius); }

}  // namespace fcbio
