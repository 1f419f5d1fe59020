// The header of an .npy file: what the numbers are and where they begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/text_source.hpp"

namespace fcbio::io {

struct NpyHeader {
  char order = '<';                 ///< '<' little-endian, '>' big-endian; '|' does not matter
  char kind = 'f';                  ///< 'f' real, 'i' signed, 'u' unsigned, 'b' bool
  std::size_t item_size = 8;        ///< bytes per number
  bool column_major = false;        ///< fortran_order
  std::vector<std::int64_t> shape;  ///< each >= 0; 1 or 2 of them
  std::size_t data_start = 0;       ///< offset of the first number
};

/// Throws InputError for anything that parse_npy could not read.
NpyHeader parse_npy_header(const TextSource& source);

}  // namespace fcbio::io
