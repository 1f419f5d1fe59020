// The Euclidean ball {x : |x - centre| <= radius}; radius 0 is the single point `centre`.
//   projection      centre + (x - centre) min(1, radius / |x - centre|)
//   linear minimum  <c, centre> - radius |c|
#include <algorithm>
#include <utility>

#include "fcbio/set.hpp"
#include "sets/checks.hpp"
#include "sets/conditions.hpp"
#include "sets/extended.hpp"

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

  bool resting_point(VectorIn, VectorOut rest) const override {
    rest = centre_;
    return true;
  }
  ConvexSetPtr restricted(const std::vector<Index>& used) const override { return ball(centre_(used), radius_); }

  void project(VectorOut x, Scratch&) const override {
    const double distance = sets::norm_of(x - centre_);
    if (distance > radius_) x = centre_ + (radius_ / distance) * (x - centre_);
  }

  double linear_lower_bound(VectorIn direction, Scratch&) const override {
    return direction.dot(centre_) - radius_ * sets::norm_of(direction);
  }

  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch&) const override {
    witness = SetWitness{};
    sets::ExtendedSum sum;
    for (Index j = 0; j < direction.size(); ++j) sum.add_product(direction[j], centre_[j]);
    sum.add(-radius_ * sets::norm_at_most(direction, nullptr, direction.size()));
    return sets::rounded_down(sum.at_least());
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

  bool describe(sets::Conditions& conditions, Index first) const override {
    conditions.balls.push_back({first, dimension(), &centre_, radius_});
    return true;
  }
  bool interior_point(VectorOut s) const override {
    s = centre_;
    return true;
  }

 private:
  Vector centre_;
  double radius_;
};

}  // namespace

ConvexSetPtr ball(Vector centre, double radius) { return std::make_shared<Ball>(std::move(centre), radius); }

}  // namespace fcbio
