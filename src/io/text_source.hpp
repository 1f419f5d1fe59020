// What the text formats share: a text with a name, its lines and fields, and refusals that quote it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/input_error.hpp"
#include "io/number.hpp"

namespace fcbio::io {

/// The decompressed bytes of a file (or of a test, or of a fuzzer), and the name shown in messages.
struct TextSource {
  std::string_view text;
  std::string name;
};

/// The text behind a UTF-8 byte order mark, where it begins with one.
std::string_view without_byte_order_mark(std::string_view text);

/// Walks over lines that end in \n or \r\n; the last one may lack its end.  A UTF-8 byte order mark is skipped.
class LineCursor {
 public:
  explicit LineCursor(std::string_view text);
  /// Within a text, behind so many of its lines.
  LineCursor(std::string_view text, std::int64_t lines_before)
      : position_(text.data()), last_(text.data() + text.size()), number_(lines_before) {}
  /// False at the end of the text.  The line has no end-of-line characters.
  bool next(std::string_view& line) {
    if (position_ == last_) return false;
    advance(line);
    return true;
  }
  std::int64_t number() const { return number_; }  ///< of the line last returned, from 1

 private:
  void advance(std::string_view& line);
  const char* position_;
  const char* last_;
  std::int64_t number_ = 0;
};

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
std::string_view trimmed(std::string_view text);
/// Takes the next blank-separated word off the front of `rest`; empty when there is none.
std::string_view next_word(std::string_view& rest);
std::string lower_case(std::string_view text);

/// The text in single quotes, shortened, with unprintable bytes as \xNN: safe to show.
std::string in_quotes(std::string_view text);
/// "1 column", "3 columns".
std::string counted(std::int64_t count, std::string_view noun);

/// Throws InputError about a line (0: about the file).
[[noreturn]] void refuse(const TextSource& source, std::int64_t line, std::string expected, std::string found,
                         std::string remedy);
/// The same for a field that should have been a finite number; `kind` says what was wrong with it, `where` (" in
/// column 'age'") where it was expected.
[[noreturn]] void refuse_number(const TextSource& source, std::int64_t line, std::string_view field,
                                NumberKind kind, const std::string& where = {});
/// The field as a finite number, or a refusal.
double required_number(const TextSource& source, std::int64_t line, std::string_view field);

}  // namespace fcbio::io
