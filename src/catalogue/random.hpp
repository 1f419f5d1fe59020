// Seeded random numbers, the same on every machine: nothing here is left to the standard library's distributions.
// Generator xoshiro256** (Blackman and Vigna), its state filled by splitmix64 from one 64-bit seed.  uniform() and
// below() are exact integer arithmetic; normal() and poisson() also use sqrt, log and exp, so their last bit is as
// portable as the C mathematics library.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "fcbio/types.hpp"

namespace fcbio::catalogue {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t bits();
  double uniform();                          ///< in [0, 1), a multiple of 2^-53
  double uniform(double low, double high);   ///< low + (high - low) uniform()
  std::uint64_t below(std::uint64_t limit);  ///< 0 .. limit - 1, unbiased; limit > 0
  double normal();                           ///< mean 0, variance 1; Marsaglia's polar method
  double poisson(double mean);               ///< a count; see random.cpp for means above 30
  Vector normal_vector(Index size);
  Vector unit_vector(Index size);              ///< uniform on the unit sphere
  std::vector<Index> permutation(Index size);  ///< Fisher-Yates

 private:
  std::array<std::uint64_t, 4> state_{};
  std::optional<double> spare_normal_;  // the polar method makes two at a time
};

}  // namespace fcbio::catalogue
