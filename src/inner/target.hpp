// What an inner solver minimises over Z: psi(t, x) = max{ f(x) - t, scale (g(x) - g^) }, or one of the two alone.
#pragma once

#include <algorithm>

#include "linalg/archive.hpp"

namespace fcbio {

struct Target {
  bool uses_upper = true;
  bool uses_lower = true;
  double level = 0.0;            // t
  double lower_reference = 0.0;  // g^
  double scale = 1.0;            // eps_f / eps_g: makes one accuracy serve both levels (Corollary on scaling)

  double upper_part(double f) const { return f - level; }
  double lower_part(double g) const { return scale * (g - lower_reference); }
  double psi(double f, double g) const {
    return std::max(uses_upper ? upper_part(f) : -kInfinity, uses_lower ? lower_part(g) : -kInfinity);
  }
  void archive(Archive& archive) { archive(uses_upper, uses_lower, level, lower_reference, scale); }
  bool uses(Level which) const { return which == Level::upper ? uses_upper : uses_lower; }
};

inline Target only_lower() { return {.uses_upper = false}; }
inline Target only_upper() { return {.uses_lower = false}; }

}  // namespace fcbio
