// Seeded standard normal numbers: std::mt19937_64 (fixed by the C++ standard) and the transform of Box and Muller,
// written out because the standard leaves std::normal_distribution to the library.
#pragma once

#include <cmath>
#include <numbers>
#include <random>

#include "fcbio/types.hpp"

namespace fcbio {

class Gaussian {
 public:
  explicit Gaussian(std::uint64_t seed) : engine_(seed) {}

  void fill(VectorOut vector) {
    for (Index i = 0; i < vector.size(); i += 2) {
      const double radius = std::sqrt(-2.0 * std::log(uniform()));
      const double angle = 2.0 * std::numbers::pi * uniform();
      vector[i] = radius * std::cos(angle);
      if (i + 1 < vector.size()) vector[i + 1] = radius * std::sin(angle);
    }
  }

 private:
  /// In (0, 1): the middle of one of 2^53 equal parts.
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }

  std::mt19937_64 engine_;
};

}  // namespace fcbio
