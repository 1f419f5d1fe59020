// The box {x : lower <= x <= upper}, entry by entry; an entry of lower may be -infinity and one of upper
// +infinity.
//   projection      min(max(x, lower), upper)
//   linear minimum  sum over i of c_i lower_i where c_i > 0, c_i upper_i where c_i < 0, and 0 where c_i = 0 (also
//                   on an open side); -infinity as soon as one c_i points to an open side
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
  Box(Vector lower, Vector upper) : lower_(std::move(lower)), upper_(std::move(upper)) {
    check();
    // Both are infinite for an unbounded box; halves first, so that huge sides do not overflow in the centre.
    diameter_ = sets::norm_of(upper_ - lower_);
    if (!std::isfinite(diameter_)) return;
    centre_ = 0.5 * lower_ + 0.5 * upper_;
    radius_ = sets::norm_of((upper_ - centre_).cwiseMax(centre_ - lower_));
  }

  std::string_view name() const override { return "box"; }
  Index dimension() const override { return lower_.size(); }
  SetShape shape() const override { return BoxShape{&lower_, &upper_}; }

  bool resting_point(VectorIn start, VectorOut rest) const override {
    rest = start.cwiseMax(lower_).cwiseMin(upper_);
    return true;
  }
  ConvexSetPtr restricted(const std::vector<Index>& used) const override {
    return box(lower_(used), upper_(used));
  }

  void project(VectorOut x, Scratch&) const override { x = x.cwiseMax(lower_).cwiseMin(upper_); }

  double linear_lower_bound(VectorIn direction, Scratch&) const override {
    double sum = 0.0;
    for (Index i = 0; i < direction.size(); ++i) {
      const double slope = direction[i];
      if (slope != 0.0) sum += slope * (slope > 0.0 ? lower_[i] : upper_[i]);
    }
    return sum;
  }

  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch&) const override {
    witness = SetWitness{};
    sets::ExtendedSum sum;
    for (Index j = 0; j < direction.size(); ++j) {
      if (direction[j] == 0.0) continue;
      const double side = direction[j] > 0.0 ? lower_[j] : upper_[j];
      if (!std::isfinite(side)) return -kInfinity;
      sum.add_product(direction[j], side);
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
    if (!std::isfinite(diameter_)) return std::nullopt;
    centre = centre_;
    return radius_;
  }
  std::optional<double> diameter() const override {
    if (!std::isfinite(diameter_)) return std::nullopt;
    return diameter_;
  }

  /// The distance to the box.
  double violation(VectorIn x) const override {
    return sets::norm_of((lower_ - x).cwiseMax(x - upper_).cwiseMax(0.0));
  }

  double reach() const override {
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
  }

  Vector lower_;
  Vector upper_;
  Vector centre_;
  double radius_ = 0.0;
  double diameter_ = 0.0;
};

}  // namespace

ConvexSetPtr box(Vector lower, Vector upper) { return std::make_shared<Box>(std::move(lower), std::move(upper)); }

}  // namespace fcbio
