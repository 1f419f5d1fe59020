// Cholesky factorisation of Q + shift I, row by row; it succeeds exactly when that matrix is positive definite.
#include "convexity.hpp"

#include <algorithm>

namespace fcbio::verify {

Convexity check_convexity(const TermView& quadratic) {
  constexpr Real kTolerance = 1e-10L;
  const std::size_t n = quadratic.dimension();
  if (n > kLargestChecked) return Convexity::too_large_to_check;
  RealVector q(n * n, 0);
  quadratic.each_entry([&](std::size_t i, std::size_t j, Real number) { q[i * n + j] += number; });
  Real largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, q[i * n + i]);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::abs(q[i * n + j] - q[j * n + i]) > kTolerance * largest) return Convexity::not_convex;
    }
  }
  if (largest == 0) {
    const bool zero = std::all_of(q.begin(), q.end(), [](Real number) { return number == 0; });
    return zero ? Convexity::convex : Convexity::not_convex;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      Real rest = q[i * n + j] + (i == j ? kTolerance * largest : 0);
      for (std::size_t k = 0; k < j; ++k) rest -= q[i * n + k] * q[j * n + k];
      if (i == j) {
        if (!(rest > 0)) return Convexity::not_convex;
        q[i * n + i] = std::sqrt(rest);
      } else {
        q[i * n + j] = rest / q[j * n + j];
      }
    }
  }
  return Convexity::convex;
}

}  // namespace fcbio::verify
