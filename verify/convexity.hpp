// The one premise of certificates that data can break: a quadratic term must be convex.
#pragma once

#include "term_view.hpp"

namespace fcbio::verify {

enum class Convexity { convex, not_convex, too_large_to_check };

/// Whether Q of a quadratic term is symmetric and positive semidefinite, to 1e-10 of its largest diagonal entry,
/// by a Cholesky factorisation; beyond kLargestChecked variables it is not tried.
inline constexpr std::size_t kLargestChecked = 1000;
Convexity check_convexity(const TermView& quadratic);

}  // namespace fcbio::verify
