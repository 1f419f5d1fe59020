// Bounds read off the entries of a matrix when a map is made: the finite check, the Frobenius norm and
//   |M|^2 <= min( |M|_F^2, |M|_1 |M|_inf )          (largest column sum times largest row sum of |m_ij|),
// all rounded up.  Sums are taken of the entries times `scale`, a power of two that brings the largest near 1, so
// that no square overflows or vanishes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "linalg/refusal.hpp"

namespace fcbio {

struct EntryBounds {
  double scale = 1.0;      ///< power of two
  double frobenius = 0.0;  ///< upper bound of |scale M|_F
  double squared = 0.0;    ///< upper bound of |scale M|^2
  double unscaled_frobenius() const { return frobenius == 0.0 ? 0.0 : round_up(frobenius / scale); }
  /// Upper bound of value / scale^2; zero only for zero.
  double unscaled_square(double value) const {
    return value == 0.0 ? 0.0 : round_up(round_up(value / scale) / scale);
  }

  static double round_up(double value) { return std::nextafter(value, kInfinity); }
};

/// Beyond this the square of the norm would overflow.
inline constexpr double kLargestFrobenius = 1e150;

/// `visit_entries(visitor)` must call visitor(row, col, value) once for every stored number.
template <class VisitEntries>
EntryBounds entry_bounds(const std::string& who, Index rows, Index cols, const VisitEntries& visit_entries) {
  double largest = 0.0;
  visit_entries([&](Index row, Index col, double value) {
    if (!std::isfinite(value)) refuse_number(who, row, col, value);
    largest = std::max(largest, std::abs(value));
  });
  EntryBounds bounds;
  if (largest == 0.0) return bounds;
  // Not above 2^1000, so that dividing by it is exact arithmetic for all but numbers near 1e-308.
  bounds.scale = std::ldexp(1.0, std::min(1000, -std::ilogb(largest)));

  double squares = 0.0;
  double entries = 0.0;
  std::vector<double> row_sums(static_cast<std::size_t>(rows), 0.0);
  std::vector<double> col_sums(static_cast<std::size_t>(cols), 0.0);
  visit_entries([&](Index row, Index col, double value) {
    const double size = std::abs(value) * bounds.scale;
    squares += size * size;
    row_sums[static_cast<std::size_t>(row)] += size;
    col_sums[static_cast<std::size_t>(col)] += size;
    entries += 1.0;
  });
  // A sum of N non-negative terms loses at most a part N epsilon/2 of itself; twice that and a few more cover the
  // squares, the root and the product below.
  const double up = 1.0 + (entries + 8.0) * kEpsilon;
  const double row_largest = *std::max_element(row_sums.begin(), row_sums.end());
  const double col_largest = *std::max_element(col_sums.begin(), col_sums.end());
  // A square may have vanished below 1e-308: it then counts for less than the smallest normal number.
  const double vanished = entries * std::numeric_limits<double>::min();
  bounds.frobenius = std::sqrt(squares + vanished) * up;
  bounds.squared = std::min((squares + vanished) * up, row_largest * col_largest * up * up);
  if (bounds.frobenius / bounds.scale > kLargestFrobenius) {
    refuse(who, "entries whose Frobenius norm is at most 1e150", "a larger one", "scale the data down");
  }
  return bounds;
}

}  // namespace fcbio
