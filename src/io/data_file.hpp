// Any data file, by its ending (in any case) once .gz, .xz or .zst is taken off:
//   .svm .libsvm .txt   LIBSVM text        .csv   CSV        .npy   NPY, 2-D        .mtx   Matrix Market
// LIBSVM's own files have names like `a1a` or `a9a.t`: a file with another ending is read as LIBSVM text if its
// first line looks like it, and refused otherwise.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/matrix.hpp"

namespace fcbio::io {

struct DataFile {
  data::Matrix matrix;
  Vector labels;                          ///< LIBSVM only: one per row
  std::vector<std::string> column_names;  ///< CSV with a header only: one per column
};

/// Throws InputError.  All numbers of the result are finite, and it has at least one row and one column.
DataFile read_data_file(const std::filesystem::path& file);

}  // namespace fcbio::io
