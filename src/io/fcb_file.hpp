// Reading the binary form (io/fcb_format.hpp).
#pragma once

#include <filesystem>

#include "io/data_file.hpp"

namespace fcbio::io {

/// Throws InputError.  Labels and names are read, the numbers borrowed from the file, which stays mapped as long as
/// anybody has them.
DataFile read_fcb(const std::filesystem::path& file);

/// What a file holds, for the user.
struct FcbSummary {
  bool sparse = false, labels = false;
  Index rows = 0, cols = 0, numbers = 0;
  std::uint64_t bytes = 0;
};
/// Reads every byte: all checksums, the soundness of rows and tiles, and whether tiles and rows are the same matrix.
/// Throws InputError.
FcbSummary check_fcb(const std::filesystem::path& file);

}  // namespace fcbio::io
