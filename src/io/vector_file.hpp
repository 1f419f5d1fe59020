// A file of n numbers: targets, centres, coefficients, start points, solutions.
//   .npy   1-D, or 2-D with one row or one column
//   .csv   one column (a header is allowed), one row, or names in a first column and the numbers in a second
// (.tsv: with tabs)
//   .mtx   array format, one column or one row
//   else   text, one number per line; blank lines and # comments are skipped
// Where infinite numbers are accepted, .npy and text may hold them.
// Each also with .gz, .xz or .zst.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "fcbio/types.hpp"
#include "io/number.hpp"

namespace fcbio::io {

/// Throws InputError; also for an empty vector, for numbers that are not finite, and for a file of more than
/// `largest` bytes, before it is read.
Vector read_vector_file(const std::filesystem::path& file,
                        std::uint64_t largest = std::numeric_limits<std::uint64_t>::max(),
                        Infinity infinity = Infinity::refused);
/// What a vector file may hold besides the numbers.
struct VectorColumns {
  std::vector<std::string> names = {};  ///< of the variables, one per number; empty: they have none
  Vector original = {};                 ///< the same in other units; empty: there are none
};
/// .npy: NPY, the numbers alone.  .csv and .txt: one number per line, behind its name and before its other units
/// where there are some, read back to the same bits.  Atomic.  Throws InputError for any other ending.
void write_vector_file(const std::filesystem::path& file, VectorIn vector, const VectorColumns& columns = {});

}  // namespace fcbio::io
