// A proved lower bound of the least eigenvalue of a symmetric matrix, near 0.
//
// Let a Cholesky factorisation of the computed matrix B = fl(Q - tI), in arithmetic with unit u and with sums in
// any order, run to its end with factor L.  Then L L' = B + E with |e_ij| <= g |L||L'|_ij, g = (n+1)u/(1 - (n+1)u)
// (Higham, Accuracy and Stability, theorem 10.3), and as the diagonal of L L' is b_ii + e_ii,
//     sum_k l_ik^2 <= b_ii/(1 - g),     |e_ij| <= g/(1 - g) sqrt(b_ii b_jj),     |E|_2 <= g/(1 - g) trace(B).
// L L' is positive semidefinite, and B differs from Q - tI by u |b_ii| on the diagonal, so
//     lambda_min(Q) >= t - rho,     rho >= (g/(1 - g) + u) trace(B).
// Here rho = 2 (n+2) u (trace(Q) + n |t|), which covers all of that and its own rounding for (n+2) u < 1/100; Q is
// scaled by a power of 2 first so that its largest diagonal entry is near 1 and underflow is far below rho.
//
// The ladder: t = 8 rho proves that Q is positive definite; else t = -2 rho, -4 rho, -8 rho ... , as far as
// `most`.
#pragma once

#include <cmath>
#include <optional>

#include "fcbio/linear_map.hpp"
#include "linalg/symmetric_solve.hpp"

namespace fcbio::functions {

/// At most the least eigenvalue of q, computed in Real; empty: it is not proved to be above -most.
template <class Real>
std::optional<double> least_eigenvalue_bound(const RowMajorMatrix& q, double most) {
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  const auto n = static_cast<Real>(q.rows());
  const double largest = q.diagonal().maxCoeff();
  if (!(largest > 0.0)) return std::nullopt;  // the caller has decided on such matrices
  const int exponent = std::ilogb(largest);
  Matrix scaled = q.cast<Real>();
  for (Index i = 0; i < scaled.size(); ++i) scaled.data()[i] = std::ldexp(scaled.data()[i], -exponent);
  const Real unit = std::numeric_limits<Real>::epsilon() / 2;
  const Real trace = scaled.trace() * (1 + (n + 2) * 2 * unit);
  const Real limit = std::ldexp(static_cast<Real>(most), -exponent);
  const auto rho = [&](Real t) { return 2 * (n + 2) * unit * (trace + n * std::abs(t)); };
  Real t = 8 * rho(0);
  while (true) {
    Matrix shifted = scaled;
    shifted.diagonal().array() -= t;
    if (factor_positive_definite(shifted) && shifted.diagonal().array().isFinite().all()) {
      const Real bound = t - rho(t);
      if (bound >= 0) return 0.0;
      if (-bound > limit) return std::nullopt;
      return -std::nextafter(static_cast<double>(std::ldexp(-bound, exponent)), INFINITY);
    }
    t = t > 0 ? -2 * rho(0) : 2 * t;
    if (-t > limit) return std::nullopt;
  }
}

}  // namespace fcbio::functions
