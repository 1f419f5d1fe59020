// Typed access to one table of a problem file.  Whatever is not as it should be becomes an InputError with the
// problem file, the line, what was expected, what was found, and the remedy.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/fields.hpp"
#include "data/matrix.hpp"
#include "io/number.hpp"

namespace fcbio::io {

/// A vector key: one number for all coordinates, or the numbers themselves (inline, or read from a file).
struct VectorValue {
  using Named = std::map<std::string, double>;  ///< of some variables
  std::variant<double, Vector, Named> value;
  std::string source;  ///< where the numbers come from, for messages: "`center`" or "center.txt"
  std::int64_t line = 0;
  std::optional<Index> size() const;
  double smallest() const;
  /// The value with n coordinates; size() must be empty or n.  No named numbers.
  Vector expanded(Index n) const;
  /// The same, also of numbers by name: the variables that are not named get `absent`.  Throws InputError for a name
  /// that no variable has.
  Vector expanded(Index n, const std::vector<std::string>& names, double absent,
                  const std::filesystem::path& file) const;
};

class TableReader {
 public:
  /// `place` names the table in messages: "[lower]".
  TableReader(const toml::table& table, std::string place, const std::filesystem::path& file);

  const std::string& place() const { return place_; }
  std::int64_t line() const;
  std::int64_t line_of(std::string_view key) const;
  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::node* node(std::string_view key) const { return table_.get(key); }
  const toml::table& table() const { return table_; }
  const std::filesystem::path& file() const { return file_; }
  /// A name in the problem file, made relative to it.
  std::filesystem::path path_of(std::string_view name) const;

  /// Refuses every other key and offers the nearest name.
  void allow_only(const std::vector<std::string>& keys) const;
  void require(std::string_view key, std::string_view what) const;

  // Without the key: refused.
  double real(std::string_view key, std::string_view what) const;
  std::string text(std::string_view key, std::string_view what) const;
  VectorValue vector(std::string_view key, Infinity infinity = Infinity::refused) const;
  /// A file of .npy, .csv, .mtx, or an inline array of rows.
  data::Matrix matrix(std::string_view key) const;
  /// The same, or LIBSVM text whose labels are all 0, which mean nothing here.
  data::Matrix rows(std::string_view key) const;

  // Without the key: empty.
  std::optional<double> real_if(std::string_view key) const;
  std::optional<bool> flag_if(std::string_view key) const;
  std::optional<std::int64_t> integer_if(std::string_view key) const;
  std::optional<std::string> text_if(std::string_view key) const;
  std::optional<VectorValue> vector_if(std::string_view key, Infinity infinity = Infinity::refused) const;
  /// The same, or a table {NAME = NUMBER, ...} of variables.
  std::optional<VectorValue> named_vector_if(std::string_view key) const;

  /// Text of one of the known names; anything else is refused and the nearest offered.
  std::string name(std::string_view key, std::string_view what, const std::vector<std::string>& known) const;

  /// The line is that of `key`, or of the table where it has no such key.
  [[noreturn]] void refuse(std::string_view key, std::string expected, std::string found,
                           std::string remedy = {}) const;
  [[noreturn]] void refuse_type(std::string_view key, std::string expected) const;

 private:
  double number(std::string_view key, const toml::node& node, Infinity infinity) const;
  data::Matrix inline_matrix(std::string_view key) const;
  const toml::table& table_;
  std::string place_;
  const std::filesystem::path& file_;
};

/// The number of a field, checked by its rule.
double read_number(const TableReader& table, const data::NumberField& field);

/// "a string", "an array" ...: the type of a value in words.
std::string type_in_words(const toml::node& node);
/// Shortest text that reads back as the same number: "0.1", "3", "1e-06".
std::string number_text(double number);

}  // namespace fcbio::io
