#include "io/npy_header.hpp"

#include <limits>
#include <optional>

namespace fcbio::io {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr const char* kSaveAgain = "write it with numpy.save of a real 1-D or 2-D array";
constexpr std::string_view kKnownTypes[] = {"f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1"};

/// A reader of the one Python literal that occurs here: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4),
/// }
class HeaderScanner {
 public:
  HeaderScanner(const TextSource& source, std::string_view text) : source_(source), text_(text) {}

  NpyHeader scan() {
    NpyHeader header;
    bool has_type = false;
    bool has_order = false;
    bool has_shape = false;
    require('{');
    while (!accept('}')) {
      const std::string_view key = quoted_text();
      require(':');
      if (key == "descr" && !has_type) {
        set_type(header);
        has_type = true;
      } else if (key == "fortran_order" && !has_order) {
        header.column_major = truth();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        header.shape = tuple();
        has_shape = true;
      } else {
        damaged();
      }
      if (!accept(',')) {
        require('}');
        break;
      }
    }
    skip_blanks();
    if (!text_.empty() || !has_type || !has_order || !has_shape) damaged();
    return header;
  }

 private:
  [[noreturn]] void damaged() const {
    refuse(source_, 0, "an NPY header with descr, fortran_order and shape", "a header that is not well formed",
           kSaveAgain);
  }

  void skip_blanks() {
    while (!text_.empty() && (is_blank(text_.front()) || text_.front() == '\n')) text_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_blanks();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void require(char c) {
    if (!accept(c)) damaged();
  }
  bool accept_word(std::string_view word) {
    skip_blanks();
    if (text_.substr(0, word.size()) != word) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::string_view quoted_text() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') require('\'');
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) damaged();
    const std::string_view inside = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return inside;
  }

  bool truth() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) damaged();
    return false;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> sizes;
    require('(');
    while (!accept(')')) {
      sizes.push_back(size());
      if (!accept(',')) {
        require(')');
        break;
      }
    }
    return sizes;
  }

  std::int64_t size() {
    constexpr std::int64_t kCeiling = std::numeric_limits<std::int64_t>::max() / 10 - 1;
    skip_blanks();
    std::int64_t value = 0;
    std::size_t digits = 0;
    for (; digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9'; ++digits) {
      if (value > kCeiling) damaged();
      value = 10 * value + (text_[digits] - '0');
    }
    if (digits == 0) damaged();
    text_.remove_prefix(digits);
    accept_word("L");  // as Python 2 wrote it
    return value;
  }

  void set_type(NpyHeader& header) {
    skip_blanks();
    if (!text_.empty() && text_.front() == '[') {
      refuse(source_, 0, "an array of real numbers", "an array of records", kSaveAgain);
    }
    const std::string_view type = quoted_text();
    if (type.size() == 3) {
      for (const std::string_view known : kKnownTypes) {
        const bool order_known = type[0] == '<' || type[0] == '>' || (type[0] == '|' && known[1] == '1');
        if (type.substr(1) != known || !order_known) continue;
        header.order = type[0];
        header.kind = known[0];
        header.item_size = static_cast<std::size_t>(known[1] - '0');
        return;
      }
    }
    refuse(source_, 0, "an array of float64, float32, integers or bool",
           "numbers of the NumPy type " + in_quotes(type), "convert it with .astype(float) and save it again");
  }

  const TextSource& source_;
  std::string_view text_;
};

}  // namespace

NpyHeader parse_npy_header(const TextSource& source) {
  const std::string_view bytes = source.text;
  if (bytes.substr(0, kMagic.size()) != kMagic) {
    refuse(source, 0, "an NPY file", "other data (no NPY signature at its beginning)", kSaveAgain);
  }
  const auto byte_at = [bytes](std::size_t i) {
    return i < bytes.size() ? static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) : 0;
  };
  const std::size_t version = byte_at(kMagic.size());
  if (bytes.size() > kMagic.size() && (version < 1 || version > 3)) {
    refuse(source, 0, "NPY version 1, 2 or 3", "version " + std::to_string(version), kSaveAgain);
  }
  const std::size_t length_at = kMagic.size() + 2;
  const std::size_t length_size = version == 1 ? 2 : 4;
  const std::size_t header_at = length_at + length_size;
  std::size_t length = 0;
  for (std::size_t i = length_size; i-- > 0;) length = 256 * length + byte_at(length_at + i);
  if (bytes.size() < header_at || bytes.size() - header_at < length) {
    refuse(source, 0, "a complete NPY header", "that the file ends too early", "copy or download it again");
  }
  NpyHeader header = HeaderScanner(source, bytes.substr(header_at, length)).scan();
  header.data_start = header_at + length;
  if (header.shape.empty() || header.shape.size() > 2) {
    refuse(source, 0, "an array of 1 or 2 dimensions", std::to_string(header.shape.size()) + " dimensions",
           "reshape the array and save it again");
  }
  return header;
}

}  // namespace fcbio::io
