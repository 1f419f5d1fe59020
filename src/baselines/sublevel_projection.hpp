// The nearest point of  Z intersect {f <= level}  for  f(x) = m/2 |x - c|^2 + weight |x - d|_1 + constant, m > 0:
// norm balls alone or intersected with any Z that can be projected on, and elastic nets where the prox of the l1
// norm over Z is known (the whole space, a box, balls about d).
//
// The dual has one variable again.  With the multiplier of f <= level written as mu = (1 - tau) / (m tau),
//     x(tau) = argmin over Z of  1/2 |z - (tau v + (1 - tau) c)|^2 + (1 - tau) (weight / m) |z - d|_1,    0 <= tau
//     <= 1,
// x(1) is the projection on Z and x(0) minimises f over Z.  f(x(tau)) does not decrease, and the solution is x(1)
// where f(x(1)) <= level, else x(tau) at the root.  x(tau) is affine in pieces (a polyhedral Z, soft thresholds),
// and on the segment between the ends of a bracket f lies below the parabola of curvature m through both ends, so
// the root of that parabola is exact as soon as both ends lie on one piece.  What is returned is that point of the
// last segment: it lies in Z, and f there is at most the level (to rounding) whatever the bracket.
#pragma once

#include "baselines/isotropic.hpp"
#include "baselines/method_run.hpp"

namespace fcbio {

class SublevelProjection {
 public:
  /// Needs no_sublevel_projection(problem) to be empty.
  explicit SublevelProjection(MethodRun& run);

  /// x <- the nearest point.  False: f > level on all of Z; x is then the minimiser of f over Z.
  bool project(double level, VectorOut x);

  const IsotropicFunction& f() const { return f_; }
  double least() const { return least_value_; }  ///< min over Z of f

 private:
  struct Trial {
    double tau;
    double value;  // f(x)
    Vector x;      // x(tau)
  };
  void trial(double tau, Trial& out);
  /// Where on the line from one trial to another the parabola through both reaches the level: 0 the first, 1 the
  /// second; NaN: nowhere.
  double share(const Trial& from, const Trial& to, double level) const;

  MethodRun& run_;
  const IsotropicFunction f_;
  Vector target_;  // v
  Vector least_;   // x(0)
  double least_value_ = 0.0;
  Trial low_, high_;       // f at most the level, above it
  Trial last_, before_;    // the last two trials
  double last_tau_ = 0.0;  // of the last projection: the next one is often near
};

/// Why there is no such projection; empty: there is one.
std::string no_sublevel_projection(const Problem& problem);

}  // namespace fcbio
