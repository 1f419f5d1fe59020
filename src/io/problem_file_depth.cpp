#include "io/problem_file_depth.hpp"

namespace fcbio::io {
namespace {

// Where the string that begins at `at` ends: behind its closing quotes.  Correct for every correct string; behind
// an incorrect one the TOML library reads nothing either.
std::size_t string_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool escapes = quote == '"';
  const bool long_string = text.substr(at, 3) == std::string(3, quote);
  std::size_t i = at + (long_string ? 3 : 1);
  for (; i < text.size(); ++i) {
    if (escapes && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote && !long_string) {
      return i + 1;
    } else if (text[i] == '\n' && !long_string) {
      return i;
    } else if (long_string && text.substr(i, 3) == std::string(3, quote)) {
      i += 3;
      for (int more = 0; more < 2 && i < text.size() && text[i] == quote; ++more) ++i;  // quotes before the end
      return i;
    }
  }
  return text.size();
}

}  // namespace

void refuse_deep_keys(const TextSource& source) {
  const std::string_view text = source.text;
  std::int64_t line = 1;
  int dots = 0;  // since a key could have begun
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = string_end(text, i);
      for (; i < end; ++i) line += text[i] == '\n' ? 1 : 0;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '.') ++dots;
    if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}') dots = 0;
    if (dots > kMostDots)
      refuse(source, line, "a key with at most " + counted(kMostDots, "dot"), "one with more",
             "see docs/problem-files.md for the keys of a problem file");
    line += c == '\n' ? 1 : 0;
    ++i;
  }
}

}  // namespace fcbio::io
