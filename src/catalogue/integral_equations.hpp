// Three classical integral equations of the first kind,  int K(s, t) u(t) dt = v(s),  as linear systems A x = b:
// severely (foxgood, baart) or mildly (phillips) ill-posed.  Formulas derived from the equations as published.
//
// Galerkin with the orthonormal box functions  e_i = 1/sqrt(h) on cell i:
//     A_ij = 1/sqrt(h_s h_t) int int over the cells of K,   x_j = 1/sqrt(h_t) int over cell j of u.
#pragma once

#include "fcbio/linear_map.hpp"

namespace fcbio::catalogue {

struct IntegralEquation {
  RowMajorMatrix matrix;
  Vector solution;  ///< the discretised u, nonnegative
};

/// K = phi(s - t), u = phi, phi(x) = 1 + cos(pi x/3) for |x| < 3 and 0 elsewhere, s and t in [-6, 6].
/// v(s) = (6 - |s|)(1 + cos(pi s/3)/2) + 9/(2 pi) sin(pi |s|/3).  Galerkin, integrals exact; A is symmetric.
IntegralEquation phillips_equation(Index n);

/// K = sqrt(s^2 + t^2), u = t, v(s) = ((1 + s^2)^(3/2) - s^3)/3, s and t in [0, 1].  Midpoint rule: A_ij = h K at
/// the midpoints, x = u there.
IntegralEquation foxgood_equation(Index n);

/// K = exp(s cos t), u = sin t, v(s) = 2 sinh(s)/s, s in [0, pi/2], t in [0, pi].  Galerkin, exact in s, Simpson's
/// rule on every cell in t.
IntegralEquation baart_equation(Index n);

}  // namespace fcbio::catalogue
