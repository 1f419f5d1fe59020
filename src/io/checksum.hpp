// A 64-bit checksum that is as fast as memory: XXH64 of Yann Collet (BSD), with the seed 0.  It finds accidents; it does
// not withstand an enemy.
#pragma once

#include <cstdint>
#include <string_view>

namespace fcbio::io {

/// The same on machines of either byte order.
std::uint64_t checksum(std::string_view bytes);

}  // namespace fcbio::io
