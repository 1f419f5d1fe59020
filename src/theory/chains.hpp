// Nesterov's worst functions for first-order methods: chains.  From a point supported on the first k coordinates a
// gradient reveals coordinate k+1 at most, so a method that moves only where gradients point needs q queries to
// see all q coordinates.
//
//   smooth      h(x) = L/4 ( 1/2 (x_1^2 + sum_i (x_i - x_{i+1})^2 + x_q^2) - R x_1 ):  convex, L-smooth,
//               minimiser x_j = R (1 - j/(q+1)),  |x*| <= R sqrt((q+1)/3),  minimum -L R^2 q / (8 (q+1)).
//   Lipschitz   r(x) = C sqrt(q)/(1 + sqrt(q)) max_j x_j + C/(2R (1 + sqrt(q))) |x|^2:  convex, C-Lipschitz on
//               |x| <= R, minimiser -R/sqrt(q) (1, ..., 1),  minimum -C R / (2 (1 + sqrt(q))).
//
// Both are exact in floating point where it matters: a coordinate that the theory says is 0 is 0.
#pragma once

#include "fcbio/types.hpp"

namespace fcbio::theory {

class SmoothChain {
 public:
  /// q >= 1, L > 0, R > 0.
  SmoothChain(Index q, double smoothness, double scale) : q_(q), smoothness_(smoothness), scale_(scale) {}
  Index size() const { return q_; }
  /// Value at x; the gradient where asked for.
  double evaluate(VectorIn x, Vector* gradient) const;
  Vector minimizer() const;
  double minimum() const;

 private:
  Index q_;
  double smoothness_;  // L
  double scale_;       // R
};

class LipschitzChain {
 public:
  /// q >= 1, C > 0, R > 0.
  LipschitzChain(Index q, double lipschitz, double radius) : q_(q), lipschitz_(lipschitz), radius_(radius) {}
  Index size() const { return q_; }
  /// The resisting oracle: of all subgradients the one at the *first* coordinate that attains the maximum.  If
  /// x_j = 0 for j > k, that is a j <= k+1, whatever the method did to the first k: the answer gives away as
  /// little as possible to every zero-respecting method.
  double evaluate(VectorIn x, Vector* gradient) const;
  Vector minimizer() const;
  double minimum() const;

 private:
  Index q_;
  double lipschitz_;  // C
  double radius_;     // R
};

}  // namespace fcbio::theory
