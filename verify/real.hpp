// Numbers of the checker: extended precision, summed with compensation, each with a record of how much was added
// up to get it.
//
// A Number promises   |true value - value| <= kRounding * magnitude.
// kRounding is 64 units in the last place of long double; compensated sums make the error independent of how many
// numbers were added, and every other chain of operations here is far shorter than 64.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace fcbio::verify {

using Real = long double;
using RealVector = std::vector<Real>;

inline constexpr Real kRealInfinity = std::numeric_limits<Real>::infinity();
/// Relative rounding of the checker itself (see above).
inline constexpr Real kRounding = 64 * std::numeric_limits<Real>::epsilon();
/// The last digits of a double: what a claim written in double precision may be off by, relatively.
inline constexpr Real kDoubleDigits = 1e-15L;

struct Number {
  Real value = 0;
  Real magnitude = 0;  ///< at least |value|, to rounding
  Real error() const { return magnitude == 0 ? 0 : kRounding * magnitude; }
};

/// A number that is exact as it stands.
inline Number exact(Real value) { return {value, std::abs(value)}; }

/// Neumaier's compensated sum that also adds up magnitudes.
class Accumulator {
 public:
  void add(Real term) { add(Number{term, std::abs(term)}); }
  void add(Number term) {
    const Real total = sum_ + term.value;
    lost_ += std::abs(sum_) >= std::abs(term.value) ? (sum_ - total) + term.value : (term.value - total) + sum_;
    sum_ = total;
    magnitude_ += term.magnitude;
  }
  /// Adds factor * term.
  void add(Real factor, Number term) { add(Number{factor * term.value, std::abs(factor) * term.magnitude}); }
  Number number() const { return {std::isfinite(sum_) ? sum_ + lost_ : sum_, magnitude_}; }
  Real value() const { return number().value; }

 private:
  Real sum_ = 0;
  Real lost_ = 0;
  Real magnitude_ = 0;
};

inline Real dot(std::span<const Real> a, std::span<const Real> b) {
  Accumulator sum;
  for (std::size_t j = 0; j < a.size(); ++j) sum.add(a[j] * b[j]);
  return sum.value();
}

inline Real norm(std::span<const Real> a) { return std::sqrt(dot(a, a)); }

inline bool all_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

}  // namespace fcbio::verify
