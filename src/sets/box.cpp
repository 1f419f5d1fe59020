// The box {x : lower <= x <= upper}, entry by entry; an entry of lower may be -infinity and one of upper
// +infinity.
//   projection      min(max(x, lower), upper)
//   linear minimum  sum over i of c_i lower_i where c_i > 0, c_i upper_i where c_i < 0, and 0 where c_i = 0 (also
//                   on an open side); where c_i points to an open side, -radius times the norm of these c_i,
//                   -infinity without a radius
// The orthant is the box with lower 0 and all upper sides open.
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

class Box final : public ConvexSet {
 public:
  Box(const char* name, Vector lower, Vector upper, std::optional<double> radius)
      : name_(name), lower_(std::move(lower)), upper_(std::move(upper)), told_radius_(radius) {
    check();
    // Both are infinite for an unbounded box; halves first, so that huge sides do not overflow in the centre.
    diameter_ = sets::norm_of(upper_ - lower_);
    if (!std::isfinite(diameter_)) return;
    centre_ = 0.5 * lower_ + 0.5 * upper_;
    radius_ = sets::norm_of((upper_ - centre_).cwiseMax(centre_ - lower_));
  }

  Box(const Box& other, double reach) : Box(other) { reach_ = reach; }

  std::string_view name() const override { return name_; }
  Index dimension() const override { return lower_.size(); }
  SetShape shape() const override { return BoxShape{&lower_, &upper_}; }

  bool rests_on_told_radius() const override { return told_radius_.has_value() && reach_ == kInfinity; }

  bool resting_point(VectorIn start, VectorOut rest) const override {
    rest = start.cwiseMax(lower_).cwiseMin(upper_);
    return true;
  }
  ConvexSetPtr restricted(const std::vector<Index>& used) const override {
    const Vector lower = lower_(used), upper = upper_(used);
    const bool open = !lower.allFinite() || !upper.allFinite();
    return std::make_shared<Box>(name_, lower, upper, open ? told_radius_ : std::nullopt);
  }
  ConvexSetPtr within(double reach) const override {
    return std::isfinite(diameter_) ? nullptr : std::make_shared<Box>(*this, reach);
  }

  void project(VectorOut x, Scratch&) const override { x = x.cwiseMax(lower_).cwiseMin(upper_); }

  double linear_lower_bound(VectorIn direction, Scratch&) const override {
    double sum = 0.0, open = 0.0;
    for (Index i = 0; i < direction.size(); ++i) {
      const double slope = direction[i];
      if (slope == 0.0) continue;
      const double side = slope > 0.0 ? lower_[i] : upper_[i];
      if (std::isfinite(side))
        sum += slope * side;
      else
        open = std::hypot(open, slope);
    }
    return open > 0.0 ? sum - radius() * open : sum;
  }

  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch&) const override {
    witness = SetWitness{};
    sets::ExtendedSum sum, open;
    for (Index j = 0; j < direction.size(); ++j) {
      if (direction[j] == 0.0) continue;
      const double side = direction[j] > 0.0 ? lower_[j] : upper_[j];
      if (std::isfinite(side))
        sum.add_product(direction[j], side);
      else
        open.add(sets::Extended{direction[j]} * direction[j]);
    }
    if (open.size() > 0) {
      if (!(radius() < kInfinity)) return -kInfinity;
      sum.add(-radius() * std::sqrt(open.value()) * (1 + sets::kAllowance));
    }
    return sets::rounded_down(sum.at_least());
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    for (Index i = 0; i < direction.size(); ++i) {
      const double slope = direction[i];
      if (slope > 0.0) {
        vertex[i] = lower_[i];
      } else if (slope < 0.0) {
        vertex[i] = upper_[i];
      } else {
        vertex[i] = std::clamp(0.0, lower_[i], upper_[i]);  // any entry will do: the one nearest to 0
      }
      if (!std::isfinite(vertex[i])) return false;
    }
    return true;
  }

  std::optional<double> enclosing_ball(VectorOut centre) const override {
    if (std::isfinite(diameter_)) {
      centre = centre_;
      return radius_;
    }
    if (!(radius() < kInfinity)) return std::nullopt;
    centre.setZero();
    return radius();
  }
  std::optional<double> diameter() const override {
    if (std::isfinite(diameter_)) return diameter_;
    return radius() < kInfinity ? std::optional<double>(2.0 * radius()) : std::nullopt;
  }

  /// The distance to the box.
  double violation(VectorIn x) const override {
    return sets::norm_of((lower_ - x).cwiseMax(x - upper_).cwiseMax(0.0));
  }

  double reach() const override {
    if (!std::isfinite(diameter_)) return radius();
    return sets::norm_of(lower_.cwiseAbs().cwiseMax(upper_.cwiseAbs())) * (1.0 + 1e-12);
  }
  bool describe(sets::Conditions& conditions, Index first) const override {
    conditions.sides.push_back({first, dimension(), &lower_, &upper_});
    return true;
  }
  bool interior_point(VectorOut s) const override {
    for (Index j = 0; j < dimension(); ++j) {
      const bool below = std::isfinite(lower_[j]), above = std::isfinite(upper_[j]);
      s[j] = below && above ? 0.5 * lower_[j] + 0.5 * upper_[j]
                            : (below ? lower_[j] + 1.0 : (above ? upper_[j] - 1.0 : 0.0));
    }
    return true;
  }
  /// Comparisons are exact, and a projection has made them true.
  double settle(VectorOut x) const override {
    x = x.cwiseMax(lower_).cwiseMin(upper_);
    return x.allFinite() ? 0.0 : kInfinity;
  }

 private:
  void check() const {
    sets::require_dimension("box", lower_.size());
    if (lower_.size() != upper_.size()) {
      throw InvalidArgument("box: expected lower and upper of one length, found " + sets::text_of(lower_.size()) +
                            " and " + sets::text_of(upper_.size()) + "; give one pair of numbers per coordinate");
    }
    for (Index i = 0; i < lower_.size(); ++i) {
      const std::string found = "found lower " + sets::text_of(lower_[i]) + " and upper " +
                                sets::text_of(upper_[i]) + " at index " + sets::text_of(i);
      if (!(lower_[i] < kInfinity) || !(upper_[i] > -kInfinity)) {
        throw InvalidArgument("box: expected numbers (lower may be -inf, upper may be +inf), " + found +
                              "; give an interval that holds a number");
      }
      if (lower_[i] > upper_[i]) {
        throw InvalidArgument("box: expected lower <= upper, " + found +
                              ", which leaves the box empty; exchange or correct the two");
      }
    }
    if (!told_radius_) return;
    sets::require_size(name_, "radius", *told_radius_);
    if (lower_.allFinite() && upper_.allFinite())
      throw InvalidArgument("box: expected a radius only where a side is open, found radius " +
                            sets::text_of(*told_radius_) +
                            " and finite sides; drop it, or intersect the box with a ball");
  }
  /// Of the ball in which open sides are looked at.
  double radius() const { return reach_ < kInfinity ? reach_ : told_radius_.value_or(kInfinity); }

  const char* name_;
  Vector lower_;
  Vector upper_;
  std::optional<double> told_radius_;
  double reach_ = kInfinity;  // of the points that matter, where that is known from elsewhere
  Vector centre_;
  double radius_ = 0.0;
  double diameter_ = 0.0;
};

}  // namespace

ConvexSetPtr box(Vector lower, Vector upper, std::optional<double> radius) {
  return std::make_shared<Box>("box", std::move(lower), std::move(upper), radius);
}

ConvexSetPtr orthant(Index n, std::optional<double> radius) {
  sets::require_dimension("orthant", n);
  return std::make_shared<Box>("orthant", Vector::Zero(n), Vector::Constant(n, kInfinity), radius);
}

}  // namespace fcbio
