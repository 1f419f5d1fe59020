// Reading CSV.  A field that is a plain number is read in place; any other goes through the splitter, which knows
// about quotes, so that there is one definition of a field.
#include <algorithm>
#include <cstdint>

#include "io/csv.hpp"

namespace fcbio::io {

namespace {

struct CsvField {
  std::string_view text;  ///< without quotes and outer blanks; valid until the next field is taken
  bool closed = true;     ///< false: a quote is not closed on its line, or has text behind it
};

/// Cuts one line into fields.
class Splitter {
 public:
  Splitter(std::string_view line, char separator)
      : position_(line.data()), end_(line.data() + line.size()), separator_(separator) {}

  bool done() const { return done_; }

  /// The fast way: true if the next field is an unquoted finite number, which is then taken.
  bool take_number(double& value) {
    const char* p = skip_blanks(position_);
    const NumberText number = read_number(p, end_);
    if (number.kind != NumberKind::finite) return false;
    p = skip_blanks(number.end);
    if (p != end_ && *p != separator_) return false;
    value = number.value;
    step_over(p);
    return true;
  }

  CsvField take() {
    const char* p = skip_blanks(position_);
    if (p != end_ && *p == '"') return take_quoted(p + 1);
    const char* const stop = std::find(p, end_, separator_);
    const CsvField field{trimmed({p, static_cast<std::size_t>(stop - p)}), true};
    step_over(stop);
    return field;
  }

 private:
  const char* skip_blanks(const char* p) const {
    while (p != end_ && is_blank(*p) && *p != separator_) ++p;
    return p;
  }

  void step_over(const char* stop) {
    done_ = stop == end_;
    position_ = done_ ? end_ : stop + 1;
  }

  CsvField take_quoted(const char* p) {
    unquoted_.clear();
    bool closed = false;
    while (p != end_ && !closed) {
      if (*p != '"') {
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
    closed = closed && (p == end_ || *p == separator_);
    step_over(std::find(p, end_, separator_));
    return {unquoted_, closed};
  }

  const char* position_;
  const char* end_;
  char separator_;
  bool done_ = false;
  std::string unquoted_;
};

char find_separator(std::string_view line) {
  for (const char candidate : {';', ',', '\t'}) {
    bool inside_quotes = false;
    for (const char c : line) {
      if (c == '"') inside_quotes = !inside_quotes;
      if (c == candidate && !inside_quotes) return candidate;
    }
  }
  return ',';
}

class CsvParser {
 public:
  explicit CsvParser(const TextSource& source) : source_(source), lines_(source.text) {}

  CsvData parse() {
    std::string_view line;
    bool found = false;
    while (!found && lines_.next(line)) found = !trimmed(line).empty();
    if (!found) refuse_empty();
    first_line_ = lines_.number();
    separator_ = find_separator(line);
    read_first_row(line);

    std::int64_t blank_line = 0;
    while (lines_.next(line)) {
      if (trimmed(line).empty()) {
        if (blank_line == 0) blank_line = lines_.number();
        continue;
      }
      if (blank_line > 0) {
        refuse(source_, blank_line, counted(columns_, "field") + " as in line " + std::to_string(first_line_),
               "a blank line", "remove blank lines between rows");
      }
      read_row(line);
    }
    if (numbers_.empty()) refuse_empty();

    CsvData data;
    const auto rows = static_cast<Index>(numbers_.size()) / columns_;
    data.matrix = Eigen::Map<const RowMajorMatrix>(numbers_.data(), rows, columns_);
    data.column_names = std::move(names_);
    return data;
  }

 private:
  [[noreturn]] void refuse_empty() {
    refuse(source_, 0, "rows of numbers", names_.empty() ? "none" : "a header only",
           "check how the file was made");
  }

  CsvField take_field(Splitter& fields) {
    const CsvField field = fields.take();
    if (!field.closed) {
      refuse(source_, lines_.number(), "a quoted field that ends with a quote before the separator",
             in_quotes(field.text), "close quotes on the same line and write \"\" for a quote inside");
    }
    return field;
  }

  /// The header if no field is a number, the first data if all are.
  void read_first_row(std::string_view line) {
    std::string number;
    std::string word;
    bool has_number = false;
    bool has_word = false;
    Splitter fields(line, separator_);
    for (; !fields.done(); ++columns_) {
      const CsvField field = take_field(fields);
      const bool is_number = whole_number(field.text).kind != NumberKind::malformed;
      if (is_number && !has_number) number = field.text;
      if (!is_number && !has_word) word = field.text;
      has_number = has_number || is_number;
      has_word = has_word || !is_number;
      names_.emplace_back(field.text);
    }
    if (has_number && has_word) {
      refuse(source_, lines_.number(), "a first row of numbers only (data) or of names only (a header)",
             "the number " + in_quotes(number) + " and " + (word.empty() ? "an empty field" : in_quotes(word)),
             "give every column a name that is not a number, or remove the header");
    }
    if (has_number) {
      names_.clear();
      read_row(line);
    }
    const auto line_count =
        static_cast<std::size_t>(std::count(source_.text.begin(), source_.text.end(), '\n')) + 1;
    const std::size_t most_fields = source_.text.size() / 2 + 1;
    numbers_.reserve(std::min(most_fields, line_count * static_cast<std::size_t>(columns_)));
  }

  void read_row(std::string_view line) {
    Index count = 0;
    for (Splitter fields(line, separator_); !fields.done(); ++count) {
      double value = 0.0;
      if (!fields.take_number(value)) value = required_number(source_, lines_.number(), take_field(fields).text);
      numbers_.push_back(value);
    }
    if (count != columns_) {
      refuse(source_, lines_.number(), counted(columns_, "field") + " as in line " + std::to_string(first_line_),
             counted(count, "field"), "give every row the same number of fields");
    }
  }

  const TextSource& source_;
  LineCursor lines_;
  std::int64_t first_line_ = 0;
  char separator_ = ',';
  Index columns_ = 0;
  std::vector<std::string> names_;
  std::vector<double> numbers_;
};

}  // namespace

CsvData parse_csv(const TextSource& source) { return CsvParser(source).parse(); }

}  // namespace fcbio::io
