// How eps_g is shared out by the methods that prove their answer.
#pragma once

namespace fcbio {

/// For the gap of the lower phase.  (The paper shares 1/2 to 1/2; less here leaves room for rounding in the sum.)
inline constexpr double kLowerShare = 0.4;
/// What a point may have used up to count as feasible; the rest is left for the allowances of the final proof. One
/// number for all, so that two drivers of a race agree on which candidates are feasible.
inline constexpr double kLowerUsable = 0.99;

}  // namespace fcbio
