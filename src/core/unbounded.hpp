// Problems without a solution because a level falls without end: told before the run where a linear function and
// an open side of the domain prove it.
#pragma once

#include "fcbio/problem.hpp"

namespace fcbio {

/// The ray along which a level falls for ever, in words with the remedy; empty: none was found, which proves
/// nothing.
std::string falls_without_end(const Problem& problem);

}  // namespace fcbio
