#include <cmath>

#include "fcbio/error.hpp"
#include "io/atomic_file.hpp"
#include "io/libsvm.hpp"

namespace fcbio::io {

namespace {

void append_finite(std::string& text, double value) {
  if (!std::isfinite(value)) {
    throw InvalidArgument("write_libsvm: expected finite numbers, found " + std::to_string(value) +
                          "; such a file could not be read again");
  }
  append_number(text, value);
}

}  // namespace

std::string format_libsvm(const CsrMatrix& matrix, VectorIn labels) {
  if (matrix.starts.size() != static_cast<std::size_t>(matrix.rows) + 1 || labels.size() != matrix.rows) {
    throw InvalidArgument("write_libsvm: expected one label per row, found " + counted(labels.size(), "label") +
                          " for " + counted(matrix.rows, "row") +
                          "; give a label (0 where there is none) per row");
  }
  std::string text;
  for (Index row = 0; row < matrix.rows; ++row) {
    append_finite(text, labels[row]);
    const auto first = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row)]);
    const auto last = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row) + 1]);
    for (std::size_t entry = first; entry < last; ++entry) {
      text += ' ';
      text += std::to_string(std::int64_t{matrix.columns[entry]} + 1);
      text += ':';
      append_finite(text, matrix.values[entry]);
    }
    text += '\n';
  }
  return text;
}

void write_libsvm(const std::filesystem::path& file, const CsrMatrix& matrix, VectorIn labels) {
  write_file_atomically(file, format_libsvm(matrix, labels));
}

}  // namespace fcbio::io
