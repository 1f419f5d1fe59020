// Any data file, by its ending (in any case) once .gz, .xz or .zst is taken off:
//   .svm .libsvm .txt   LIBSVM text        .csv .tsv   CSV, tab-separated        .npy   NPY, 2-D
//   .mtx                Matrix Market
//   .fcb                the binary form (io/fcb_format.hpp), never compressed: its numbers are borrowed from the file
// LIBSVM's own files have names like `a1a` or `a9a.t`: a file with another ending is read as LIBSVM text if its
// first line looks like it, and refused otherwise.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/matrix.hpp"
#include "io/csv.hpp"
#include "io/text_blocks.hpp"

namespace fcbio::io {

struct DataFile {
  data::Matrix matrix;
  Vector labels;                          ///< LIBSVM, binary form: one per row, or none
  std::vector<std::string> column_names;  ///< CSV with a header, binary form: one per column, or none
  std::vector<TextCell> texts;            ///< CSV only: fields that are not finite numbers, with 0 in their places
};

/// Throws InputError.  All numbers of the result are finite (borrowed ones: of the numbers that are read, when they
/// are), and it has at least one row and one column.  LIBSVM text is parsed on all threads of the scope.
DataFile read_data_file(const std::filesystem::path& file, const ReadProgress& progress = {});

/// The same, but a CSV file may hold texts.
DataFile read_table_file(const std::filesystem::path& file, const ReadProgress& progress = {});
/// read_data_file() with a matrix of its own.
DataFile read_data_into_memory(const std::filesystem::path& file);

/// The file as LIBSVM text, of at most `largest` bytes; null: it is of another format.  Throws InputError where its
/// name and its first lines tell of none.
std::unique_ptr<FileBlocks> open_libsvm(const std::filesystem::path& file, std::uint64_t largest,
                                        const ReadProgress& progress);

}  // namespace fcbio::io
