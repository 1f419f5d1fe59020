#include "io/problem_file_sets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/input_error.hpp"
#include "io/memory.hpp"
#include "io/problem_keys.hpp"

namespace fcbio::io {
namespace {

// The sorts of fields, and the kinds of sets that are more than their fields.
using data::Box, data::CappedSimplex, data::Polyhedron, data::Product;
using data::EquationsField, data::MembersField, data::NumberField, data::RadiusField, data::RowsField,
    data::RowSideField, data::ValuesField, data::VectorField;
using data::Matrix, data::Set, data::SetKind;

double read_radius(const TableReader& table) {
  const double radius = table.real("radius", "a number >= 0");
  if (radius < 0.0) table.refuse("radius", fmt::format("`radius` >= 0 in {}", table.place()), number_text(radius));
  return radius;
}

struct RadiusReader {
  const TableReader& table;
  void operator()(const RadiusField&, double& radius) const { radius = read_radius(table); }
  void operator()(const RadiusField&, std::optional<double>& radius) const {
    if (table.has("radius")) radius = read_radius(table);
  }
  template <class Field, class Member>
  void operator()(const Field&, Member&) const {}
};

RowMajorMatrix read_equations(const TableReader& table) {
  Matrix matrix = table.matrix("matrix");
  const auto* sparse = std::get_if<CsrMatrix>(&matrix.matrix);
  if (sparse == nullptr) return std::move(std::get<RowMajorMatrix>(matrix.matrix));
  const std::uint64_t most = physical_memory() / (2 * sizeof(double));
  if (static_cast<std::uint64_t>(sparse->rows) > most / static_cast<std::uint64_t>(sparse->cols))
    table.refuse("matrix",
                 fmt::format("at most {} entries in `matrix`, zeros included, for which there is memory", most),
                 fmt::format("{} rows and {} columns", sparse->rows, sparse->cols));
  RowMajorMatrix dense = RowMajorMatrix::Zero(sparse->rows, sparse->cols);
  for (Index i = 0; i < sparse->rows; ++i)
    for (auto k = sparse->starts[static_cast<std::size_t>(i)]; k < sparse->starts[static_cast<std::size_t>(i) + 1];
         ++k)
      dense(i, sparse->columns[static_cast<std::size_t>(k)]) += sparse->values[static_cast<std::size_t>(k)];
  return dense;
}

/// Everything but the radius, which is refused before files are read.
class SetFieldReader {
 public:
  SetFieldReader(const TableReader& table, SetSource& source) : table_(table), source_(source) {}

  void operator()(const RadiusField&, const std::optional<double>&) const {}  // RadiusReader
  void operator()(const NumberField& field, double& number) const { number = read_number(table_, field); }
  void operator()(const VectorField& field, Vector&) const {
    if (field.inside.empty()) {
      read_vector(table_, field);
      return;
    }
    if (!table_.has(field.inside)) {
      source_.vectors.emplace_back();
      return;
    }
    const toml::table* inside = table_.node(field.inside)->as_table();
    if (inside == nullptr) table_.refuse_type(field.inside, "an inline table {lower = ..., upper = ...}");
    const TableReader table(*inside, fmt::format("`{}` of {}", field.inside, source_.place), table_.file());
    table.allow_only({"lower", "upper"});
    read_vector(table, field);
  }
  void operator()(const RowsField&, Matrix& matrix) {
    matrix = table_.rows("matrix");
    equations_ = matrix.rows();
    source_.claims.push_back({matrix.cols(), fmt::format("`matrix` of {}", source_.place),
                              table_.line_of("matrix"), std::holds_alternative<CsrMatrix>(matrix.matrix)});
  }
  void operator()(const RowSideField& field, Vector& sides) const {
    const std::optional<VectorValue> given = table_.vector_if(field.key, Infinity::accepted);
    if (given && given->size() && *given->size() != equations_)
      table_.refuse(field.key, fmt::format("{} numbers in {}, one per row of `matrix`", equations_, given->source),
                    fmt::format("{}", *given->size()));
    sides = given ? given->expanded(equations_) : Vector(Vector::Constant(equations_, field.absent));
    if (given) source_.sides_line = given->line;
  }
  void operator()(const EquationsField&, RowMajorMatrix& matrix) {
    matrix = read_equations(table_);
    equations_ = matrix.rows();
    columns_ = matrix.cols();
  }
  void operator()(const ValuesField&, Vector& numbers) const {
    const VectorValue values = table_.vector("values");
    if (values.size() && *values.size() != equations_)
      table_.refuse("values", fmt::format("{} numbers in {}, one per row of `matrix`", equations_, values.source),
                    fmt::format("{}", *values.size()));
    numbers = values.expanded(equations_);
    claim(columns_, fmt::format("`matrix` of {}", source_.place), table_.line_of("matrix"));
  }
  void operator()(const MembersField&, std::vector<Set>&) const;

 private:
  void read_vector(const TableReader& table, const VectorField& field) const {
    const Infinity infinity = field.may_be_infinite ? Infinity::accepted : Infinity::refused;
    const std::optional<VectorValue> vector =
        field.required ? table.vector(field.key, infinity) : table.vector_if(field.key, infinity);
    if (vector && vector->size())
      claim(*vector->size(), fmt::format("`{}` of {}", field.key, table.place()), vector->line);
    source_.vectors.push_back(vector);
  }
  void claim(Index n, std::string what, std::int64_t line) const {
    source_.claims.push_back({n, std::move(what), line, false});
  }
  const TableReader& table_;
  SetSource& source_;
  Index equations_ = 0, columns_ = 0;
};

void SetFieldReader::operator()(const MembersField&, std::vector<Set>&) const {
  table_.require("sets", "an array of sets");
  const toml::array* sets = table_.node("sets")->as_array();
  if (sets == nullptr) table_.refuse_type("sets", "an array of sets");
  if (sets->empty()) table_.refuse("sets", "at least one set in `sets`", "an empty array");
  const bool is_product = std::holds_alternative<Product>(source_.set.kind);
  Index total = 0;
  for (std::size_t i = 0; i < sets->size(); ++i) {
    const toml::table* entry = (*sets)[i].as_table();
    if (entry == nullptr)
      table_.refuse("sets", fmt::format("a table as entry {} of `sets`", i), type_in_words((*sets)[i]));
    const TableReader member(*entry, fmt::format("{}.sets[{}]", table_.place(), i), table_.file());
    source_.members.push_back(read_set(member));
    const DimensionClaims& claims = source_.members.back().claims;
    if (is_product)
      total += agreed_dimension(claims, std::nullopt, member.place(), table_.file(), member.line());
    else
      source_.claims.insert(source_.claims.end(), claims.begin(), claims.end());
  }
  if (is_product) claim(total, fmt::format("`sets` of {}", source_.place), table_.line_of("sets"));
}

/// Vectors in n dimensions, and members in theirs.
class SetFinisher {
 public:
  SetFinisher(SetSource& source, Index n, const std::filesystem::path& file)
      : source_(source), n_(n), file_(file) {}

  void operator()(const VectorField& field, Vector& vector) {
    const std::optional<VectorValue>& value = source_.vectors[next_++];
    vector = value ? value->expanded(n_) : Vector(Vector::Constant(n_, field.absent));
  }
  void operator()(const RowsField&, Matrix& matrix) const {
    if (auto* sparse = std::get_if<CsrMatrix>(&matrix.matrix)) sparse->cols = n_;  // agreed: none is lost
  }
  void operator()(const MembersField&, std::vector<Set>& sets) const {
    const bool is_product = std::holds_alternative<Product>(source_.set.kind);
    for (SetSource& member : source_.members) {
      const Index size = is_product ? member.claims.front().n : n_;
      sets.push_back(finish_set(std::move(member), size, file_));
    }
  }
  template <class Field, class Member>
  void operator()(const Field&, Member&) const {}

 private:
  SetSource& source_;
  Index n_;
  const std::filesystem::path& file_;
  std::size_t next_ = 0;  // of source_.vectors
};

/// What one field cannot tell.
void check_sides(const Vector& lower, const Vector& upper, const std::string& place, std::int64_t line,
                 const std::filesystem::path& file, const char* remedy) {
  for (Index i = 0; i < lower.size(); ++i) {
    const bool open = lower[i] < kInfinity && upper[i] > -kInfinity;
    if (open && lower[i] <= upper[i]) continue;
    throw InputError(
        {file.string(), line, fmt::format("`lower` <= `upper` in {}, finite or open (-inf, inf)", place),
         fmt::format("lower {} and upper {} at index {}", number_text(lower[i]), number_text(upper[i]), i),
         remedy});
  }
}

void check_together(const Box& box, const SetSource& source, const std::filesystem::path& file) {
  check_sides(box.lower, box.upper, source.place, source.vectors.front()->line, file,
              "an empty box has no points");
}

void check_together(const Polyhedron& set, const SetSource& source, const std::filesystem::path& file) {
  const std::int64_t rows_line = source.sides_line > 0 ? source.sides_line : source.set.line;
  check_sides(set.row_lower, set.row_upper, source.place, rows_line, file, "no point satisfies such a row");
  const auto& given = source.vectors.front() ? source.vectors.front() : source.vectors.back();
  check_sides(set.lower, set.upper, fmt::format("`box` of {}", source.place),
              given ? given->line : source.set.line, file, "an empty box has no points");
}

void check_together(const CappedSimplex& set, const SetSource& source, const std::filesystem::path& file) {
  const auto n = static_cast<double>(source.set.dimension);
  if (set.cap * n >= set.total) return;
  throw InputError({file.string(), source.set.line,
                    fmt::format("`cap` times the dimension >= `total` in {}", source.place),
                    fmt::format("cap {}, dimension {}, total {}", number_text(set.cap), n, number_text(set.total)),
                    "raise `cap` or lower `total`: the set is empty"});
}

template <class Kind>
void check_together(const Kind&, const SetSource&, const std::filesystem::path&) {}

}  // namespace

SetSource read_set(const TableReader& table) {
  constexpr std::type_identity<SetKind> kSets{};
  SetSource source;
  source.place = table.place();
  source.set.kind = *kind_called(table.name("set", "the kind of set", names_of(kSets)), kSets);
  source.set.line = table.line();
  std::visit(
      [&](auto& kind) {
        table.allow_only(keys_of(source.set.kind));
        if (const auto dimension = table.integer_if("dimension")) {
          if (*dimension < 1 || *dimension > kLargestDimension)
            table.refuse("dimension", fmt::format("1 <= `dimension` <= {}", kLargestDimension),
                         fmt::format("{}", *dimension));
          source.claims.push_back({static_cast<Index>(*dimension), fmt::format("`dimension` of {}", source.place),
                                   table.line_of("dimension"), false});
        }
        for_each_field(kind, RadiusReader{table});
        for_each_field(kind, SetFieldReader(table, source));
      },
      source.set.kind);
  return source;
}

Set finish_set(SetSource source, Index n, const std::filesystem::path& file) {
  source.set.dimension = n;
  std::visit(
      [&](auto& kind) {
        for_each_field(kind, SetFinisher(source, n, file));
        check_together(kind, source, file);
      },
      source.set.kind);
  return std::move(source.set);
}

}  // namespace fcbio::io
