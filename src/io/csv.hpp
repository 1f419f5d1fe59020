// CSV: a rectangle of numbers, one row per line, with or without a header line.
// The separator is the first of  ;  ,  tab  that occurs outside quotes in the first line that is not blank.
// A header is a first row in which no field is a number; nan, inf and overflowing numbers count as numbers (and
// are refused as data); a first row with some numbers and some words is an error.  Fields may be in double quotes
// ("" is a quote inside); blanks around fields are dropped.  Blank lines may come before the first row and after
// the last one only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fcbio/linear_map.hpp"
#include "io/text_source.hpp"

namespace fcbio::io {

struct CsvData {
  RowMajorMatrix matrix;
  std::vector<std::string> column_names;  ///< empty: no header; else one per column
};

/// Throws InputError; also when there is no row of numbers.
CsvData parse_csv(const TextSource& source);

/// Numbers read back to the same bits.  Throws InvalidArgument for sizes that disagree, numbers not finite, and
/// names that would make the first row look like data.
std::string format_csv(const RowMajorMatrix& matrix, const std::vector<std::string>& column_names = {});
void write_csv(const std::filesystem::path& file, const RowMajorMatrix& matrix,
               const std::vector<std::string>& column_names = {});

}  // namespace fcbio::io
