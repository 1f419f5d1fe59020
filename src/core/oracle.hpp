// The only way a method touches a problem: every evaluation is counted, in passes per level and in projections,
// and checked: a value or gradient that is NaN or infinite stops the solve (Status::not_finite) before it is used,
// as does a value that falls without end on an unbounded domain (Status::stalled), and functions that the caller
// wrote are watched for convexity (Status::not_convex).
#pragma once

#include <memory>

#include "core/convexity_watch.hpp"
#include "core/state.hpp"
#include "fcbio/monitor.hpp"
#include "fcbio/point.hpp"

namespace fcbio {

/// A function near a point: value, gradient, and the duals that describe this linearisation as a minorant.
struct Linearization {
  double value = 0.0;
  Vector gradient;
  PartVectors duals;
  explicit Linearization(const Function& function)
      : gradient(Vector::Zero(function.dimension())), duals(function.make_duals()) {}
  void archive(Archive& archive) { archive(value, gradient, duals); }
};

class Oracle {
 public:
  Oracle(const Problem& problem, Monitor& monitor);
  /// Tells another monitor, and knows what `other` has seen of the caller's functions.
  Oracle(const Oracle& other, Monitor& monitor)
      : problem_(other.problem_),
        monitor_(monitor),
        watch_(other.watch_),
        scratch_(monitor),
        can_fall_(other.can_fall_) {}

  const Problem& problem() const { return problem_; }
  Monitor& monitor() { return monitor_; }

  /// Images of point.x under the data of `level`.
  void update_images(Level level, Point& point);
  /// Free when the images are there (and for structured functions they always are).
  double value(Level level, const Point& point);
  void linearize(Level level, const Point& point, Linearization& out);
  /// d/da of the function at x + a direction, a = 0; `direction` carries its own images.  Free where the images
  /// are all it takes.
  double slope_along(Level level, const Point& x, const Point& direction, PartVectors& dual_scratch);

  /// Where the monitor gave up on the way, x is somewhere near Z.
  void project(VectorOut x);
  /// The nearest point of the set over which linear bounds are taken: Z, or the told ball in a whole space.
  void project_where_bounded(VectorOut x);
  double linear_lower_bound(VectorIn direction) {
    return problem_.domain().linear_lower_bound(direction, scratch_);
  }
  double prove_linear_bound(VectorIn direction, SetWitness& witness) {
    return problem_.domain().prove_linear_bound(direction, witness, scratch_);
  }

  /// Shows the watch the caller's terms of `level` at x, uncharged; values that are not finite are passed over.
  void look(Level level, VectorIn x);
  /// Null: no function of the problem is watched.
  const ConvexityWatch* watch() const { return watch_.get(); }

  void charge(Level level, std::int64_t passes);
  /// Passes of one accelerated step on `level`: gradient at one point, image and value at another.
  std::int64_t step_cost(Level level) const;

  void archive(Archive& archive) {
    if (watch_ != nullptr) watch_->archive(archive);
  }

 private:
  void check(double value, std::string_view what, Level level, VectorIn x);
  double value(Level level, const Point& point, ConvexityWatch::Next next);
  void count_projection(std::int64_t before, Index size);  // `before`: the count when it began

  const Problem& problem_;
  Monitor& monitor_;
  std::shared_ptr<ConvexityWatch> watch_;
  Scratch scratch_;
  bool can_fall_;  // without end: nothing but the functions keeps points from running away
};

}  // namespace fcbio
