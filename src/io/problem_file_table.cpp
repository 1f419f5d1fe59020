#include "io/problem_file_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/nearest_name.hpp"
#include "data/input_error.hpp"
#include "io/data_file.hpp"
#include "io/vector_file.hpp"

namespace fcbio::io {
namespace {

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? std::string{} : fmt::format("did you mean `{}`?", nearest);
}

std::string listed(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

}  // namespace

std::optional<Index> VectorValue::size() const {
  if (const auto* numbers = std::get_if<Vector>(&value)) return numbers->size();
  return std::nullopt;
}

double VectorValue::smallest() const {
  if (const auto* numbers = std::get_if<Vector>(&value)) return numbers->minCoeff();
  if (const auto* named = std::get_if<Named>(&value)) {
    double least = kInfinity;
    for (const auto& [name, number] : *named) least = std::min(least, number);
    return least;
  }
  return std::get<double>(value);
}

Vector VectorValue::expanded(Index n, const std::vector<std::string>& names, double absent,
                             const std::filesystem::path& file) const {
  const auto* named = std::get_if<Named>(&value);
  if (named == nullptr) return expanded(n);
  Vector numbers = Vector::Constant(n, absent);
  for (const auto& [name, number] : *named) {
    const auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end())
      throw InputError({file.string(), line, fmt::format("names of variables in {}", source),
                        names.empty() ? fmt::format("\"{}\", and the variables have no names", name)
                                      : fmt::format("\"{}\", which is none of them", name),
                        names.empty() ? "give an array or a file of numbers" : did_you_mean(name, names)});
    numbers[place - names.begin()] = number;
  }
  return numbers;
}

Vector VectorValue::expanded(Index n) const {
  if (const auto* numbers = std::get_if<Vector>(&value)) return *numbers;
  return Vector::Constant(n, std::get<double>(value));
}

TableReader::TableReader(const toml::table& table, std::string place, const std::filesystem::path& file)
    : table_(table), place_(std::move(place)), file_(file) {}

std::int64_t TableReader::line() const { return table_.source().begin.line; }

std::int64_t TableReader::line_of(std::string_view key) const {
  for (const auto& [name, value] : table_) {
    if (name.str() == key) return name.source().begin.line;
  }
  return line();
}

std::filesystem::path TableReader::path_of(std::string_view name) const {
  return file_.parent_path() / std::filesystem::path(name);
}

void TableReader::allow_only(const std::vector<std::string>& keys) const {
  for (const auto& [name, value] : table_) {
    const std::string key(name.str());
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    refuse(key, fmt::format("the keys {} in {}", listed(keys), place_), fmt::format("the unknown key `{}`", key),
           did_you_mean(key, keys));
  }
}

void TableReader::require(std::string_view key, std::string_view what) const {
  if (has(key)) return;
  refuse(key, fmt::format("the key `{}` ({}) in {}", key, what, place_), "none",
         fmt::format("add `{} = ...`", key));
}

double TableReader::number(std::string_view key, const toml::node& value, Infinity infinity) const {
  if (!value.is_number()) refuse_type(key, "a number");
  const double number = *value.value<double>();
  if (std::isnan(number) || (std::isinf(number) && infinity == Infinity::refused))
    refuse(key, fmt::format("a finite number for `{}`", key), number_text(number));
  return number;
}

double TableReader::real(std::string_view key, std::string_view what) const {
  require(key, what);
  return number(key, *node(key), Infinity::refused);
}

std::optional<double> TableReader::real_if(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return number(key, *node(key), Infinity::refused);
}

std::optional<bool> TableReader::flag_if(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  if (!node(key)->is_boolean()) refuse_type(key, "true or false");
  return node(key)->as_boolean()->get();
}

std::optional<std::int64_t> TableReader::integer_if(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  if (!node(key)->is_integer()) refuse_type(key, "an integer");
  return node(key)->as_integer()->get();
}

std::optional<std::string> TableReader::text_if(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  if (!node(key)->is_string()) refuse_type(key, "a string");
  return node(key)->as_string()->get();
}

std::string TableReader::text(std::string_view key, std::string_view what) const {
  require(key, what);
  return *text_if(key);
}

std::string TableReader::name(std::string_view key, std::string_view what,
                              const std::vector<std::string>& known) const {
  std::string given = text(key, what);
  if (std::find(known.begin(), known.end(), given) == known.end())
    refuse(key, fmt::format("one of {} as {}", listed(known), what), fmt::format("\"{}\"", given),
           did_you_mean(given, known));
  return given;
}

VectorValue TableReader::vector(std::string_view key, Infinity infinity) const {
  require(key, "a number, an array of numbers or a file of numbers");
  return *vector_if(key, infinity);
}

std::optional<VectorValue> TableReader::vector_if(std::string_view key, Infinity infinity) const {
  if (!has(key)) return std::nullopt;
  const toml::node& value = *node(key);
  VectorValue result{0.0, fmt::format("`{}`", key), line_of(key)};
  if (value.is_string()) {
    const std::string& name = value.as_string()->get();
    result.source = name;
    result.value = read_vector_file(path_of(name), std::numeric_limits<std::uint64_t>::max(), infinity);
  } else if (const toml::array* numbers = value.as_array()) {
    Vector entries(static_cast<Index>(numbers->size()));
    for (Index i = 0; i < entries.size(); ++i)
      entries[i] = number(key, (*numbers)[static_cast<std::size_t>(i)], infinity);
    if (entries.size() == 0) refuse(key, fmt::format("numbers for `{}`", key), "an empty array");
    result.value = std::move(entries);
  } else if (value.is_number()) {
    result.value = number(key, value, infinity);
  } else {
    refuse_type(key, "a number, an array of numbers or a file of numbers");
  }
  return result;
}

std::optional<VectorValue> TableReader::named_vector_if(std::string_view key) const {
  if (!has(key) || !node(key)->is_table()) return vector_if(key);
  VectorValue::Named named;
  for (const auto& [name, value] : *node(key)->as_table())
    named.emplace(name.str(), number(key, value, Infinity::refused));
  if (named.empty()) refuse(key, fmt::format("numbers for `{}`", key), "an empty table");
  return VectorValue{std::move(named), fmt::format("`{}`", key), line_of(key)};
}

data::Matrix TableReader::matrix(std::string_view key) const {
  require(key, "a file, or an array of rows");
  const toml::node& value = *node(key);
  if (value.is_string()) {
    DataFile file = read_data_into_memory(path_of(value.as_string()->get()));
    if (file.labels.size() > 0)
      refuse(key, fmt::format("a matrix (.npy, .csv, .mtx) for `{}`", key),
             fmt::format("{}, a file with labels", value.as_string()->get()));
    return std::move(file.matrix);
  }
  return inline_matrix(key);
}

data::Matrix TableReader::rows(std::string_view key) const {
  require(key, "a file, or an array of rows");
  if (!node(key)->is_string()) return inline_matrix(key);
  const std::string& name = node(key)->as_string()->get();
  DataFile file = read_data_into_memory(path_of(name));
  if (!file.labels.isZero(0.0))
    refuse(key, fmt::format("rows without labels, or labels 0, for `{}`", key),
           fmt::format("other labels in {}", name),
           "the sides of the rows are keys of their own: write 0 as label");
  return std::move(file.matrix);
}

data::Matrix TableReader::inline_matrix(std::string_view key) const {
  const toml::array* rows = node(key)->as_array();
  if (rows == nullptr) refuse_type(key, "a file, or an array of rows");
  RowMajorMatrix matrix;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const toml::array* row = (*rows)[i].as_array();
    if (row == nullptr)
      refuse(key, fmt::format("an array of numbers as row {} of `{}`", i, key), type_in_words((*rows)[i]));
    if (i == 0) matrix.resize(static_cast<Index>(rows->size()), static_cast<Index>(row->size()));
    if (static_cast<Index>(row->size()) != matrix.cols())
      refuse(key, fmt::format("{} numbers in row {} of `{}`, as in row 0", matrix.cols(), i, key),
             fmt::format("{}", row->size()));
    for (std::size_t j = 0; j < row->size(); ++j)
      matrix(static_cast<Index>(i), static_cast<Index>(j)) = number(key, (*row)[j], Infinity::refused);
  }
  if (matrix.size() == 0) refuse(key, fmt::format("numbers for `{}`", key), "an empty array");
  return {std::move(matrix)};
}

void TableReader::refuse(std::string_view key, std::string expected, std::string found, std::string remedy) const {
  throw InputError({file_.string(), line_of(key), std::move(expected), std::move(found), std::move(remedy)});
}

void TableReader::refuse_type(std::string_view key, std::string expected) const {
  refuse(key, fmt::format("{} for `{}` in {}", expected, key, place_), type_in_words(*node(key)));
}

std::string type_in_words(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return fmt::format("the string \"{}\"", node.as_string()->get());
    case toml::node_type::integer:
      return fmt::format("the integer {}", node.as_integer()->get());
    case toml::node_type::floating_point:
      return fmt::format("the number {}", number_text(node.as_floating_point()->get()));
    case toml::node_type::boolean:
      return node.as_boolean()->get() ? "true" : "false";
    default:
      return "a date or time";
  }
}

std::string number_text(double number) { return fmt::format("{}", number); }

double read_number(const TableReader& table, const data::NumberField& field) {
  const double number =
      field.fallback ? table.real_if(field.key).value_or(*field.fallback) : table.real(field.key, field.meaning);
  const auto expect = [&](bool holds, const std::string& expected) {
    if (!holds) table.refuse(field.key, expected, number_text(number));
  };
  switch (field.rule) {
    case data::NumberRule::any:
      break;
    case data::NumberRule::not_negative:
      expect(number >= 0.0, fmt::format("`{}` >= 0 in {}", field.key, table.place()));
      break;
    case data::NumberRule::positive:
      expect(number > 0.0, fmt::format("`{}` > 0", field.key));
      break;
    case data::NumberRule::open_unit_interval:
      expect(number > 0.0 && number < 1.0, fmt::format("0 < `{}` < 1", field.key));
      break;
  }
  return number;
}

}  // namespace fcbio::io
