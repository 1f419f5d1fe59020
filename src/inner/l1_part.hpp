// The l1 norms of an objective as a composite part: h(z) = w |z - c|_1, kept exactly instead of linearised.
//
// Step.  x+ = argmin over Z of <G, z> + L/2 |z - y|^2 + w |z - c|_1 is P_Z(S(y - G/L)), S the soft threshold
// about c by w/L, for
//   the whole space  by definition of S;
//   a box            the problem splits into coordinates, and the minimiser of a convex function of one variable
//                    over an interval is its free minimiser, clamped;
//   a ball about c   with the multiplier lambda of the ball, optimality reads (1 + lambda/L)(z - c) = S(v) - c:
//   the
//                    free minimiser is shrunk towards c, which is the projection;
//   an l1 ball about c  its multiplier adds to w, and thresholding by w/L and then by some more is what the
//                    projection does;
//   a nonnegative ball, c = 0  the norm is the sum there: what is moved down by w/L below 0 is projected to 0, as
//                    what is thresholded is.
// On a simplex |z - 0|_1 is constant, and S is left out.  Other sets, and norms about different centres, do not
// fit.
//
// Dual.  For every d in [-1, 1]^n,  w |z - c|_1 >= w <d, z - c>.  The best d for the minimum over Z of
// <s, z> + m/2 |z|^2 + w |z - c|_1 is a subgradient at its minimiser z': sign(z'_j - c_j), or where that is 0 what
// makes s + m z' + w d smallest.  With m = 0 that is clip(-s/w, -1, 1), so that s + w d is s softly thresholded,
// except where a box, or a nonnegative ball, lies on one side of c_j.  Any d gives a valid bound; the choice is a matter of tightness.
#pragma once

#include <string>

#include "core/oracle.hpp"
#include "inner/engine.hpp"

namespace fcbio {

class L1Part {
 public:
  explicit L1Part(const Problem& problem);

  /// Empty: the l1 norms of the problem and its set fit together; otherwise why not.
  static std::string misfit(const Problem& problem);

  bool empty() const { return centre_ == nullptr; }
  /// w for these weights, and for one level alone.
  double weight(const Weights& weights) const {
    return weights.upper * norm_weight_.upper + weights.lower * norm_weight_.lower;
  }
  double weight(Level level) const { return norm_weight_[level]; }
  /// |x - c|_1; 0 without an l1 part.
  double norm(VectorIn x) const;

  /// Takes the l1 parts out of a linearisation: what is left is that of the smooth parts, with zero duals.
  void remove_from(Level level, Linearization& at) const;
  /// d/da |x + a v - c|_1, with sign 0 at the kinks.
  double slope_along(VectorIn x, VectorIn v) const;

  /// x <- argmin over Z of 1/2 |z - x|^2 + threshold |z - c|_1.
  void prox(Oracle& oracle, double threshold, VectorOut x) const;

  /// d <- the best dual for  min over Z of <slope, z> + curvature/2 |z|^2 + weight |z - c|_1.
  void best_dual(Oracle& oracle, VectorIn slope, double curvature, double weight, Vector& point,
                 VectorOut d) const;
  /// Writes d into the duals of the l1 parts of a level.
  void write_dual(Level level, VectorIn d, PartVectors& duals) const;
  const Vector& centre() const { return *centre_; }

 private:
  const Problem& problem_;
  const Vector* centre_ = nullptr;
  PerLevel<double> norm_weight_;
  bool constant_ = false;  // on the simplex
};

}  // namespace fcbio
