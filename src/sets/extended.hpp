// Arithmetic of proofs about sets: extended precision, compensated sums, and a bound of what rounding did.
//
// With u = 2^-63 (the epsilon of an x86 long double) every summand here carries a relative error of at most 2 u,
// and a compensated sum of k < 2^50 summands errs by at most u |sum| + k u^2 (sum of sizes) more, so
//     |value() - true sum| <= 4 u size().
// What is taken off is 128 u size(): an independent checker in extended precision may be less careful than this,
// and what is claimed must hold for it too.  128 u is a sixteenth of a unit in the last place of a double.
#pragma once

#include <cmath>
#include <limits>

#include "fcbio/types.hpp"

namespace fcbio::sets {

using Extended = long double;
inline constexpr Extended kExtendedEpsilon = std::numeric_limits<Extended>::epsilon();
inline constexpr Extended kAllowance = 128 * kExtendedEpsilon;  ///< relative, see above
inline constexpr Extended kExtendedInfinity = std::numeric_limits<Extended>::infinity();

class ExtendedSum {
 public:
  void add(Extended term) { add(term, std::abs(term)); }
  void add_product(Extended a, Extended b) { add(a * b); }
  /// A term that itself stands for numbers of this size.
  void add(Extended term, Extended size) {
    const Extended total = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - total) + term : (term - total) + sum_;
    sum_ = total;
    size_ += size;
  }
  Extended value() const { return sum_ + lost_; }
  Extended size() const { return size_; }
  Extended error() const { return kAllowance * size_; }
  Extended at_least() const { return value() - error(); }
  Extended at_most() const { return value() + error(); }

 private:
  Extended sum_ = 0, lost_ = 0, size_ = 0;
};

/// |x - c| (c null: |x|) from above, with the same allowance.
template <class X>
Extended norm_at_most(const X& x, const Vector* centre, Index size) {
  ExtendedSum square;
  for (Index j = 0; j < size; ++j) {
    const Extended offset = Extended{x[j]} - (centre != nullptr ? Extended{(*centre)[j]} : 0);
    square.add(offset * offset);
  }
  return std::sqrt(square.value()) * (1 + kAllowance);
}

inline double rounded_down(Extended value) {
  const auto near = static_cast<double>(value);
  return Extended{near} > value ? std::nextafter(near, -kInfinity) : near;
}
inline double rounded_up(Extended value) { return -rounded_down(-value); }

}  // namespace fcbio::sets
