// Projection of a centre on the level set of a bundle,
//
//     x = argmin over Z of 1/2 |x - centre|^2   s.t.  <a_i, x> + c_i <= w_f,i l_f + w_g,i l_g  for every cut i,
//
// in the dimension of the bundle.  With multipliers nu >= 0, x(nu) = P_Z(centre - A nu), and the dual function is
// concave with gradient A'x(nu) - b.  Any nu with  min over Z of nu'(A'x - b) > 0  proves that the set is empty.
//   Ball (and whole space with a radius, taken as that ball): all is done on the Gram matrix.  For a multiplier
//     s = 1 + tau of the ball the dual is a nonnegative quadratic programme; on a fixed active set the s with
//     |x| = radius has a closed form, s^2 = (|d|^2 - p'u) / (radius^2 - q'b) with p = G^-1 u, q = G^-1 b, so a few
//     programmes find it.
//   Box, simplex, l1 ball: semismooth Newton; A' J A with J of the generalized Jacobian of P_Z is the matrix of a
//     nonnegative quadratic programme whose solution is the step, with a line search on the dual function.  The
//     dual function is piecewise quadratic, so this ends.
//   Any other set: the same, beginning with J = identity (J <= identity always, so that model is below the dual
//     function) and going on with BFGS updates of A'JA.
// Where the model misleads it is blended with the Gram matrix itself, with which every step ascends.
#pragma once

#include "inner/bundle.hpp"
#include "inner/bundle_quadratic.hpp"

namespace fcbio {

class LevelProjection {
 public:
  /// Serves one bundle of that capacity.
  LevelProjection(Oracle& oracle, Index capacity);

  /// What the bundle must be shifted by: the centre of the ball, where Z is one.
  static Vector shift_of(const Problem& problem);

  struct Levels {
    double upper = 0.0;  // l_f
    double lower = 0.0;  // l_g
  };
  /// True: x is the projection (see settled()).  False: the level set is empty, nu proves it, and x is of no use.
  /// `nu` holds a nonnegative start (at least bundle.size() entries) and receives the multipliers.
  bool project(const Bundle& bundle, const Levels& levels, VectorIn centre, Vector& nu, VectorOut x);

  /// False: the last projection ran out of steps before its tolerance.
  bool settled() const { return settled_; }
  /// Quadratic programmes and dual evaluations of the last call.
  int steps() const { return steps_; }

  void archive(Archive& archive);

 private:
  static constexpr double kMostMultiplier = 1e100;  // of a normalised cut
  /// How x(nu) is found: on the Gram matrix, or by Newton's method with A'JA known from the set, or by secants.
  struct ByGram {
    double radius;  // of the ball about centre_
  };
  using ByJacobian = std::variant<BoxShape, SimplexShape, L1BallShape>;
  struct BySecants {};
  using Way = std::variant<ByGram, ByJacobian, BySecants>;
  static Way way_for(const ConvexSet& set);
  struct Trial {
    double dual = -kInfinity;
    bool empty = false;
  };
  bool prepare(const Bundle& bundle, const Levels& levels);  // false: a cut without slope is violated
  bool project_on_ball(const Bundle& bundle, VectorIn centre, VectorOut x);
  bool project_by_newton(const Bundle& bundle, VectorIn centre, VectorOut x);
  bool ball_is_empty() const;
  double ball_slack(double scale, double distance_squared) const;
  Trial evaluate(const Bundle& bundle, VectorIn centre, const Vector& v, VectorOut x);
  Trial warm_start(const Bundle& bundle, VectorIn centre, VectorOut x);
  void jacobian_gram(const ByJacobian& set, const Bundle& bundle, VectorIn x);
  void blend(const Bundle& bundle, double damping);
  void choose_working(bool all);
  double model_step();
  void secant_update();
  bool search(const Bundle& bundle, VectorIn centre, double slope, int most_trials, Trial& current);
  double violation(const Vector& v) const;

  Oracle& oracle_;
  Way way_;
  double radius_ = 0.0;  // of the ball, where Z is one
  Vector centre_;        // likewise
  NonnegativeQuadratic quadratic_;
  int steps_ = 0;
  bool settled_ = false;
  double step_length_ = 1.0;  // of the last search, as a share of the model's step
  Index size_ = 0;
  std::int64_t seen_removals_ = -1;
  // Normalised cuts: rows divided by norms_, so v = nu * norms_.
  Vector norms_, right_, v_, linear_;
  Eigen::MatrixXd gram_;
  Eigen::MatrixXd curvature_;    // A'JA, or what secants tell of it, over the working cuts
  Vector at_centre_;             // <a_i, centre - shift>, normalised
  Vector active_right_, p_, q_;  // on the active set
  Vector gradient_, trial_gradient_, trial_v_;
  Vector slope_, unprojected_, trial_x_;
  Eigen::MatrixXd free_rows_;  // of the cuts, where the Jacobian does not vanish
  std::vector<Index> working_;
};

}  // namespace fcbio
