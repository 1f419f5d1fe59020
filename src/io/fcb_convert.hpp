// Making a file in the binary form (io/fcb_format.hpp).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/fcb_file.hpp"

namespace fcbio::io {

struct ConvertOptions {
  std::string target;  ///< of dense data: the column that becomes the labels, by name or number; empty: none
  std::optional<Index> columns;  ///< of sparse data: at least so many
  ReadProgress progress;         ///< of the source
};

/// LIBSVM text is never held in memory; other formats are.  Throws InputError; then no file was written.
FcbSummary convert_data(const std::filesystem::path& source, const std::filesystem::path& result,
                        const ConvertOptions& options = {});

}  // namespace fcbio::io
