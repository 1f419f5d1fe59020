// A file of n numbers: targets, centres, coefficients, start points, solutions.
//   .npy   1-D, or 2-D with one row or one column
//   .csv   one column (a header is allowed) or one row
//   .mtx   array format, one column or one row
//   else   text, one number per line; blank lines and # comments are skipped
// Each also with .gz, .xz or .zst.
#pragma once

#include <filesystem>

#include "fcbio/types.hpp"

namespace fcbio::io {

/// Throws InputError; also for an empty vector and for numbers that are not finite.
Vector read_vector_file(const std::filesystem::path& file);
/// .npy: NPY.  .csv and .txt: one number per line, read back to the same bits.  Atomic.  Throws InputError for any
/// other ending.
void write_vector_file(const std::filesystem::path& file, VectorIn vector);

}  // namespace fcbio::io
