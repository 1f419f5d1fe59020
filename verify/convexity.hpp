// The one premise of certificates that data can break: a quadratic term must be convex.
#pragma once

#include "term_view.hpp"

namespace fcbio::verify {

/// Beyond this many variables only diagonal dominance is a proof.
inline constexpr std::size_t kLargestFactored = 2000;

/// lambda >= 0 such that the least eigenvalue of the symmetric part of Q is proved to be at least -lambda;
/// infinite where Q is not symmetric or nothing near 0 can be proved.
Real prove_concavity(const TermView& quadratic);

}  // namespace fcbio::verify
