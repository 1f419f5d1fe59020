// The losses that are sums over rows: phi(u) = sum_i loss(u_i; b_i), with what values and certificates need of
// each.
#pragma once

#include <string_view>

#include "real.hpp"

namespace fcbio::verify {

struct RowLoss {
  std::string_view name;
  /// loss(u; b).  `parameter` is delta of huber, tau of quantile, unused elsewhere.
  Real (*value)(Real u, Real b, Real parameter);
  /// At least every |slope| of the loss on [u - reach, u + reach].
  Real (*steepness)(Real u, Real b, Real parameter, Real reach);
  /// The point nearest to d of the domain of the conjugate.
  Real (*nearest_dual)(Real d, Real b, Real parameter);
  /// loss*(d) = sup over u of d u - loss(u), for d in that domain.
  Number (*conjugate)(Real d, Real b, Real parameter);
};

/// nullptr: not a loss of this form.
const RowLoss* find_row_loss(std::string_view name);

}  // namespace fcbio::verify
