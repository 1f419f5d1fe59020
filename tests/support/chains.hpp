// Worst-case functions for rate tests.
#pragma once

#include <algorithm>
#include <utility>

#include "fcbio/function.hpp"

namespace fcbio::test {

// The smooth chain  L/4 ( 1/2 (x_1^2 + sum (x_i - x_{i+1})^2 + x_q^2) - x_1 ): L-smooth, minimiser 1 - j/(q+1),
// minimum -L/8 (1 - 1/(q+1)).  Gradient information travels one coordinate per step.
inline Function smooth_chain(Index q, bool reversed) {
  CsrMatrix matrix{q, q, {0}, {}, {}};
  for (Index i = 0; i < q; ++i) {
    for (Index j = std::max<Index>(0, i - 1); j <= std::min(q - 1, i + 1); ++j) {
      matrix.columns.push_back(static_cast<std::int32_t>(j));
      matrix.values.push_back(i == j ? 0.5 : -0.25);
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
  }
  Vector c = Vector::Zero(q);
  c[reversed ? q - 1 : 0] = -0.25;
  return quadratic(std::move(matrix), c);
}

}  // namespace fcbio::test
