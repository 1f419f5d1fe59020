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

/// The rows of one block of text.
class LibsvmParser {
 public:
  LibsvmParser(const std::string& name, LibsvmRows& rows) : source_{{}, name}, rows_(rows) {}

  /// The number of lines.
  std::int64_t parse(const TextBlock& block) {
    const auto pairs = static_cast<std::size_t>(std::count(block.text.begin(), block.text.end(), ':'));
    rows_.columns.reserve(pairs);
    rows_.values.reserve(pairs);
    LineCursor lines = block.first ? LineCursor(block.text) : LineCursor(block.text, block.lines_before);
    for (std::string_view line; lines.next(line);) parse_line(without_comment(line), lines.number());
    return lines.number() - block.lines_before;
  }

 private:
  void parse_line(std::string_view line, std::int64_t number) {
    const std::string_view label = next_word(line);
    if (label.empty()) return;
    if (label.find(':') != std::string_view::npos) {
      refuse(source_, number, "a label before the index:value pairs", in_quotes(label),
             "begin each row with its label or target");
    }
    rows_.labels.push_back(required_number(source_, number, label));
    skip_query(line, number);
    parse_pairs(line.data(), line.data() + line.size(), number);
    rows_.ends.push_back(static_cast<std::int64_t>(rows_.values.size()));
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
      rows_.columns.push_back(static_cast<std::int32_t>(index - 1));
      rows_.values.push_back(value.value);
      p = value.end;
      previous = index;
    }
    rows_.largest_index = std::max(rows_.largest_index, static_cast<std::int64_t>(previous));
  }

  const TextSource source_;  // its name, for messages
  LibsvmRows& rows_;
};

/// Puts rows behind each other.
class LibsvmCollector {
 public:
  explicit LibsvmCollector(std::uint64_t text_size) : text_size_(text_size) { data_.matrix.starts.push_back(0); }

  void add(LibsvmRows rows) {
    CsrMatrix& matrix = data_.matrix;
    if (labels_.empty()) make_room(rows);
    const std::int64_t before = matrix.starts.back();
    for (const std::int64_t end : rows.ends) matrix.starts.push_back(before + end);
    labels_.insert(labels_.end(), rows.labels.begin(), rows.labels.end());
    matrix.columns.insert(matrix.columns.end(), rows.columns.begin(), rows.columns.end());
    matrix.values.insert(matrix.values.end(), rows.values.begin(), rows.values.end());
    matrix.cols = std::max<Index>(matrix.cols, rows.largest_index);
  }

  LibsvmData finish() {
    data_.matrix.rows = static_cast<Index>(labels_.size());
    data_.labels = Eigen::Map<const Vector>(labels_.data(), data_.matrix.rows);
    return std::move(data_);
  }

 private:
  /// The text goes on as it begins, as a rule: then nothing is moved while it grows.
  void make_room(const LibsvmRows& first) {
    if (text_size_ <= kTextBlock) return;
    const double blocks = 1.05 * static_cast<double>(text_size_) / static_cast<double>(kTextBlock);
    const auto room = [blocks](std::size_t count) {
      return static_cast<std::size_t>(blocks * static_cast<double>(count));
    };
    data_.matrix.starts.reserve(room(first.labels.size()));
    labels_.reserve(room(first.labels.size()));
    data_.matrix.columns.reserve(room(first.values.size()));
    data_.matrix.values.reserve(room(first.values.size()));
  }

  std::uint64_t text_size_;
  LibsvmData data_;
  std::vector<double> labels_;
};

}  // namespace

void parse_libsvm_rows(TextBlocks& text, const std::function<void(LibsvmRows&&)>& take) {
  parse_blocks<LibsvmRows>(
      text,
      [&text](const TextBlock& block, LibsvmRows& rows) { return LibsvmParser(text.name(), rows).parse(block); },
      take);
}

void read_libsvm(TextBlocks& text, const std::function<void(LibsvmRows&&)>& take) {
  bool any_row = false, any_pair = false;
  parse_libsvm_rows(text, [&](LibsvmRows&& rows) {
    any_row = any_row || !rows.labels.empty();
    any_pair = any_pair || !rows.values.empty();
    take(std::move(rows));
  });
  require_libsvm_rows(text.name(), any_row, any_pair);
}

void require_libsvm_rows(const std::string& name, bool any_row, bool any_pair) {
  const TextSource source{{}, name};
  if (!any_row)
    refuse(source, 0, "rows of the form: label index:value ...", "none", "check how the file was made");
  if (!any_pair) refuse(source, 0, "index:value pairs", "labels only", "check how the file was made");
}

LibsvmData read_libsvm(TextBlocks& text) {
  LibsvmCollector collector(text.size());
  read_libsvm(text, [&collector](LibsvmRows&& rows) { collector.add(std::move(rows)); });
  return collector.finish();
}

LibsvmData parse_libsvm(const TextSource& source) {
  MemoryBlocks text(source);
  return read_libsvm(text);
}

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
