#include "io/text_source.hpp"

#include <cstring>
#include <utility>

namespace fcbio::io {

namespace {
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kShownCharacters = 40;
}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  return text;
}

LineCursor::LineCursor(std::string_view text) {
  text = without_byte_order_mark(text);
  position_ = text.data();
  last_ = text.data() + text.size();
}

void LineCursor::advance(std::string_view& line) {
  const std::size_t left = static_cast<std::size_t>(last_ - position_);
  const char* const feed = static_cast<const char*>(std::memchr(position_, '\n', left));
  const char* const end = feed != nullptr ? feed : last_;
  line = std::string_view(position_, static_cast<std::size_t>(end - position_));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  position_ = feed != nullptr ? feed + 1 : last_;
  ++number_;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view next_word(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  std::size_t length = 0;
  while (length < rest.size() && !is_blank(rest[length])) ++length;
  const std::string_view word = rest.substr(0, length);
  rest.remove_prefix(length);
  return word;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string in_quotes(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string result = "'";
  for (const char c : text.substr(0, kShownCharacters)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      result += c;
    } else {
      result += "\\x";
      result += kHex[byte >> 4];
      result += kHex[byte & 15];
    }
  }
  if (text.size() > kShownCharacters) result += "...";
  return result + "'";
}

std::string counted(std::int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

void refuse(const TextSource& source, std::int64_t line, std::string expected, std::string found,
            std::string remedy) {
  throw InputError({source.name, line, std::move(expected), std::move(found), std::move(remedy)});
}

void refuse_number(const TextSource& source, std::int64_t line, std::string_view field, NumberKind kind,
                   const std::string& where) {
  std::string found = field.empty() ? "an empty field" : in_quotes(field);
  switch (kind) {
    case NumberKind::not_finite:
      refuse(source, line, "a finite number" + where, std::move(found),
             "remove or replace entries that are not finite");
    case NumberKind::overflow:
      refuse(source, line, "a number that double precision can hold" + where, std::move(found),
             "rescale the data");
    case NumberKind::malformed:
    case NumberKind::finite:
      break;
  }
  refuse(source, line, "a number" + where, std::move(found), "write numbers like -1.5 or 2e-3");
}

double required_number(const TextSource& source, std::int64_t line, std::string_view field) {
  const NumberText number = whole_number(field);
  if (number.kind != NumberKind::finite) refuse_number(source, line, field, number.kind);
  return number.value;
}

}  // namespace fcbio::io
