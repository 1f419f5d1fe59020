// Projected quasi-Newton: the limited-memory model of phi is minimised over Z exactly, then an exact line search
// on images along that direction, as far as the boundary of Z allows.  One product and one transposed product per
// level and step.  For sets whose model problem is small: the whole space, a ball, a box, a simplex, an l1 ball.  In a
// nonnegative ball the sphere has a multiplier nu, which is searched for (1/|z(nu)| is nearly linear) to three digits.
#pragma once

#include "inner/line_search.hpp"
#include "inner/quasi_newton.hpp"

namespace fcbio {

class ProjectedQuasiNewton final : public Engine {
 public:
  /// True where the model can be minimised over the set.
  static bool fits(const ConvexSet& set) { return model_set(set).has_value(); }
  /// Pairs to keep: many while the pairs are cheap beside the products (numbers: stored entries of the data).
  static Index memory_for(const Problem& problem);
  /// Throws InvalidArgument where the domain does not fit.
  ProjectedQuasiNewton(Oracle& oracle, Index memory);
  std::string_view name() const override { return "quasi-newton"; }
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override {
    return tangent_.at(oracle_, weights, at);
  }
  double operations() const override { return model_.operations(); }
  void archive(Archive& archive) override { archive(model_, upper_in_pairs_, on_sphere_, sphere_multiplier_, drift_); }

 private:
  /// The sets over which the model can be minimised.
  using ModelSet = std::variant<WholeSpaceShape, BallShape, BoxShape, SimplexShape, L1BallShape,
                                NonnegativeBallShape>;
  /// Empty: `set` is none of them.
  static std::optional<ModelSet> model_set(const ConvexSet& set);

  void first_scale(const Weights& weights, const Iterate& at);
  // The model's minimiser over the set, seen from x, into direction_.x; returns the longest allowed step.
  double direction(const Vector& x);
  double direction_in(const WholeSpaceShape& space, const Vector& x);
  double direction_in(const BallShape& ball, const Vector& x);
  double direction_in(const BoxShape& box, const Vector& x);
  double direction_in(const SimplexShape& simplex, const Vector& x);
  double direction_in(const L1BallShape& ball, const Vector& x);
  double direction_in(const NonnegativeBallShape& ball, const Vector& x);
  double search(const Weights& weights, const Point& x, double descent, double allowed);
  std::int64_t end_cost(const Weights& weights) const;
  std::int64_t image_cost(const Weights& weights) const;
  bool descends() const;
  void direction_in_bounds(const Vector& low, const Vector& high, const Vector& x, double nu);
  double longest_in_l1_ball(double radius) const;
  double face_direction(const Vector& x, const Vector& v, double total);
  bool pull_back(Vector& x, double alpha);
  bool clearly_inside(double alpha) const;
  void projected_gradient(const Vector& x);
  void list_free();

  ModelSet set_;
  QuasiNewton model_;
  bool upper_in_pairs_ = false;
  bool on_sphere_ = false;       // the last direction ended on the boundary of the ball
  PairSums offset_sums_;         // of x - centre and the direction
  double squared_radius_ = 0.0;  // of the ball; 0: some other set
  double sphere_multiplier_ = 0.0;  // of a nonnegative ball, in the last direction
  double drift_ = 0.0;           // of x from what the carried images are images of, relative
  LineSearch search_;
  TangentBound tangent_;
  Point direction_;
  PerLevel<Linearization> before_;
  Vector gradient_, force_, work_, offset_;
  Vector signs_;              // of x - centre on the face of an l1 ball; ones for a simplex
  Vector zeros_, infinities_;  // bounds of a nonnegative ball
  std::vector<bool> active_;  // coordinates held fixed by the model problem
  std::vector<Index> free_;   // the others
  Vector free_right_, free_move_, free_signs_, free_across_;
};

}  // namespace fcbio
