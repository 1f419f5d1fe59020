// The lines in the plane of (g, f) that a result proves.
#pragma once

#include <vector>

#include "fcbio/problem.hpp"
#include "report/report.hpp"

namespace fcbio::report {

/// From the witness of a proved result,  f + mu g >= low on Z,  where
///     upper_lower_bound = low - mu g(reference)   (rounded down),   so   low = upper_lower_bound + mu
///     g(reference);
/// the rounding of these two operations is taken off.  And  f >= c  where f itself knows such a c.
/// Evaluates g once; to be called outside of any measured time.
std::vector<Cut> proved_cuts(const Problem& problem, const Result& result);

}  // namespace fcbio::report
