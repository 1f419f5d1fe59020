// Decompression, some bytes at a time.  All members of a concatenated stream are decompressed one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/byte_source.hpp"

namespace fcbio::io {

enum class Compression : std::uint8_t { none, gzip, xz, zstd };

std::string_view to_string(Compression compression);  ///< "gzip"
std::string_view ending_of(Compression compression);  ///< ".gz"; "" for none
/// What the first bytes say.
Compression detect_compression(std::string_view bytes);

/// What `packed` (which must outlive it) holds.  Reading throws InputError, with `name`, when the stream is damaged,
/// ends too early or has other bytes behind it.  A decoder takes `memory` bytes at most, or what every file of its
/// kind may ask for.
std::unique_ptr<ByteSource> make_decoder(Compression compression, ByteSource& packed, std::string name,
                                         std::uint64_t memory);

/// All that is left of a source, `expected` bytes perhaps.  Throws InputError, with `name`, when that is more than
/// `largest` bytes; that much memory is never taken, whatever a stream promises.
std::string read_all(ByteSource& source, const std::string& name, std::uint64_t largest,
                     std::uint64_t expected = 0);

}  // namespace fcbio::io
