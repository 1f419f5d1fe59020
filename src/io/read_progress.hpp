// How reading a large file goes on, for a person who waits.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace fcbio::io {

/// Told how far a file was read, in bytes of it as it is, packed or not: by whichever thread reads, one at a time.
/// Empty: nobody waits.
using ReadProgress = std::function<void(const std::string& file, std::uint64_t done, std::uint64_t size)>;

}  // namespace fcbio::io
