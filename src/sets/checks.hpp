// What every set of this room needs: a norm that neither overflows nor underflows, and the checks of what a caller
// passes to a constructor.  A failed check throws InvalidArgument; the text says what was expected, what was found
// and the remedy.
#pragma once

#include <cmath>
#include <string>

#include "fcbio/set.hpp"

namespace fcbio::sets {

/// The Euclidean norm of a vector or of an expression (which is not copied); entries of any finite size are fine.
template <class Derived>
double norm_of(const Eigen::MatrixBase<Derived>& x) {
  const double plain = x.norm();
  // The plain sum of squares is wrong only where it overflows or loses everything to underflow.
  if (plain > 1e-140 && plain < 1e150) return plain;
  const double largest = x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff();
  if (!(largest > 0.0) || !std::isfinite(largest)) return plain;
  // Dividing keeps every square between 0 and 1; the reciprocal of a subnormal number would overflow.
  return largest * std::sqrt((x.array() / largest).square().sum());
}

/// A number as it appears in messages.
std::string text_of(double number);
std::string text_of(Index number);

/// The premises of all sets, in one clause.
std::string premises_of(const std::vector<ConvexSetPtr>& sets);

/// `owner` is the name of the set, `what` the argument.
void require_dimension(const char* owner, Index n);                       ///< n >= 1
void require_finite(const char* owner, const char* what, double number);  ///< not NaN, not infinite
void require_finite(const char* owner, const char* what, VectorIn numbers);
/// Finite and >= 0.  Zero is allowed everywhere in this room: such a set is a single point.
void require_size(const char* owner, const char* what, double number);

}  // namespace fcbio::sets
