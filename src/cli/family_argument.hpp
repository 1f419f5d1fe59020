// "smooth" or "lipschitz", as `hard` and `bounds` take it.
#pragma once

#include <string>

#include "theory/hard_instances.hpp"

namespace fcbio::cli {

/// Throws InvalidArgument.
theory::Family family_named(const std::string& command, const std::string& text);

}  // namespace fcbio::cli
