// Lower bounds from linearisations.
//
// For weights w_k >= 0 with sum W and linearisations at y_k of a convex function h, for every x
//     h(x) >= (1/W) sum_k w_k [ h(y_k) + <h'(y_k), x - y_k> ].
// MinorantAverage keeps the right side as one slope and, per term, the average of the dual vectors; the constant
// is then taken from the conjugates, which is at least as high (Jensen).  Terms that are their own minorant
// (squared norms) are kept exactly, as a curvature.  With averages of f and g and a multiplier mu >= 0
//     low(mu) = min over Z of  f-minorant + mu * g-minorant   <=   min over Z of f + mu g,
// so f* >= low(mu) - mu g^ for every g^ >= g*; and g* >= the minimum of the g-minorant alone.
#pragma once

#include "core/oracle.hpp"

namespace fcbio {

class MinorantAverage {
 public:
  explicit MinorantAverage(const Function& function);

  void clear();
  /// average <- keep * average + weight * (linearisation at y).
  void blend(double keep, double weight, const Linearization& at_y, VectorIn y);

  double weight() const { return weight_; }
  const Function& function() const { return *function_; }
  /// Duals of the normalised average (divided by weight()); valid until the next blend.  Needs weight() > 0.
  const PartVectors& duals() const;
  /// slope <- a_scale * (slope of the normalised average a) + the same of b, one of which may be null;  returns
  /// the constants likewise.
  static double combine(double a_scale, const MinorantAverage* a, double b_scale, const MinorantAverage* b,
                        VectorOut slope);

  void archive(Archive& archive) { archive(weight_, slope_, points_, sums_); }

 private:
  double constant() const;  // of the normalised average

  const Function* function_;
  double weight_ = 0.0;
  Vector slope_;   // sum w_k h'(y_k)
  Vector points_;  // sum w_k y_k; only with an exactly kept curvature
  PartVectors sums_;
  mutable PartVectors normalized_;
};

/// constant + min over Z of <slope, z> + curvature/2 |z|^2, from below: with curvature the quadratic is linearised
/// at `point`, the projection of -slope/curvature, so that only a linear bound over Z is trusted.
double minimum_over_domain(Oracle& oracle, double constant, double curvature, VectorIn slope, Vector& point,
                           Vector& residual);

/// Evaluates the bounds of a pair of averages without allocating.
class MinorantBounds {
 public:
  explicit MinorantBounds(const Problem& problem);
  /// min over Z of the average of one function.
  double minimum(Oracle& oracle, const MinorantAverage& average);
  /// low(mu) <= min over Z of f + mu g.
  double lagrangian(Oracle& oracle, const MinorantAverage& upper, double mu, const MinorantAverage& lower);

 private:
  Vector slope_, point_, residual_;
};

}  // namespace fcbio
