// The weight of f in StaBiM and AdaBiM:  sigma_k = min{ max{1/k, 3/4 sigma_{k-1}}, sigma_{k-1} }: 1/k in the end,
// so that the weights have no finite sum, and never less than three quarters of the one before.  sigma_0 is told.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fcbio {

inline double next_diagonal_weight(double before, std::int64_t k) {
  if (k == 0) return before;
  return std::min(std::max(1.0 / static_cast<double>(k), 0.75 * before), before);
}

}  // namespace fcbio
