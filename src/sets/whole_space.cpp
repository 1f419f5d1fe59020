// R^n, with or without a radius the caller vouches for: a solution lies within that distance of `start`.  Nothing
// is ever projected and every point is a member; only what proofs use (linear bounds, ball, diameter) is taken
// over the ball about `start`.  Without a radius a linear bound is -infinity unless the direction is zero.
#include <utility>

#include "fcbio/set.hpp"
#include "sets/checks.hpp"
#include "sets/extended.hpp"

namespace fcbio {
namespace {

class WholeSpace final : public ConvexSet {
 public:
  WholeSpace(Vector start, std::optional<double> radius) : start_(std::move(start)), radius_(radius) {
    sets::require_dimension("whole-space", start_.size());
    sets::require_finite("whole-space", "start", start_);
    if (radius_) sets::require_size("whole-space", "radius", *radius_);
  }

  std::string_view name() const override { return "whole-space"; }
  Index dimension() const override { return start_.size(); }
  SetShape shape() const override { return WholeSpaceShape{&start_, radius_}; }
  bool rests_on_told_radius() const override { return radius_.has_value(); }

  bool resting_point(VectorIn, VectorOut rest) const override {
    rest = start_;
    return true;
  }
  ConvexSetPtr restricted(const std::vector<Index>& used) const override {
    return whole_space(start_(used), radius_);
  }

  void project(VectorOut, Scratch&) const override {}
  void project_where_bounded(VectorOut x, Scratch&) const override {
    if (!radius_) return;
    const double distance = (x - start_).norm();
    if (distance > *radius_) x = start_ + (*radius_ / distance) * (x - start_);
  }

  double linear_lower_bound(VectorIn direction, Scratch&) const override {
    const double norm = sets::norm_of(direction);
    if (norm == 0.0) return 0.0;
    return radius_ ? direction.dot(start_) - *radius_ * norm : -kInfinity;
  }

  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch&) const override {
    witness = SetWitness{};
    if (direction.isZero(0.0)) return 0.0;
    if (!radius_) return -kInfinity;
    sets::ExtendedSum sum;
    for (Index j = 0; j < direction.size(); ++j) sum.add_product(direction[j], start_[j]);
    sum.add(-*radius_ * sets::norm_at_most(direction, nullptr, direction.size()));
    return sets::rounded_down(sum.at_least());
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    const double norm = sets::norm_of(direction);
    vertex = start_;
    if (norm == 0.0) return true;
    if (!radius_) return false;
    vertex -= *radius_ * (direction / norm);
    return true;
  }

  std::optional<double> enclosing_ball(VectorOut centre) const override {
    if (radius_) centre = start_;
    return radius_;
  }
  std::optional<double> diameter() const override {
    return radius_ ? std::optional<double>(2.0 * *radius_) : std::nullopt;
  }

  double violation(VectorIn) const override { return 0.0; }
  std::optional<double> depth(VectorIn x) const override {
    if (!radius_) return kInfinity;
    constexpr double kSafety = 1e-9;  // of the numbers subtracted: more than their rounding
    const double used = (x - start_).norm();
    return *radius_ - used - kSafety * (*radius_ + used);
  }

  /// Every point is a member.
  bool describe(sets::Conditions&, Index) const override { return true; }
  bool interior_point(VectorOut s) const override {
    s = start_;
    return true;
  }
  double settle(VectorOut x) const override { return x.allFinite() ? 0.0 : kInfinity; }

 private:
  Vector start_;
  std::optional<double> radius_;
};

}  // namespace

ConvexSetPtr whole_space(Vector start, std::optional<double> radius) {
  return std::make_shared<WholeSpace>(std::move(start), radius);
}

}  // namespace fcbio
