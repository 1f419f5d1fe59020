// The binary form of data, .fcb: numbers as the machine has them, to be mapped into memory and used there.
//
//   header      64 bytes: magic, byte order, version, length of the file, where the directory is, checksums
//   sections    each from a multiple of 64 on, zeros between them
//   directory   what the data are, where each section is, and a checksum for every block of it
//
// All numbers are of the machine that wrote the file; words have 64 bits.  The file is a function of the data alone.
//
// A file of dense data has one section with its rows.  One of sparse data has compressed rows, for whoever reads them
// (fingerprint, selection of rows, checker), and both orientations in tiles (linalg/stored_map.hpp), for products.
//
// When it is opened, the header, the directory and the small sections that are used at once (labels, names, the plan of
// the tiles) are checked against their checksums; the rows before they are read for the first time, the tiles before
// the first product.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fcbio/types.hpp"

namespace fcbio::io {

inline constexpr std::string_view kFcbEnding = ".fcb";
inline constexpr std::uint32_t kFcbVersion = 1;
inline constexpr std::uint64_t kFcbAlignment = 64;  ///< a line of the cache
inline constexpr std::uint64_t kFcbBlock = std::uint64_t{1} << 20;  ///< bytes with a checksum of their own

enum class Section : std::uint64_t {
  labels = 1,  ///< double, one per row
  names,       ///< of the columns: the length of each as a word, then its characters
  dense,       ///< double, row after row
  starts,      ///< int64, rows + 1: where rows begin among columns and values
  columns,     ///< int32
  values,      ///< double
  plan,        ///< words: all of the sparse map but the numbers of its tiles (io/map_plan_words.hpp)
  transposed_values,
  transposed_places,
  transposed_owners,
  forward_values,
  forward_places,
  forward_owners,
};

struct SectionEntry {
  Section kind{};
  std::uint64_t offset = 0;
  std::uint64_t size = 0;                ///< bytes
  std::vector<std::uint64_t> checksums;  ///< of its blocks
};

struct FcbDirectory {
  bool sparse = false;
  Index rows = 0, cols = 0;
  Index numbers = 0;              ///< stored ones
  std::uint64_t tile_layout = 0;  ///< kTileLayout of the program that made the tiles
  std::vector<SectionEntry> sections;
  const SectionEntry* find(Section kind) const;
};

inline constexpr std::size_t kFcbHeader = 64;

/// The directory as bytes, and the header of a file of `file_size` bytes that has them at `offset`.
std::string encode_directory(const FcbDirectory& directory);
std::array<char, kFcbHeader> encode_header(std::string_view directory, std::uint64_t offset,
                                           std::uint64_t file_size);

/// Throws InputError, with `name`, for anything that is not a file of this form, of this version and byte order, as long
/// as it says, with sections that lie in it and are as long as the shape of the data asks for.  Of the sections the
/// bytes are not looked at.
FcbDirectory decode_directory(std::string_view file, const std::string& name);

}  // namespace fcbio::io
