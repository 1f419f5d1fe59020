// What a problem lacks for a kind of method, in words for a refusal; empty: nothing.
#pragma once

#include <string>

#include "fcbio/problem.hpp"

namespace fcbio {

std::string not_smooth(const Problem& problem);
/// On the domain, which must be bounded unless the constants are global.
std::string not_lipschitz(const Problem& problem);

}  // namespace fcbio
