// Reading CSV.  A field that is a plain number is read in place; any other goes through take(), which knows about
// quotes, so that there is one definition of a field.
#include <algorithm>
#include <cstdint>

#include "io/csv.hpp"

namespace fcbio::io {

namespace {

struct CsvField {
  std::string_view text;  ///< without quotes and outer blanks; valid until the next field is taken
  bool closed = true;     ///< false: a quote is not closed, or has text behind it
};

/// Walks over the fields of a text, row by row.
class FieldCursor {
 public:
  explicit FieldCursor(std::string_view text) : position_(text.data()), end_(text.data() + text.size()) {}

  void set_separator(char separator) { separator_ = separator; }
  bool at_end() const { return position_ == end_; }
  /// Whether the field last taken was the last of its row.
  bool row_done() const { return row_done_; }
  std::int64_t line() const { return line_; }              ///< in which the next field begins, from 1
  std::int64_t field_line() const { return field_line_; }  ///< in which the field last taken began

  /// At the beginning of a row: steps over a line of blanks.
  bool take_blank_line() {
    const char* p = position_;
    while (p != end_ && is_blank(*p)) ++p;
    if (p != end_ && *p != '\n') return false;
    step_over(p);
    return true;
  }

  /// The row that begins here, as far as its quotes are closed.
  std::string_view whole_row() const {
    bool inside_quotes = false;
    const char* p = position_;
    for (; p != end_ && (inside_quotes || *p != '\n'); ++p) inside_quotes = inside_quotes != (*p == '"');
    return {position_, static_cast<std::size_t>(p - position_)};
  }

  /// The fast way: true if the next field is an unquoted finite number, which is then taken.
  bool take_number(double& value) {
    const char* p = skip_blanks(position_);
    const NumberText number = read_number(p, end_);
    if (number.kind != NumberKind::finite) return false;
    p = skip_blanks(number.end);
    if (!ends_field(p)) return false;
    value = number.value;
    field_line_ = line_;
    step_over(p);
    return true;
  }

  CsvField take() {
    field_line_ = line_;
    const char* p = skip_blanks(position_);
    if (p != end_ && *p == '"') return take_quoted(p + 1);
    const char* const stop = field_end(p);
    const CsvField field{trimmed({p, static_cast<std::size_t>(stop - p)}), true};
    step_over(stop);
    return field;
  }

 private:
  bool ends_field(const char* p) const { return p == end_ || *p == separator_ || *p == '\n'; }
  const char* field_end(const char* p) const {
    while (!ends_field(p)) ++p;
    return p;
  }
  const char* skip_blanks(const char* p) const {
    while (p != end_ && is_blank(*p) && *p != separator_) ++p;
    return p;
  }

  void step_over(const char* stop) {
    row_done_ = stop == end_ || *stop == '\n';
    if (stop != end_ && row_done_) ++line_;
    position_ = stop == end_ ? end_ : stop + 1;
  }

  CsvField take_quoted(const char* p) {
    unquoted_.clear();
    bool closed = false;
    while (p != end_ && !closed) {
      if (*p != '"') {
        if (*p == '\n') ++line_;
        unquoted_ += *p++;
      } else if (p + 1 != end_ && p[1] == '"') {
        unquoted_ += '"';
        p += 2;
      } else {
        closed = true;
        ++p;
      }
    }
    p = skip_blanks(p);
    closed = closed && ends_field(p);
    step_over(field_end(p));
    return {unquoted_, closed};
  }

  const char* position_;
  const char* end_;
  char separator_ = ',';
  bool row_done_ = false;
  std::int64_t line_ = 1, field_line_ = 1;
  std::string unquoted_;
};

char find_separator(std::string_view row) {
  for (const char candidate : {';', ',', '\t'}) {
    bool inside_quotes = false;
    for (const char c : row) {
      if (c == '"') inside_quotes = !inside_quotes;
      if (c == candidate && !inside_quotes) return candidate;
    }
  }
  return ',';
}

enum class Texts : std::uint8_t { refused, kept };

class CsvParser {
 public:
  CsvParser(const TextSource& source, std::optional<char> separator, Texts texts)
      : source_(source),
        fields_(without_byte_order_mark(source.text)),
        separator_(separator),
        texts_wanted_(texts) {}

  CsvTable parse() {
    while (!fields_.at_end() && fields_.take_blank_line()) {
    }
    if (fields_.at_end()) refuse_empty();
    first_line_ = fields_.line();
    fields_.set_separator(separator_ ? *separator_ : find_separator(fields_.whole_row()));
    read_first_row();

    std::int64_t blank_line = 0;
    while (!fields_.at_end()) {
      const std::int64_t line = fields_.line();
      if (fields_.take_blank_line()) {
        if (blank_line == 0) blank_line = line;
        continue;
      }
      if (blank_line > 0) {
        refuse(source_, blank_line, counted(columns_, "field") + " as in line " + std::to_string(first_line_),
               "a blank line", "remove blank lines between rows");
      }
      read_row();
    }
    if (numbers_.empty()) refuse_empty();

    CsvTable table;
    const auto rows = static_cast<Index>(numbers_.size()) / columns_;
    table.data.matrix = Eigen::Map<const RowMajorMatrix>(numbers_.data(), rows, columns_);
    table.data.column_names = std::move(names_);
    table.texts = std::move(texts_);
    return table;
  }

 private:
  [[noreturn]] void refuse_empty() {
    refuse(source_, 0, "rows of numbers", names_.empty() ? "none" : "a header only",
           "check how the file was made");
  }

  CsvField take_field() {
    const CsvField field = fields_.take();
    if (!field.closed) {
      refuse(source_, fields_.field_line(), "a quoted field that ends with a quote before the separator",
             in_quotes(field.text), "close the quotes and write \"\" for a quote inside");
    }
    return field;
  }

  /// The header if no field is a number, the first data if all are.
  void read_first_row() {
    std::string number;
    std::string word;
    bool has_number = false;
    bool has_word = false;
    const FieldCursor begin = fields_;
    do {
      const CsvField field = take_field();
      const bool is_number = whole_number(field.text).kind != NumberKind::malformed;
      if (is_number && !has_number) number = field.text;
      if (!is_number && !has_word) word = field.text;
      has_number = has_number || is_number;
      has_word = has_word || !is_number;
      names_.emplace_back(field.text);
      ++columns_;
    } while (!fields_.row_done());
    if (has_number && has_word) {
      refuse(source_, first_line_, "a first row of numbers only (data) or of names only (a header)",
             "the number " + in_quotes(number) + " and " + (word.empty() ? "an empty field" : in_quotes(word)),
             "give every column a name that is not a number, or remove the header");
    }
    if (has_number) {
      names_.clear();
      fields_ = begin;
      read_row();
    }
    const auto line_count =
        static_cast<std::size_t>(std::count(source_.text.begin(), source_.text.end(), '\n')) + 1;
    const std::size_t most_fields = source_.text.size() / 2 + 1;
    numbers_.reserve(std::min(most_fields, line_count * static_cast<std::size_t>(columns_)));
  }

  void read_row() {
    const std::int64_t line = fields_.line();
    Index count = 0;
    do {
      double value = 0.0;
      if (!fields_.take_number(value)) value = read_other(count);
      numbers_.push_back(value);
      ++count;
    } while (!fields_.row_done());
    if (count != columns_) {
      refuse(source_, line, counted(columns_, "field") + " as in line " + std::to_string(first_line_),
             counted(count, "field"), "give every row the same number of fields");
    }
    ++rows_;
  }

  /// A number in quotes, or 0 for a text.
  double read_other(Index column) {
    const CsvField field = take_field();
    const NumberText number = whole_number(field.text);
    if (number.kind == NumberKind::finite) return number.value;
    if (texts_wanted_ == Texts::refused) {
      const bool named = static_cast<std::size_t>(column) < names_.size();
      refuse_number(source_, fields_.field_line(), field.text, number.kind,
                    named ? " in column " + in_quotes(names_[static_cast<std::size_t>(column)]) : "");
    }
    texts_.push_back({rows_, column, fields_.field_line(), std::string(field.text)});
    return 0.0;
  }

  const TextSource& source_;
  FieldCursor fields_;
  std::optional<char> separator_;
  Texts texts_wanted_;
  std::int64_t first_line_ = 0;
  Index columns_ = 0, rows_ = 0;
  std::vector<std::string> names_;
  std::vector<double> numbers_;
  std::vector<TextCell> texts_;
};

}  // namespace

CsvData parse_csv(const TextSource& source, std::optional<char> separator) {
  return CsvParser(source, separator, Texts::refused).parse().data;
}

CsvTable parse_csv_table(const TextSource& source, std::optional<char> separator) {
  return CsvParser(source, separator, Texts::kept).parse();
}

}  // namespace fcbio::io
