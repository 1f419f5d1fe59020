// The gradient mapping of psi(t, .) at y for any convex set Z:
//
//     argmin over z in Z of  max{ f(y) - t + <f'(y), z - y>,  s (g(y) - g^) + s <g'(y), z - y> } + L/2 |z - y|^2.
//
// Its dual is one-dimensional.  With x(lambda) = P_Z( y - (lambda f' + (1 - lambda) s g') / L ) and
//     h(lambda) = [f-model at x(lambda)] - [g-model at x(lambda)],
// h is the derivative of the concave dual function, hence non-increasing, and the solution is x(1) if h(1) >= 0,
// x(0) if h(0) <= 0, and otherwise x(lambda) at the root of h.  Where no projection is active h is affine and the
// root has a closed form; otherwise a safeguarded secant (Illinois) started from the last lambda finds it.  Any
// lambda in [0, 1] keeps lower bounds valid, so the tolerance of the root is a matter of speed, not of proof.
#pragma once

#include "core/oracle.hpp"
#include "inner/projected_descent.hpp"
#include "inner/target.hpp"

namespace fcbio {

class GradientMapping {
 public:
  /// `tolerance`: |h| below this is a root (the model value is then off by at most as much).
  GradientMapping(Oracle& oracle, double tolerance);

  /// next <- the mapping at y; returns lambda.  f or g may be unused by the target.
  double step(const Target& target, VectorIn y, const Linearization& f, const Linearization& g, double smoothness,
              VectorOut next);
  /// Of the last step: p and q are the gradients of f and g, or both that of the only level in use.
  const StepSums& sums() const { return sums_; }

  void archive(Archive& archive) { archive(last_lambda_); }

 private:
  struct Trial {
    double h;
    bool projection_active;
  };
  Trial trial(double lambda, VectorIn y, const Linearization& f, const Linearization& g, double scale,
              double smoothness, VectorOut next);
  double root(double lambda, Trial first, VectorIn y, const Linearization& f, const Linearization& g, double scale,
              double smoothness, VectorOut next);

  ProjectedDescent descent_;
  double tolerance_;
  double last_lambda_ = 0.5;
  double value_difference_ = 0.0;  // f(y) - t - s (g(y) - g^)
  StepSums sums_;
};

}  // namespace fcbio
