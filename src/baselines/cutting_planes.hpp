// The cutting-plane model of psi(t, x) = max{ f(x) - t, s (g(x) - g^) }, all linearisations of f and g so far:
//     psi^(t, x) = max over cuts of { <a_i, x> + c_i - t  (cuts of f),   s (<a_i, x> + c_i - g^)  (cuts of g) },
// its minimum over Z, the root of that minimum in t, and projections on its level sets.
//
// Minimum.  It is the least v whose level set is not empty.  Projecting a point on the level set of a trial v
// either finds a point, whose model value bounds the minimum from above, or proves it empty; both come with
// multipliers nu >= 0, and for every nu, with W_f, W_g the sums over the cuts of f and g and m = min over Z of the
// sum of nu_i (<a_i, .> + c_i),
//     min psi^(t, .) >= (m - W_f t - W_g g^) / (W_f + W_g / s),      root >= (m - W_g g^) / W_f.
// The bracket closes on the minimum until it is narrow enough for the caller.  The root is found from below by
// Newton's method, whose steps are these bounds.
#pragma once

#include "inner/bundle_projection.hpp"
#include "inner/target.hpp"

namespace fcbio {

class CuttingPlanes {
 public:
  /// `capacity`: cuts, at least 8.
  CuttingPlanes(Oracle& oracle, Index capacity);

  void add(Level level, const Linearization& at_x, VectorIn x);
  Index size() const { return bundle_.size(); }
  /// Whether cuts had to be dropped: from then on the model is not the whole one.
  bool dropped() const { return dropped_; }

  struct Minimum {
    double low = -kInfinity;  ///< proved
    double high = kInfinity;  ///< model value at minimiser()
  };
  /// Until high - low <= max{ share * (best - low), width }.  `best`: a value of psi that is known to be reached.
  Minimum minimum(const Target& target, double best, double share, double width = 0.0);
  const Vector& minimiser() const { return minimiser_; }
  /// psi^(t, x)
  double value(const Target& target, VectorIn x);

  /// A level t with the minimum at t at most `tolerance`, not above the root; target.level is where it begins.
  double root(Target target, double tolerance);

  /// x <- the projection of x on {psi^ <= level} within Z; the minimiser found last where rounding makes it empty.
  void project(const Target& target, double level, Vector& x);

 private:
  struct Proof {
    double constant = -kInfinity;     // m
    double upper = 0.0, lower = 0.0;  // W_f, W_g
    double bound(const Target& target) const {
      const double weight = upper + lower / target.scale;
      return weight > 0.0 ? (constant - upper * target.level - lower * target.lower_reference) / weight
                          : -kInfinity;
    }
  };
  bool project(const Target& target, double level, VectorIn centre, Vector& nu, VectorOut x);
  Proof prove(const Vector& nu);
  void make_room();

  Oracle& oracle_;
  Bundle bundle_;
  LevelProjection projection_;
  Vector dual_;       // multipliers of the trials of minimum()
  Vector step_dual_;  // of the last step
  Vector slope_, minimiser_, trial_;
  Proof proof_;
  bool dropped_ = false;
};

}  // namespace fcbio
