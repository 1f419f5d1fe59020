// The duals of max-affine and log-sum-exp: weights r >= 0 with sum 1.
#pragma once

#include <cmath>

#include "functions/rounding.hpp"

namespace fcbio::functions {

/// Cuts off what is not positive and divides by the sum; equal weights when nothing is left.
inline void scale_to_simplex(VectorOut r) {
  const Index size = r.size();
  for (Index i = 0; i < size; ++i) r[i] = r[i] > 0.0 ? r[i] : 0.0;  // a NaN too
  const double total = sum_of(size, [&](Index i) { return r[i]; });
  if (total > 0.0 && std::isfinite(total)) {
    for (Index i = 0; i < size; ++i) r[i] /= total;
  } else {
    r.setConstant(1.0 / static_cast<double>(size));
  }
}

/// After that |sum r - 1| is at most this, so r' = r / sum r is the exactly feasible neighbour of r.
inline double simplex_rounding(Index size) { return rounding_factor(sum_depth(size) + 3); }

}  // namespace fcbio::functions
