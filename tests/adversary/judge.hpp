// Which claims of a result are false, by exact truth.
#pragma once

#include <string>
#include <vector>

#include "claims.hpp"
#include "hostile_problem.hpp"

namespace fcbio::adversary {

/// One sentence per false claim, with the numbers; empty: nothing false was found.
std::vector<std::string> false_claims(const HostileProblem& problem, const verify::Claims& claims);

}  // namespace fcbio::adversary
