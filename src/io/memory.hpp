// How much memory there is, so that what cannot fit is refused before it is allocated.
#pragma once

#include <cstdint>

namespace fcbio::io {

/// Bytes of physical memory; a large number where the system does not tell.
std::uint64_t physical_memory();
/// Bytes of this process that are in memory; 0 where the system does not tell.
std::uint64_t resident_memory();

}  // namespace fcbio::io
