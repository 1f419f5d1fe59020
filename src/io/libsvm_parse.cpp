// Reading LIBSVM text.  The usual pair is read in one sweep over its characters; only a pair that is not as it
// should be is looked at again, to say what is wrong with it.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "io/libsvm.hpp"

namespace fcbio::io {

namespace {

constexpr std::uint64_t kLargestIndex = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kIndexDigits = 18;  // no overflow of 64 bits up to here
constexpr std::string_view kQuery = "qid:";

std::string_view without_comment(std::string_view line) {
  const void* const mark = line.empty() ? nullptr : std::memchr(line.data(), '#', line.size());
  if (mark == nullptr) return line;
  return line.substr(0, static_cast<std::size_t>(static_cast<const char*>(mark) - line.data()));
}

bool is_integer(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

/// `word` is not a good pair behind the index `previous`: says why.
[[noreturn]] void refuse_pair(const TextSource& source, std::int64_t line, std::string_view word,
                              std::uint64_t previous) {
  const std::size_t colon = word.find(':');
  const std::string_view index_text = word.substr(0, colon);
  if (colon == std::string_view::npos || !is_integer(index_text)) {
    refuse(source, line, "index:value with a whole number as index", in_quotes(word),
           "write each row as: label index:value index:value ...");
  }
  std::uint64_t index = 0;
  for (const char c : index_text) {
    if (index <= kLargestIndex) index = 10 * index + static_cast<std::uint64_t>(c - '0');
  }
  if (index == 0) {
    refuse(source, line, "an index of at least 1", in_quotes(word),
           "LIBSVM indices count from 1: add 1 to every index of the file");
  }
  if (index > kLargestIndex || index_text.size() > kIndexDigits) {
    refuse(source, line, "an index of at most " + std::to_string(kLargestIndex), in_quotes(word),
           "number the features from 1 without large gaps");
  }
  if (index <= previous) {
    refuse(source, line, "an index above " + std::to_string(previous), in_quotes(word),
           "sort each row by index and give each index once");
  }
  const std::string_view value = word.substr(colon + 1);
  refuse_number(source, line, value, whole_number(value).kind);
}

class LibsvmParser {
 public:
  explicit LibsvmParser(const TextSource& source) : source_(source) {
    const auto pairs = static_cast<std::size_t>(std::count(source.text.begin(), source.text.end(), ':'));
    data_.matrix.columns.reserve(pairs);
    data_.matrix.values.reserve(pairs);
    data_.matrix.starts.push_back(0);
  }

  LibsvmData parse() {
    LineCursor lines(source_.text);
    for (std::string_view line; lines.next(line);) parse_line(without_comment(line), lines.number());

    if (labels_.empty()) {
      refuse(source_, 0, "rows of the form: label index:value ...", "none", "check how the file was made");
    }
    if (data_.matrix.values.empty()) {
      refuse(source_, 0, "index:value pairs", "labels only", "check how the file was made");
    }
    data_.matrix.rows = static_cast<Index>(labels_.size());
    data_.matrix.cols = static_cast<Index>(largest_index_);
    data_.labels = Eigen::Map<const Vector>(labels_.data(), data_.matrix.rows);
    return std::move(data_);
  }

 private:
  void parse_line(std::string_view line, std::int64_t number) {
    const std::string_view label = next_word(line);
    if (label.empty()) return;
    if (label.find(':') != std::string_view::npos) {
      refuse(source_, number, "a label before the index:value pairs", in_quotes(label),
             "begin each row with its label or target");
    }
    labels_.push_back(required_number(source_, number, label));
    skip_query(line, number);
    parse_pairs(line.data(), line.data() + line.size(), number);
    data_.matrix.starts.push_back(static_cast<std::int64_t>(data_.matrix.values.size()));
  }

  void skip_query(std::string_view& line, std::int64_t number) {
    std::string_view rest = line;
    const std::string_view word = next_word(rest);
    if (word.substr(0, kQuery.size()) != kQuery) return;
    if (!is_integer(word.substr(kQuery.size()))) {
      refuse(source_, number, "qid: with a whole number", in_quotes(word), "correct or remove the query number");
    }
    line = rest;
  }

  void parse_pairs(const char* p, const char* end, std::int64_t number) {
    std::uint64_t previous = 0;
    for (;;) {
      while (p != end && is_blank(*p)) ++p;
      if (p == end) break;
      const char* const word = p;
      std::uint64_t index = 0;  // wraps for long indices, which are refused
      while (p != end && is_digit(*p)) index = 10 * index + static_cast<std::uint64_t>(*p++ - '0');
      const auto digits = static_cast<std::size_t>(p - word);
      NumberText value;
      if (digits <= kIndexDigits && index > previous && index <= kLargestIndex && p != end && *p == ':') {
        value = read_number(p + 1, end);
      }
      if (value.kind != NumberKind::finite || (value.end != end && !is_blank(*value.end))) {
        std::string_view rest(word, static_cast<std::size_t>(end - word));
        refuse_pair(source_, number, next_word(rest), previous);
      }
      data_.matrix.columns.push_back(static_cast<std::int32_t>(index - 1));
      data_.matrix.values.push_back(value.value);
      p = value.end;
      previous = index;
    }
    largest_index_ = std::max(largest_index_, previous);
  }

  const TextSource& source_;
  LibsvmData data_;
  std::vector<double> labels_;
  std::uint64_t largest_index_ = 0;
};

}  // namespace

LibsvmData parse_libsvm(const TextSource& source) { return LibsvmParser(source).parse(); }

bool looks_like_libsvm(std::string_view text) {
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    line = without_comment(line);
    const std::string_view label = next_word(line);
    if (label.empty()) continue;
    std::string_view pair = next_word(line);
    if (pair.substr(0, kQuery.size()) == kQuery) pair = next_word(line);
    const std::size_t colon = pair.find(':');
    return whole_number(label).kind != NumberKind::malformed && colon != std::string_view::npos &&
           is_integer(pair.substr(0, colon)) && whole_number(pair.substr(colon + 1)).kind != NumberKind::malformed;
  }
  return false;
}

}  // namespace fcbio::io
