// Draws from a fixed distribution over 0 .. size-1 at a price that does not depend on its size (Walker; Vose): place i
// holds i itself with chance `keep[i]`, and one other index with the rest.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "fcbio/types.hpp"

namespace fcbio {

/// In [0, 1), a multiple of 2^-53: the same numbers on every machine.
inline double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

class AliasTable {
 public:
  AliasTable() = default;
  /// Chances in proportion to the weights, which are >= 0, finite, and not all 0.
  explicit AliasTable(VectorIn weights);

  Index draw(std::mt19937_64& random) const;

 private:
  struct Place {  // together, so that a draw waits for memory once
    double keep;
    std::int32_t other;
  };
  std::vector<Place> places_;
};

}  // namespace fcbio
