// Decompression in memory.  All members of a concatenated stream are decompressed one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/text_source.hpp"

namespace fcbio::io {

enum class Compression : std::uint8_t { none, gzip, xz, zstd };

std::string_view to_string(Compression compression);  ///< "gzip"
std::string_view ending_of(Compression compression);  ///< ".gz"; "" for none
/// What the first bytes say.
Compression detect_compression(std::string_view bytes);
/// Throws InputError when the stream is damaged, ends too early, has other bytes behind it, or holds more than
/// `largest` bytes; that much memory is never taken, whatever the stream promises.
std::string decompress(const TextSource& source, Compression compression, std::uint64_t largest);

}  // namespace fcbio::io
