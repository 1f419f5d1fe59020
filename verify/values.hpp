// f(x) and g(x) from the definition.
#pragma once

#include "term_view.hpp"

namespace fcbio::verify {

/// sum of weight * term at x.  The magnitude also covers what kDoubleDigits of relative error in the products M x
/// would change, so kDoubleDigits * magnitude is what two honest evaluations in double precision may differ by.
Number function_value(const std::vector<TermView>& terms, std::span<const Real> x);

/// At least |h(z) - h(x)| for every z with |z - x| <= distance, h the sum of the terms.
Real largest_change(const std::vector<TermView>& terms, std::span<const Real> x, Real distance);

}  // namespace fcbio::verify
