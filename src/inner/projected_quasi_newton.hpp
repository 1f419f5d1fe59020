// Projected quasi-Newton: the limited-memory model of phi is minimised over Z exactly, then an exact line search
// on images along that direction, as far as the boundary of Z allows.  One product and one transposed product per
// level and step.  For sets whose model problem is small: the whole space, a ball, a box, a simplex, an l1 ball.
#pragma once

#include "inner/line_search.hpp"
#include "inner/quasi_newton.hpp"

namespace fcbio {

class ProjectedQuasiNewton final : public Engine {
 public:
  /// True where the model can be minimised over the set.
  static bool fits(const ConvexSet& set);
  /// Pairs to keep: many while the pairs are cheap beside the products (numbers: stored entries of the data).
  static Index memory_for(const Problem& problem);

  ProjectedQuasiNewton(Oracle& oracle, Index memory);
  std::string_view name() const override { return "quasi-newton"; }
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override {
    return tangent_.at(oracle_, weights, at);
  }

 private:
  void first_scale(const Weights& weights, const Iterate& at);
  double direction(const Iterate& at);  // fills direction_.x; returns the longest allowed step
  double ball_direction(const BallShape& ball, const Vector& x);
  double box_direction(const BoxShape& box, const Vector& x);
  double simplex_direction(const SimplexShape& simplex, const Vector& x);
  double l1_ball_direction(const L1BallShape& ball, const Vector& x);
  double longest_in_l1_ball(double radius) const;
  double face_direction(const Vector& x, const Vector& v, double total);
  bool pull_back(Vector& x, double alpha);
  bool clearly_inside(double alpha) const;
  void projected_gradient(const Vector& x);
  void list_free();

  QuasiNewton model_;
  bool upper_in_pairs_ = false;
  bool on_sphere_ = false;       // the last direction ended on the boundary of the ball
  PairSums offset_sums_;         // of x - centre and the direction
  double squared_radius_ = 0.0;  // of the ball; 0: some other set
  double drift_ = 0.0;           // of x from what the carried images are images of, relative
  LineSearch search_;
  TangentBound tangent_;
  Point direction_;
  std::array<Linearization, 2> before_;
  Vector gradient_, work_, offset_;
  Vector signs_;              // of x - centre on the face of an l1 ball; ones for a simplex
  std::vector<bool> active_;  // coordinates held fixed by the model problem
  std::vector<Index> free_;   // the others
  Vector free_right_, free_move_, free_signs_, free_across_;
};

}  // namespace fcbio
