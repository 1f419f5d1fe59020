// A set of the caller's.  Linear lower bounds, the best of what was given:
//   support          -support(-direction)
//   minimize_linear  <direction, vertex>, lowered by the rounding of that sum
//   neither          that of the enclosing ball
#include "fcbio/user_set.hpp"

#include <algorithm>
#include <utility>

#include "fcbio/error.hpp"
#include "sets/checks.hpp"

namespace fcbio {
namespace {

class UserConvexSet final : public ConvexSet {
 public:
  explicit UserConvexSet(UserSet set) : set_(std::move(set)) {}

  std::string_view name() const override { return set_.name; }
  Index dimension() const override { return set_.dimension; }
  std::string premise() const override {
    return "the set '" + set_.name + "' is convex, its projection, support and radius right";
  }

  void project(VectorOut x, Scratch&) const override { set_.project(x); }

  double linear_lower_bound(VectorIn direction, Scratch& scratch) const override {
    if (set_.support) {
      Vector& opposite = scratch.vector(0, dimension());
      opposite = -direction;
      return -set_.support(opposite);
    }
    if (set_.minimize_linear) {
      Vector& vertex = scratch.vector(0, dimension());
      set_.minimize_linear(direction, vertex);
      const double rounding =
          kEpsilon * static_cast<double>(dimension() + 8) * direction.cwiseProduct(vertex).cwiseAbs().sum();
      return direction.dot(vertex) - rounding;
    }
    return direction.dot(set_.centre) - set_.radius * sets::norm_of(direction);
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    if (!set_.minimize_linear) return false;
    set_.minimize_linear(direction, vertex);
    return true;
  }

  std::optional<double> enclosing_ball(VectorOut centre) const override {
    centre = set_.centre;
    return set_.radius;
  }
  std::optional<double> diameter() const override { return 2.0 * set_.radius; }

  double violation(VectorIn x) const override {
    if (set_.violation) return std::max(0.0, set_.violation(x));
    Vector nearest = x;
    set_.project(nearest);
    return sets::norm_of(x - nearest);
  }

 private:
  UserSet set_;
};

}  // namespace

ConvexSetPtr user_set(UserSet set) {
  if (set.name.empty()) set.name = "user";
  const char* owner = set.name.c_str();
  sets::require_dimension(owner, set.dimension);
  if (!set.project)
    throw InvalidArgument(set.name + ": expected a callable project, found an empty one; set UserSet::project");
  if (set.centre.size() == 0) set.centre = Vector::Zero(set.dimension);
  if (set.centre.size() != set.dimension)
    throw InvalidArgument(set.name + ": expected a centre of " + sets::text_of(set.dimension) +
                          " numbers, found " + sets::text_of(set.centre.size()) + "; give one per coordinate");
  sets::require_finite(owner, "centre", set.centre);
  sets::require_size(owner, "radius", set.radius);
  return std::make_shared<UserConvexSet>(std::move(set));
}

}  // namespace fcbio
