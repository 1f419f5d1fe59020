#include "io/vector_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/compressed_file.hpp"
#include "io/csv.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"
#include "io/text_source.hpp"

namespace fcbio::io {

namespace {

/// inf or infinity, with or without a sign, in any case.
std::optional<double> infinite_number(std::string_view text) {
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  const std::string word = lower_case(text);
  if (word != "inf" && word != "infinity") return std::nullopt;
  return negative ? -kInfinity : kInfinity;
}

Vector parse_lines(const TextSource& source, Infinity infinity) {
  std::vector<double> numbers;
  LineCursor lines(source.text);
  for (std::string_view line; lines.next(line);) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    std::string_view rest = line;
    next_word(rest);
    if (!trimmed(rest).empty()) {
      refuse(source, lines.number(), "one number on a line", in_quotes(line), "write each number on its own line");
    }
    const std::optional<double> infinite = infinity == Infinity::accepted ? infinite_number(line) : std::nullopt;
    numbers.push_back(infinite ? *infinite : required_number(source, lines.number(), line));
  }
  if (numbers.empty()) refuse(source, 0, "numbers, one on a line", "none", "check how the file was made");
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
}

Vector only_line(const TextSource& source, const RowMajorMatrix& matrix) {
  if (matrix.rows() != 1 && matrix.cols() != 1) {
    refuse(source, 0, "a vector: one row or one column",
           counted(matrix.rows(), "row") + " and " + counted(matrix.cols(), "column"),
           "save one row or one column only");
  }
  return Eigen::Map<const Vector>(matrix.data(), matrix.size());
}

/// Numbers alone, or numbers behind names: a solution with the names of its variables, perhaps in other units, too.
Vector from_table(const TextSource& source, bool tabs) {
  const std::optional<char> separator = tabs ? std::optional('\t') : std::nullopt;
  const CsvTable table = parse_csv_table(source, separator);
  const RowMajorMatrix& matrix = table.data.matrix;
  const auto is_name = [](const TextCell& cell) { return cell.column == 0; };
  const bool named = (matrix.cols() == 2 || matrix.cols() == 3) &&
                     static_cast<Index>(table.texts.size()) == matrix.rows() &&
                     std::all_of(table.texts.begin(), table.texts.end(), is_name);
  if (named) return matrix.col(1);
  return only_line(source, table.texts.empty() ? matrix : parse_csv(source, separator).matrix);
}

std::string format_vector(VectorIn vector, const VectorColumns& columns) {
  const bool original = columns.original.size() > 0;
  if (columns.names.empty() && !original) return format_csv(RowMajorMatrix(vector));
  std::string text = original ? "variable,value,original\n" : "variable,value\n";
  for (Index j = 0; j < vector.size(); ++j) {
    const auto place = static_cast<std::size_t>(j);
    text += csv_quoted(columns.names.empty() ? fmt::format("x{}", j) : columns.names[place]) + ",";
    append_number(text, vector[j]);
    if (original) {
      text += ',';
      append_number(text, columns.original[j]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

Vector read_vector_file(const std::filesystem::path& file, std::uint64_t largest, Infinity infinity) {
  const std::string bytes = read_whole_file(file, largest);
  const TextSource source{bytes, file.string()};
  const std::string ending = format_ending(file);
  if (ending == ".npy") return only_line(source, parse_npy(source, infinity).values);
  if (ending == ".csv" || ending == ".tsv") return from_table(source, ending == ".tsv");
  if (ending != ".mtx") return parse_lines(source, infinity);
  const data::Matrix data = parse_matrix_market(source);
  if (const auto* matrix = std::get_if<RowMajorMatrix>(&data.matrix)) return only_line(source, *matrix);
  refuse(source, 0, "a vector in the array format", "a matrix in the coordinate format",
         "write it with scipy.io.mmwrite from a dense array");
}

void write_vector_file(const std::filesystem::path& file, VectorIn vector, const VectorColumns& columns) {
  const std::string ending = lower_case(file.extension().string());
  if (ending == ".npy") {
    write_npy(file, Vector(vector));
  } else if (ending == ".csv" || ending == ".txt") {
    write_file_atomically(file, format_vector(vector, columns));
  } else {
    throw InputError({file.string(), 0, "a file name that ends in .npy, .csv or .txt", in_quotes(ending),
                      "choose one of these endings"});
  }
}

}  // namespace fcbio::io
