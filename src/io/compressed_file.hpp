// Whole files in memory, decompressed.  The ending of the name decides: .gz, .xz, .zst, else plain; the first
// bytes must agree with it.  A file that ends too early or fails its checksum is refused, never returned in part.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace fcbio::io {

/// The contents, never empty.  Throws InputError for a missing or unreadable file, anything but an ordinary file,
/// a compressed file that is damaged or not what its name says, for a file without contents, and for one with more
/// than `largest` bytes or half the memory, packed or unpacked.
std::string read_whole_file(const std::filesystem::path& file,
                            std::uint64_t largest = std::numeric_limits<std::uint64_t>::max());

/// The last ending of the name after .gz, .xz or .zst was taken off, in lower case with its dot: ".csv" for
/// "A.CSV.gz", "" for "a1a".
std::string format_ending(const std::filesystem::path& file);

}  // namespace fcbio::io
