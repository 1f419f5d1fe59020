// Z cut by one halfspace {z : <w, z - y> <= slack}: the nearest point, and the minimum of a linear function.
//
// Nearest point, any Z.  The dual has one variable: with x(mu) = P_Z(v - mu w), the excess
//     e(mu) = <w, x(mu) - y> - slack
// does not increase, falls by at most |w|^2 per unit of mu (projections do not expand), and the solution is x(0)
// where e(0) <= 0, else x(mu) at the root.  It is found by secants through the last two trials, exact
// where x(mu) is linear, begun at the last multiplier and guarded by a bracket with bisections; what is returned
// is the point of the segment between the two ends of the bracket that lies on the hyperplane, so that it is in Z
// and satisfies the cut to rounding whatever the bracket. Closed forms: the whole space, and the ball (as in
// sets/halfspace.cpp).
//
// Linear minimum, any Z with one.  The dual  phi(mu) = min over Z of <c + mu w, s>, minus mu times the right side,
// is concave, and every s in Z bounds it from above by a line.  From one s that violates the cut (a minimiser of
// c) and one that satisfies it (a minimiser of w), minimise c + mu w where the two lines meet: either nothing lies
// below them, and the mixture of the two points on the hyperplane is a minimiser, or the new point replaces one.
// On a polytope that ends after finitely many steps with the exact answer (a mixture of two vertices).  Closed
// form: the ball.
#pragma once

#include "core/oracle.hpp"

namespace fcbio {

/// {z : <normal, z - anchor> <= slack}.  Told relative to an anchor, because cuts of methods are linearisations,
/// and <normal, anchor> would swallow a small slack.
struct HalfspaceCut {
  const Vector& normal;
  const Vector& anchor;
  double slack;
  double excess(VectorIn z) const { return normal.dot(z - anchor) - slack; }
};

class CutDomain {
 public:
  explicit CutDomain(Oracle& oracle);

  /// x <- the nearest point of the cut domain.  False: the cut misses Z; x is then a point of Z close to it.
  bool project(const HalfspaceCut& cut, VectorOut x);

  /// s <- a minimiser of <direction, .> over the cut domain.  False as in project().  Needs a Z with a minimiser
  /// of linear functions (baselines/needs.hpp).
  bool minimize_linear(VectorIn direction, const HalfspaceCut& cut, VectorOut s);

 private:
  bool project_in_ball(const HalfspaceCut& cut, VectorIn centre, double radius, VectorOut x);
  bool project_by_dual(const HalfspaceCut& cut, double squared_norm, VectorOut x);
  bool minimize_in_ball(VectorIn direction, const HalfspaceCut& cut, VectorIn centre, double radius, VectorOut s);
  bool minimize_by_dual(VectorIn direction, const HalfspaceCut& cut, VectorOut s);
  struct Trial {
    double mu;
    double excess;     // e(mu)
    double tolerance;  // what rounding may have added to it
    Vector x;          // x(mu)
  };
  void trial(const HalfspaceCut& cut, double mu, Trial& out);
  bool misses(const HalfspaceCut& cut);  ///< every point of Z violates the cut

  Oracle& oracle_;
  const SetShape shape_;
  Vector target_;            // v, or the direction that is minimised
  Trial low_, high_;         // violates the cut, satisfies it
  Trial last_, before_;      // the last two trials
  double last_mu_ = 0.0;     // of the last projection: the next one is often near
  Vector inside_, outside_;  // satisfies the cut, violates it
  Vector mixed_, unit_;
};

}  // namespace fcbio
