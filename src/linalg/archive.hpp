// The state of an object as bytes, and back.  A class lists its state once, for both directions,
//     void archive(Archive& archive) { archive(x_, weights_, steps_); }
// so that what is saved and what is restored cannot differ.  Structs of the public interface are listed in
// core/state.hpp as  void archive_fields(Archive&, Struct&).
//
// Numbers are stored as the machine has them: the bits come back.  What is known from the problem alone, or is
// written before it is read, need not be listed.
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "fcbio/per_level.hpp"

namespace fcbio {

/// Bytes that end too early, or are not those of this object.
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Archive {
 public:
  /// Writes.
  Archive() = default;
  /// Reads; the bytes must outlive it.
  explicit Archive(std::string_view bytes) : rest_(bytes), is_reading_(true) {}

  bool is_reading() const { return is_reading_; }
  template <class... Fields>
  void operator()(Fields&... fields) {
    (field(fields), ...);
  }
  /// Of a matrix with room for more, the columns in use; the others are left as they are.
  void leading_columns(Eigen::MatrixXd& matrix, Index count) {
    if (count > matrix.cols()) throw ArchiveError("more columns than there is room for");
    raw(matrix.data(), static_cast<std::size_t>(matrix.rows() * count) * sizeof(double));
  }

  const std::string& written() const { return written_; }
  /// Begins again; keeps its memory.
  void clear() { written_.clear(); }
  bool is_exhausted() const { return rest_.empty(); }

 private:
  template <class Field>
  void field(Field& value) {
    if constexpr (std::is_arithmetic_v<Field> || std::is_enum_v<Field>)
      raw(&value, sizeof(value));
    else if constexpr (requires { value.archive(*this); })
      value.archive(*this);
    else
      archive_fields(*this, value);
  }
  template <class Number, int kRows, int kCols, int kOptions>
  void field(Eigen::Matrix<Number, kRows, kCols, kOptions>& matrix) {
    Index rows = matrix.rows(), cols = matrix.cols();
    (*this)(rows, cols);
    if (is_reading_) {
      const std::size_t most = rest_.size() / sizeof(Number);
      const auto high = static_cast<std::size_t>(rows), wide = static_cast<std::size_t>(cols);
      if (rows < 0 || cols < 0 || (cols > 0 && high > most / wide))
        throw ArchiveError("a matrix that is larger than all there is");
      matrix.resize(rows, cols);
    }
    raw(matrix.data(), static_cast<std::size_t>(rows * cols) * sizeof(Number));
  }
  void field(std::string& text) {
    text.resize(count(text.size()));
    raw(text.data(), text.size());
  }
  template <class Item>
  void field(std::vector<Item>& list) {
    list.resize(count(list.size()));
    for (Item& item : list) field(item);
  }
  void field(std::vector<bool>& list) {
    list.resize(count(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) {
      bool item = list[i];
      field(item);
      list[i] = item;
    }
  }
  template <class Item, std::size_t size>
  void field(std::array<Item, size>& list) {
    for (Item& item : list) field(item);
  }
  template <class First, class Second>
  void field(std::pair<First, Second>& pair) {
    (*this)(pair.first, pair.second);
  }
  template <class Item>
  void field(PerLevel<Item>& pair) {
    (*this)(pair.upper, pair.lower);
  }
  template <class Item>
  void field(std::optional<Item>& item) {
    bool there = item.has_value();
    field(there);
    if (!there)
      item.reset();
    else if (!item)
      item.emplace();
    if (there) field(*item);
  }

  std::size_t count(std::size_t now) {
    std::uint64_t number = now;
    field(number);
    if (is_reading_ && number > rest_.size()) throw ArchiveError("a list that is longer than all there is");
    return static_cast<std::size_t>(number);
  }
  void raw(void* memory, std::size_t size) {
    if (size == 0) return;
    if (!is_reading_) {
      written_.append(static_cast<const char*>(memory), size);
      return;
    }
    if (rest_.size() < size) throw ArchiveError("an end that comes too early");
    std::memcpy(memory, rest_.data(), size);
    rest_.remove_prefix(size);
  }

  std::string written_;
  std::string_view rest_;
  bool is_reading_ = false;
};

}  // namespace fcbio
