// What a problem lacks for a kind of method, in words for a refusal; empty: nothing.
#pragma once

#include <string>

#include "fcbio/problem.hpp"

namespace fcbio {

/// No Lipschitz constant of a gradient is known.
std::string not_smooth(const Problem& problem);
/// A gradient does not exist everywhere, or is not known to.
std::string not_differentiable(const Problem& problem);
/// On the domain, which must be bounded unless the constants are global.
std::string not_lipschitz(const Problem& problem);

}  // namespace fcbio
