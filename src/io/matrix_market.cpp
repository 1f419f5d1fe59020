#include "io/matrix_market.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace fcbio::io {

namespace {

constexpr std::int64_t kMostColumns = std::numeric_limits<std::int32_t>::max();
// A sparse matrix needs memory for each of its rows, so a size line alone must not be able to ask for all of it.
constexpr std::int64_t kRowsForFree = std::int64_t{1} << 24;
constexpr std::int64_t kRowsPerEntry = 16;

enum class Symmetry : std::uint8_t { general, symmetric, skew };

struct Entry {
  std::int64_t row;
  std::int32_t column;
  double value;
};

class MatrixMarketParser {
 public:
  explicit MatrixMarketParser(const TextSource& source) : source_(source), lines_(source.text) {}

  data::Matrix parse() {
    read_banner();
    read_sizes();
    if (coordinate_) return {read_coordinates()};
    return {read_array()};
  }

 private:
  [[noreturn]] void refuse_here(std::string expected, std::string found, std::string remedy) const {
    refuse(source_, lines_.number(), std::move(expected), std::move(found), std::move(remedy));
  }

  void read_banner() {
    std::string_view line;
    if (!lines_.next(line)) line = {};
    std::string_view rest = line;
    std::string words[5];
    for (std::string& word : words) word = lower_case(next_word(rest));
    const auto& [banner, object, format, field, symmetry] = words;
    if (banner != "%%matrixmarket" || object != "matrix" || !next_word(rest).empty()) {
      refuse_here("the first line %%MatrixMarket matrix FORMAT FIELD SYMMETRY", in_quotes(line),
                  "write the file with scipy.io.mmwrite or give it the ending of its real format");
    }
    if (format != "coordinate" && format != "array") {
      refuse_here("the format coordinate or array", in_quotes(format), "use one of these");
    }
    coordinate_ = format == "coordinate";
    pattern_ = field == "pattern";
    integer_ = field == "integer";
    if (field != "real" && field != "double" && !integer_ && !(pattern_ && coordinate_)) {
      refuse_here(coordinate_ ? "the field real, integer or pattern" : "the field real or integer",
                  in_quotes(field), "use a matrix of real numbers");
    }
    if (symmetry == "symmetric") {
      symmetry_ = Symmetry::symmetric;
    } else if (symmetry == "skew-symmetric" && !pattern_) {
      symmetry_ = Symmetry::skew;
    } else if (symmetry != "general") {
      refuse_here(
          pattern_ ? "the symmetry general or symmetric" : "the symmetry general, symmetric or skew-symmetric",
          in_quotes(symmetry), "use one of these");
    }
  }

  /// The next line that is neither blank nor a comment; false at the end.
  bool next_line(std::string_view& line) {
    while (lines_.next(line)) {
      line = trimmed(line);
      if (!line.empty() && line.front() != '%') return true;
    }
    return false;
  }

  /// A whole number in [least, most].
  std::int64_t whole(std::string_view word, std::int64_t least, std::int64_t most, const std::string& what) {
    std::int64_t value = 0;
    bool good = !word.empty();
    for (const char c : word) {
      good = good && c >= '0' && c <= '9' && value <= most / 10;
      if (good) value = 10 * value + (c - '0');
    }
    if (!good || value < least || value > most) {
      refuse_here(what + " from " + std::to_string(least) + " to " + std::to_string(most),
                  word.empty() ? "the end of the line" : in_quotes(word), "correct this line");
    }
    return value;
  }

  void require_end(std::string_view rest, const char* expected) {
    if (const std::string_view word = next_word(rest); !word.empty()) {
      refuse_here(expected, in_quotes(word) + " behind it", "correct this line");
    }
  }

  void read_sizes() {
    std::string_view line;
    if (!next_line(line)) {
      refuse(source_, 0, "a size line", "that the file ends too early", "copy or download it again");
    }
    const auto size_of_text = static_cast<std::int64_t>(source_.text.size());
    rows_ = whole(next_word(line), 1, std::numeric_limits<std::int64_t>::max() / 2, "a number of rows");
    columns_ = whole(next_word(line), 1, kMostColumns, "a number of columns");
    if (symmetry_ != Symmetry::general && rows_ != columns_) {
      refuse_here(
          "a square matrix, as it is " + std::string(symmetry_ == Symmetry::skew ? "skew-symmetric" : "symmetric"),
          std::to_string(rows_) + " x " + std::to_string(columns_), "correct the size or the first line");
    }
    // Each entry takes at least two characters: more than the file can hold are not worth memory.
    if (coordinate_) {
      entries_ = whole(next_word(line), 1, std::numeric_limits<std::int64_t>::max() / 2, "a number of entries");
      require_end(line, "a size line of rows, columns and entries");
      if (entries_ > size_of_text) refuse_missing(-1);
      const std::int64_t most_rows = std::max(kRowsForFree, kRowsPerEntry * entries_);
      if (rows_ > most_rows) {
        refuse_here("at most " + counted(most_rows, "row") + " for " +
                        (entries_ == 1 ? std::string("1 entry") : std::to_string(entries_) + " entries"),
                    std::to_string(rows_), "remove empty rows");
      }
    } else {
      require_end(line, "a size line of rows and columns");
      if (rows_ > 2 * size_of_text / columns_) refuse_missing(-1);
      entries_ = symmetry_ == Symmetry::general     ? rows_ * columns_
                 : symmetry_ == Symmetry::symmetric ? rows_ * (rows_ + 1) / 2
                                                    : rows_ * (rows_ - 1) / 2;
      if (entries_ > size_of_text) refuse_missing(-1);
    }
  }

  /// `found` is negative when nothing was counted, as the file is too short for what the size line says.
  [[noreturn]] void refuse_missing(std::int64_t found) {
    const std::string expected = entries_ > 0
                                     ? counted(entries_, "line") + " of entries"
                                     : std::to_string(rows_) + " x " + std::to_string(columns_) + " entries";
    refuse(source_, 0, expected, found < 0 ? "fewer than that" : std::to_string(found),
           "the file is truncated or its size line wrong: copy or download it again");
  }

  double value_of(std::string_view word) {
    const double value = required_number(source_, lines_.number(), word);
    if (integer_ && value != std::floor(value)) {
      refuse_here("a whole number, as the first line says integer", in_quotes(word),
                  "write real in the first line");
    }
    return value;
  }

  CsrMatrix read_coordinates() {
    std::vector<Entry> entries;
    entries.reserve(static_cast<std::size_t>(entries_) * (symmetry_ == Symmetry::general ? 1 : 2));
    std::string_view line;
    std::int64_t count = 0;
    for (; next_line(line); ++count) {
      if (count == entries_)
        refuse_here(counted(entries_, "line") + " of entries", "one more", "correct the size line");
      const std::int64_t row = whole(next_word(line), 1, rows_, "a row number") - 1;
      const std::int64_t column = whole(next_word(line), 1, columns_, "a column number") - 1;
      const double value = pattern_ ? 1.0 : value_of(next_word(line));
      require_end(line, pattern_ ? "a row and a column number" : "a row number, a column number and a value");
      if (symmetry_ == Symmetry::symmetric ? row < column : symmetry_ == Symmetry::skew && row <= column) {
        refuse_here(
            symmetry_ == Symmetry::symmetric ? "an entry on or below the diagonal" : "an entry below the diagonal",
            "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1),
            "store the lower triangle only, or write general in the first line");
      }
      entries.push_back({row, static_cast<std::int32_t>(column), value});
      if (symmetry_ != Symmetry::general && row != column) {
        entries.push_back({column, static_cast<std::int32_t>(row), symmetry_ == Symmetry::skew ? -value : value});
      }
    }
    if (count < entries_) refuse_missing(count);
    return compress(entries);
  }

  /// Sorts by row and column, keeping the order of the file among equals, and sums equals.
  CsrMatrix compress(std::vector<Entry>& entries) {
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    CsrMatrix matrix;
    matrix.rows = rows_;
    matrix.cols = columns_;
    matrix.starts.assign(static_cast<std::size_t>(rows_) + 1, 0);
    matrix.columns.reserve(entries.size());
    matrix.values.reserve(entries.size());
    const Entry* previous = nullptr;
    for (const Entry& entry : entries) {
      if (previous != nullptr && previous->row == entry.row && previous->column == entry.column) {
        matrix.values.back() += entry.value;
        if (!std::isfinite(matrix.values.back())) {
          refuse(source_, 0, "duplicate entries with a finite sum",
                 "an overflow in row " + std::to_string(entry.row + 1) + ", column " +
                     std::to_string(entry.column + 1),
                 "rescale the data");
        }
      } else {
        matrix.columns.push_back(entry.column);
        matrix.values.push_back(entry.value);
        ++matrix.starts[static_cast<std::size_t>(entry.row) + 1];
      }
      previous = &entry;
    }
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows_); ++row)
      matrix.starts[row + 1] += matrix.starts[row];
    return matrix;
  }

  RowMajorMatrix read_array() {
    RowMajorMatrix matrix = RowMajorMatrix::Zero(rows_, columns_);
    std::int64_t count = 0;
    for (Index column = 0; column < columns_; ++column) {
      const Index first = symmetry_ == Symmetry::general     ? 0
                          : symmetry_ == Symmetry::symmetric ? column
                                                             : column + 1;
      for (Index row = first; row < rows_; ++row, ++count) {
        std::string_view line;
        if (!next_line(line)) refuse_missing(count);
        const double value = value_of(next_word(line));
        require_end(line, "one value on a line");
        matrix(row, column) = value;
        if (symmetry_ != Symmetry::general) matrix(column, row) = symmetry_ == Symmetry::skew ? -value : value;
      }
    }
    if (std::string_view line; next_line(line)) {
      refuse_here(counted(entries_, "line") + " of entries", "one more", "correct the size line");
    }
    return matrix;
  }

  const TextSource& source_;
  LineCursor lines_;
  bool coordinate_ = true;
  bool pattern_ = false;
  bool integer_ = false;
  Symmetry symmetry_ = Symmetry::general;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t entries_ = 0;  ///< that the file is to hold
};

}  // namespace

data::Matrix parse_matrix_market(const TextSource& source) { return MatrixMarketParser(source).parse(); }

}  // namespace fcbio::io
