#include <algorithm>

#include "fcbio/error.hpp"
#include "io/atomic_file.hpp"
#include "io/csv.hpp"

namespace fcbio::io {

namespace {

void append_names(std::string& text, const std::vector<std::string>& names) {
  for (std::size_t column = 0; column < names.size(); ++column) {
    const std::string& name = names[column];
    if (whole_number(trimmed(name)).kind != NumberKind::malformed) {
      throw InvalidArgument("write_csv: expected column names that are words, found " + in_quotes(name) +
                            "; rename the column");
    }
    if (column > 0) text += ',';
    text += csv_quoted(name);
  }
  text += '\n';
}

}  // namespace

std::string csv_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string format_csv(const RowMajorMatrix& matrix, const std::vector<std::string>& column_names) {
  if (matrix.size() == 0 || !matrix.allFinite()) {
    throw InvalidArgument("write_csv: expected a matrix with entries, all finite, found " +
                          std::string(matrix.size() == 0 ? "no entry" : "an entry that is not") +
                          "; such a file could not be read again");
  }
  if (!column_names.empty() && column_names.size() != static_cast<std::size_t>(matrix.cols())) {
    throw InvalidArgument("write_csv: expected " + counted(matrix.cols(), "column name") + ", found " +
                          std::to_string(column_names.size()) + "; name every column or none");
  }
  std::string text;
  if (!column_names.empty()) append_names(text, column_names);
  for (Index row = 0; row < matrix.rows(); ++row) {
    for (Index column = 0; column < matrix.cols(); ++column) {
      if (column > 0) text += ',';
      append_number(text, matrix(row, column));
    }
    text += '\n';
  }
  return text;
}

void write_csv(const std::filesystem::path& file, const RowMajorMatrix& matrix,
               const std::vector<std::string>& column_names) {
  write_file_atomically(file, format_csv(matrix, column_names));
}

}  // namespace fcbio::io
