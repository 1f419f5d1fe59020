// Numbers as users write them.  All return false, with `out` spoiled, for text that is not a number or has more after
// it.
#pragma once

#include <cstdint>
#include <string_view>

namespace fcbio {

bool read_real(std::string_view text, double& out);           ///< finite
bool read_integer(std::string_view text, std::int64_t& out);  ///< 1e5 is an integer too
bool read_flag(std::string_view text, bool& out);             ///< true, 1, yes, on; false, 0, no, off

}  // namespace fcbio
