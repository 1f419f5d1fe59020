// CSV as of RFC 4180: one row per line, fields of numbers or texts, with or without a header line.
// The separator is the first of  ;  ,  tab  that occurs outside quotes in the first line that is not blank.
// A header is a first row in which no field is a number; nan, inf and overflowing numbers count as numbers (and
// are refused as data); a first row with some numbers and some words is an error.  Fields may be in double quotes
// ("" is a quote inside), and may then hold separators and ends of lines; blanks around fields are dropped.  Blank
// lines may come before the first row and after the last one only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fcbio/linear_map.hpp"
#include "io/text_source.hpp"

namespace fcbio::io {

struct CsvData {
  RowMajorMatrix matrix;
  std::vector<std::string> column_names;  ///< empty: no header; else one per column
};

/// A field that is not a finite number.
struct TextCell {
  Index row = 0, column = 0;  ///< from 0, the header not counted
  std::int64_t line = 0;      ///< of the file, where the field begins
  std::string text;           ///< without quotes and outer blanks
};

struct CsvTable {
  CsvData data;                 ///< with 0 in the places of texts
  std::vector<TextCell> texts;  ///< row by row, from left to right
};

/// Numbers only.  Throws InputError; also when there is no row.
CsvData parse_csv(const TextSource& source, std::optional<char> separator = {});
/// The same, with fields of any kind.
CsvTable parse_csv_table(const TextSource& source, std::optional<char> separator = {});

/// Numbers read back to the same bits.  Throws InvalidArgument for sizes that disagree, numbers not finite, and
/// names that would make the first row look like data.
std::string format_csv(const RowMajorMatrix& matrix, const std::vector<std::string>& column_names = {});
void write_csv(const std::filesystem::path& file, const RowMajorMatrix& matrix,
               const std::vector<std::string>& column_names = {});
/// The text in double quotes, as a field.
std::string csv_quoted(std::string_view text);

}  // namespace fcbio::io
