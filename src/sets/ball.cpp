// The Euclidean ball {x : |x - centre| <= radius}; radius 0 is the single point `centre`.
//   projection      centre + (x - centre) min(1, radius / |x - centre|)
//   linear minimum  <c, centre> - radius |c|
#include <algorithm>
#include <utility>

#include "fcbio/set.hpp"
#include "sets/checks.hpp"

namespace fcbio {
namespace {

class Ball final : public ConvexSet {
 public:
  Ball(Vector centre, double radius) : centre_(std::move(centre)), radius_(radius) {
    sets::require_dimension("ball", centre_.size());
    sets::require_finite("ball", "center", centre_);
    sets::require_size("ball", "radius", radius_);
  }

  std::string_view name() const override { return "ball"; }
  Index dimension() const override { return centre_.size(); }
  SetShape shape() const override { return BallShape{&centre_, radius_}; }

  void project(VectorOut x, Scratch&) const override {
    const double distance = sets::norm_of(x - centre_);
    if (distance > radius_) x = centre_ + (radius_ / distance) * (x - centre_);
  }

  double linear_lower_bound(VectorIn direction, Scratch&) const override {
    return direction.dot(centre_) - radius_ * sets::norm_of(direction);
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    const double norm = sets::norm_of(direction);
    vertex = centre_;
    if (norm > 0.0) vertex -= radius_ * (direction / norm);
    return true;
  }

  std::optional<double> enclosing_ball(VectorOut centre) const override {
    centre = centre_;
    return radius_;
  }
  std::optional<double> diameter() const override { return 2.0 * radius_; }

  double violation(VectorIn x) const override { return std::max(0.0, sets::norm_of(x - centre_) - radius_); }

 private:
  Vector centre_;
  double radius_;
};

}  // namespace

ConvexSetPtr ball(Vector centre, double radius) { return std::make_shared<Ball>(std::move(centre), radius); }

}  // namespace fcbio
