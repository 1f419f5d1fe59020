#include "io/problem_file_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/input_error.hpp"
#include "io/memory.hpp"

namespace fcbio::io {
namespace {

struct SetKeys {
  std::string name;
  std::vector<std::string> keys;  // besides `set` and `dimension`
};

const std::vector<SetKeys>& set_keys() {
  static const std::vector<SetKeys> table = {
      {"ball", {"radius", "center"}},
      {"box", {"lower", "upper"}},
      {"simplex", {"total"}},
      {"l1-ball", {"radius", "center"}},
      {"nonnegative-ball", {"radius"}},
      {"halfspace", {"coefficients", "value", "radius"}},
      {"affine", {"matrix", "values", "radius"}},
      {"intersection", {"sets"}},
      {"product", {"sets"}},
      {"whole-space", {"radius"}},
  };
  return table;
}

double not_negative(const TableReader& table, std::string_view key, double number) {
  if (number < 0.0) table.refuse(key, fmt::format("`{}` >= 0 in {}", key, table.place()), number_text(number));
  return number;
}

void claim(SetSource& source, const std::optional<VectorValue>& vector, std::string_view key) {
  if (vector && vector->size())
    source.claims.push_back({*vector->size(), fmt::format("`{}` of {}", key, source.place), vector->line, false});
}

void read_affine(const TableReader& table, SetSource& source) {
  DataMatrix matrix = table.matrix("matrix");
  if (const auto* sparse = std::get_if<CsrMatrix>(&matrix.matrix)) {
    const std::uint64_t most = physical_memory() / (2 * sizeof(double));
    if (static_cast<std::uint64_t>(sparse->rows) > most / static_cast<std::uint64_t>(sparse->cols))
      table.refuse("matrix",
                   fmt::format("at most {} entries in `matrix`, zeros included, for which there is memory", most),
                   fmt::format("{} rows and {} columns", sparse->rows, sparse->cols));
    source.set.matrix = RowMajorMatrix::Zero(sparse->rows, sparse->cols);
    for (Index i = 0; i < sparse->rows; ++i)
      for (auto k = sparse->starts[static_cast<std::size_t>(i)];
           k < sparse->starts[static_cast<std::size_t>(i) + 1]; ++k)
        source.set.matrix(i, sparse->columns[static_cast<std::size_t>(k)]) +=
            sparse->values[static_cast<std::size_t>(k)];
  } else {
    source.set.matrix = std::move(std::get<RowMajorMatrix>(matrix.matrix));
  }
  const VectorValue values = table.vector("values");
  const Index rows = source.set.matrix.rows();
  if (values.size() && *values.size() != rows)
    table.refuse("values", fmt::format("{} numbers in {}, one per row of `matrix`", rows, values.source),
                 fmt::format("{}", *values.size()));
  source.set.values = values.expanded(rows);
  source.claims.push_back(
      {source.set.matrix.cols(), fmt::format("`matrix` of {}", source.place), table.line_of("matrix"), false});
}

void read_members(const TableReader& table, SetSource& source) {
  table.require("sets", "an array of sets");
  const toml::array* sets = table.node("sets")->as_array();
  if (sets == nullptr) table.refuse_type("sets", "an array of sets");
  if (sets->empty()) table.refuse("sets", "at least one set in `sets`", "an empty array");
  Index total = 0;
  for (std::size_t i = 0; i < sets->size(); ++i) {
    const toml::table* entry = (*sets)[i].as_table();
    if (entry == nullptr)
      table.refuse("sets", fmt::format("a table as entry {} of `sets`", i), type_in_words((*sets)[i]));
    const TableReader member(*entry, fmt::format("{}.sets[{}]", table.place(), i), table.file());
    source.members.push_back(read_set(member));
    const DimensionClaims& claims = source.members.back().claims;
    if (source.set.kind == "intersection")
      source.claims.insert(source.claims.end(), claims.begin(), claims.end());
    else
      total += agreed_dimension(claims, std::nullopt, member.place(), table.file(), member.line());
  }
  if (source.set.kind == "product")
    source.claims.push_back({total, fmt::format("`sets` of {}", source.place), table.line_of("sets"), false});
}

// The bounds of a box may be infinite on their open side only, and must leave room.
void check_box(const SetSource& source, const std::filesystem::path& file) {
  const SetData& box = source.set;
  for (Index i = 0; i < box.dimension; ++i) {
    const bool open = box.lower[i] < kInfinity && box.upper[i] > -kInfinity;
    if (open && box.lower[i] <= box.upper[i]) continue;
    throw InputError(
        {file.string(), source.lower->line,
         fmt::format("`lower` <= `upper` in {}, finite or open (-inf, inf)", source.place),
         fmt::format("lower {} and upper {} at index {}", number_text(box.lower[i]), number_text(box.upper[i]), i),
         "an empty box has no points"});
  }
}

}  // namespace

const std::vector<std::string>& set_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const SetKeys& set : set_keys()) list.push_back(set.name);
    return list;
  }();
  return names;
}

SetSource read_set(const TableReader& table) {
  SetSource source;
  source.place = table.place();
  source.set.kind = table.name("set", "the kind of set", set_names());
  source.set.line = table.line();
  const std::string& kind = source.set.kind;

  const auto known =
      std::find_if(set_keys().begin(), set_keys().end(), [&](const SetKeys& set) { return set.name == kind; });
  std::vector<std::string> keys = {"set"};
  keys.insert(keys.end(), known->keys.begin(), known->keys.end());
  keys.emplace_back("dimension");
  table.allow_only(keys);

  if (const auto dimension = table.integer_if("dimension")) {
    if (*dimension < 1 || *dimension > kLargestDimension)
      table.refuse("dimension", fmt::format("1 <= `dimension` <= {}", kLargestDimension),
                   fmt::format("{}", *dimension));
    source.claims.push_back({static_cast<Index>(*dimension), fmt::format("`dimension` of {}", source.place),
                             table.line_of("dimension"), false});
  }
  const bool takes_radius = std::find(keys.begin(), keys.end(), "radius") != keys.end();
  if (takes_radius && (kind != "whole-space" || table.has("radius")))
    source.set.radius = not_negative(table, "radius", table.real("radius", "a number >= 0"));

  if (kind == "ball" || kind == "l1-ball") {
    source.center = table.vector_if("center");
    claim(source, source.center, "center");
  } else if (kind == "box") {
    source.lower = table.vector("lower", Infinity::accepted);
    source.upper = table.vector("upper", Infinity::accepted);
    claim(source, source.lower, "lower");
    claim(source, source.upper, "upper");
  } else if (kind == "simplex") {
    source.set.total = not_negative(table, "total", table.real_if("total").value_or(1.0));
  } else if (kind == "halfspace") {
    source.coefficients = table.vector("coefficients");
    source.set.value = table.real("value", "the right side of c'x <= value");
    claim(source, source.coefficients, "coefficients");
  } else if (kind == "affine") {
    read_affine(table, source);
  } else if (kind == "intersection" || kind == "product") {
    read_members(table, source);
  }
  return source;
}

SetData finish_set(SetSource source, Index n, const std::filesystem::path& file) {
  source.set.dimension = n;
  const auto expand = [&](const std::optional<VectorValue>& value) {
    return value ? value->expanded(n) : Vector(Vector::Zero(n));
  };
  const std::string& kind = source.set.kind;
  if (kind == "ball" || kind == "l1-ball") source.set.center = expand(source.center);
  if (kind == "halfspace") source.set.coefficients = expand(source.coefficients);
  if (kind == "box") {
    source.set.lower = expand(source.lower);
    source.set.upper = expand(source.upper);
    check_box(source, file);
  }
  for (SetSource& member : source.members) {
    const Index size = kind == "product" ? member.claims.front().n : n;
    source.set.sets.push_back(finish_set(std::move(member), size, file));
  }
  return std::move(source.set);
}

}  // namespace fcbio::io
