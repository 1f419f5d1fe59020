// The l1 ball {x : |x - centre|_1 <= radius}; radius 0 is the single point `centre`.
//   projection      outside, |x - centre| is projected on the simplex of total `radius` and the signs are put back
//   linear minimum  <c, centre> - radius max over i of |c_i|
#include <algorithm>
#include <cmath>
#include <utility>

#include "fcbio/set.hpp"
#include "sets/checks.hpp"
#include "sets/conditions.hpp"
#include "sets/extended.hpp"
#include "sets/threshold.hpp"

namespace fcbio {
namespace {

class L1Ball final : public ConvexSet {
 public:
  L1Ball(Vector centre, double radius) : centre_(std::move(centre)), radius_(radius) {
    sets::require_dimension("l1-ball", centre_.size());
    sets::require_finite("l1-ball", "center", centre_);
    sets::require_size("l1-ball", "radius", radius_);
  }

  std::string_view name() const override { return "l1-ball"; }
  Index dimension() const override { return centre_.size(); }
  SetShape shape() const override { return L1BallShape{&centre_, radius_}; }

  bool resting_point(VectorIn, VectorOut rest) const override {
    rest = centre_;
    return true;
  }
  ConvexSetPtr restricted(const std::vector<Index>& used) const override {
    return l1_ball(centre_(used), radius_);
  }

  void project(VectorOut x, Scratch&) const override {
    if ((x - centre_).lpNorm<1>() <= radius_) return;
    if (radius_ == 0.0) {
      x = centre_;
      return;
    }
    const auto threshold =
        sets::find_threshold(dimension(), radius_, [&](Index i) { return std::abs(x[i] - centre_[i]); });
    double sum = 0.0;
    for (Index i = 0; i < dimension(); ++i) {
      const double offset = x[i] - centre_[i];
      x[i] = std::copysign(threshold.excess(std::abs(offset)), offset);  // relative to the centre until the end
      sum += std::abs(x[i]);
    }
    const double scale = sum > 0.0 ? radius_ / sum : 0.0;  // zero only where radius / n underflows
    x = centre_ + scale * x;
  }

  double linear_lower_bound(VectorIn direction, Scratch&) const override {
    return direction.dot(centre_) - radius_ * direction.lpNorm<Eigen::Infinity>();
  }

  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch&) const override {
    witness = SetWitness{};
    sets::ExtendedSum sum;
    for (Index j = 0; j < direction.size(); ++j) sum.add_product(direction[j], centre_[j]);
    sum.add_product(-radius_, direction.lpNorm<Eigen::Infinity>());
    return sets::rounded_down(sum.at_least());
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    Index best = 0;
    direction.cwiseAbs().maxCoeff(&best);
    vertex = centre_;
    if (direction[best] != 0.0) vertex[best] -= std::copysign(radius_, direction[best]);
    return true;
  }

  std::optional<double> enclosing_ball(VectorOut centre) const override {
    centre = centre_;
    return radius_;
  }
  std::optional<double> diameter() const override { return 2.0 * radius_; }

  /// The distance to the member centre + (x - centre) radius / |x - centre|_1: an upper bound of the distance.
  double violation(VectorIn x) const override {
    const double size = (x - centre_).lpNorm<1>();
    return size <= radius_ ? 0.0 : (size - radius_) * (sets::norm_of(x - centre_) / size);
  }

  bool describe(sets::Conditions& conditions, Index first) const override {
    conditions.l1_balls.push_back({first, dimension(), &centre_, radius_});
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

ConvexSetPtr l1_ball(Vector centre, double radius) { return std::make_shared<L1Ball>(std::move(centre), radius); }

}  // namespace fcbio
