// Indices are signed, the sizes of the standard library are not.
#pragma once

#include <cstddef>

#include "fcbio/types.hpp"

namespace fcbio {

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace fcbio
