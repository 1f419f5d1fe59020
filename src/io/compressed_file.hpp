// Whole files in memory, decompressed.  The ending of the name decides: .gz, .xz, .zst, else plain; the first
// bytes must agree with it.  A file that ends too early or fails its checksum is refused, never returned in part.
#pragma once

#include <filesystem>
#include <string>

namespace fcbio::io {

/// The contents, never empty.  Throws InputError for a missing or unreadable file, a directory, a compressed file
/// that is damaged or not what its name says, and for a file without contents.
std::string read_whole_file(const std::filesystem::path& file);

/// The last ending of the name after .gz, .xz or .zst was taken off, in lower case with its dot: ".csv" for
/// "A.CSV.gz", "" for "a1a".
std::string format_ending(const std::filesystem::path& file);

}  // namespace fcbio::io
