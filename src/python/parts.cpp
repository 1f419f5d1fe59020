#include "python/parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "build/problem.hpp"
#include "fcbio/check.hpp"
#include "fcbio/error.hpp"
#include "io/problem_select.hpp"

namespace fcbio::python {
namespace {

using namespace data;  // the sorts of fields

constexpr std::type_identity<FunctionKind> kFunctions{};
constexpr std::type_identity<SetKind> kSets{};
constexpr int kSamples = 30;  // of a test of a callable set

/// Adds (key, sort, required, default) of each field.
/// The argument of a vector: what stands in a table of its own in a problem file has that table's name before it.
std::string argument_of(const VectorField& field) {
  return field.inside.empty() ? std::string(field.key) : fmt::format("{}_{}", field.inside, field.key);
}

struct FieldTeller {
  py::list& fields;
  void add(std::string_view key, const char* sort, bool required, py::object fallback = py::none()) const {
    fields.append(py::make_tuple(std::string(key), sort, required, fallback));
  }
  void operator()(const DataField&, const Matrix&) const { add("data", "matrix", true); }
  void operator()(const TargetField& field, const Vector&) const {
    add("target", field.classes ? "labels" : "target", !field.zero_if_absent);
  }
  void operator()(const AverageField&, const bool&) const { add("average", "flag", false, py::bool_(false)); }
  void operator()(const SampleWeightsField&, const Vector&) const { add("sample_weights", "target", false); }
  void operator()(const NumberField& field, const double&) const {
    add(field.key, "number", !field.fallback,
        field.fallback ? py::object(py::float_(*field.fallback)) : py::none());
  }
  void operator()(const VectorField& field, const Vector&) const {
    add(argument_of(field), field.may_be_infinite ? "open vector" : "vector", field.required);
  }
  void operator()(const RowsField&, const Matrix&) const { add("matrix", "matrix", true); }
  void operator()(const RowSideField& field, const Vector&) const { add(field.key, "open vector", false); }
  void operator()(const SquareMatrixField&, const Matrix&) const { add("matrix", "matrix", true); }
  void operator()(const EquationsField&, const RowMajorMatrix&) const { add("matrix", "equations", true); }
  void operator()(const ValuesField&, const Vector&) const { add("values", "values", true); }
  void operator()(const RadiusField&, const double&) const { add("radius", "radius", true); }
  void operator()(const RadiusField&, const std::optional<double>&) const { add("radius", "radius", false); }
  void operator()(const MembersField&, const std::vector<Set>&) const { add("sets", "sets", true); }
};

template <class... Kinds>
py::list table_of(std::type_identity<std::variant<Kinds...>>) {
  py::list table;
  const auto add = [&table]<class Kind>(Kind kind) {
    py::list fields;
    for_each_field(kind, FieldTeller{fields});
    table.append(py::make_tuple(std::string(Descriptor<Kind>::name), fields));
  };
  (add(Kinds{}), ...);
  return table;
}

Vector to_vector(const py::handle& array) {
  const auto numbers = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!numbers) throw py::error_already_set();
  return Eigen::Map<const Vector>(numbers.data(), numbers.size());
}

void require_rule(std::string_view key, NumberRule rule, double number) {
  const auto demand = [&](bool holds, const char* words) {
    if (!holds || !std::isfinite(number))
      throw InvalidArgument(fmt::format("{}: expected {}, found {:g}", key, words, number));
  };
  switch (rule) {
    case NumberRule::any:
      return demand(true, "a finite number");
    case NumberRule::not_negative:
      return demand(number >= 0.0, "a finite number >= 0");
    case NumberRule::positive:
      return demand(number > 0.0, "a finite number > 0");
    case NumberRule::open_unit_interval:
      return demand(number > 0.0 && number < 1.0, "a number between 0 and 1");
  }
}

void require_rules(std::string_view key, NumberRule rule, const Vector& numbers) {
  for (const double number : numbers) require_rule(key, rule, number);
}

/// Fills the fields of a kind from what Python hands over.
struct FieldFiller {
  const py::dict& arguments;
  std::vector<std::string>& notes;
  Index rows = 0;

  bool has(const char* key) const { return arguments.contains(key) && !arguments[key].is_none(); }

  void operator()(const DataField&, Matrix& data) {
    data = arguments["data"].cast<Matrix>();
    rows = data.rows();
  }
  void operator()(const TargetField& field, Vector& target) {
    target = has("target") ? to_vector(arguments["target"]) : Vector(Vector::Zero(rows));
    if (target.size() != rows)
      throw InvalidArgument(
          fmt::format("target: expected {} numbers, one per row of the data, found {}", rows, target.size()));
    if (!field.classes) return;
    try {
      const std::string mapping = io::map_labels(target);
      if (!mapping.empty()) notes.push_back(mapping);
    } catch (const std::invalid_argument& found) {
      throw InvalidArgument(
          fmt::format("target: expected two classes, -1/+1, 0/1 or 1/2, found the labels {}", found.what()));
    }
  }
  void operator()(const AverageField&, bool& average) const {
    if (has("average")) average = arguments["average"].cast<bool>();
  }
  void operator()(const SampleWeightsField&, Vector& weights) const {
    if (!has("sample_weights")) return;
    weights = to_vector(arguments["sample_weights"]);
    if (weights.size() != rows)
      throw InvalidArgument(fmt::format("sample_weights: expected {} numbers, one per row of the data, found {}",
                                        rows, weights.size()));
    require_rules("sample_weights", NumberRule::not_negative, weights);
  }
  void operator()(const NumberField& field, double& number) const {
    const std::string key(field.key);
    number = has(key.c_str()) ? arguments[key.c_str()].cast<double>() : field.fallback.value_or(0.0);
    require_rule(field.key, field.rule, number);
  }
  void operator()(const VectorField& field, Vector& vector) const {
    const std::string key = argument_of(field);
    if (!has(key.c_str())) return;
    vector = to_vector(arguments[key.c_str()]);
    if (field.rule != NumberRule::any) require_rules(key, field.rule, vector);
  }
  void operator()(const RowsField&, Matrix& matrix) {
    matrix = arguments["matrix"].cast<Matrix>();
    rows = matrix.rows();
    if (!matrix.has_numbers())
      throw InvalidArgument("matrix: expected numbers, found a linear operator; give the matrix itself");
  }
  void operator()(const RowSideField& field, Vector& sides) const {
    const std::string key(field.key);
    sides = has(key.c_str()) ? to_vector(arguments[key.c_str()]) : Vector(Vector::Constant(1, field.absent));
    if (sides.size() == 1) sides = Vector(Vector::Constant(rows, sides[0]));
    if (sides.size() != rows)
      throw InvalidArgument(
          fmt::format("{}: expected {} numbers, one per row of the matrix, found {}", key, rows, sides.size()));
  }
  void operator()(const SquareMatrixField&, Matrix& matrix) const {
    matrix = arguments["matrix"].cast<Matrix>();
    if (matrix.rows() != matrix.cols())
      throw InvalidArgument(
          fmt::format("matrix: expected as many rows as columns, found {} x {}", matrix.rows(), matrix.cols()));
    if (!matrix.has_numbers())
      throw InvalidArgument("matrix: expected numbers, found a linear operator; give the matrix itself");
  }
  void operator()(const EquationsField&, RowMajorMatrix& matrix) const {
    const Matrix numbers = arguments["matrix"].cast<Matrix>().owned();
    if (const auto* dense = std::get_if<RowMajorMatrix>(&numbers.matrix)) {
      matrix = *dense;
      return;
    }
    const auto& sparse = std::get<CsrMatrix>(numbers.matrix);
    matrix = RowMajorMatrix::Zero(sparse.rows, sparse.cols);
    for (Index i = 0; i < sparse.rows; ++i)
      for (auto k = static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i)]);
           k < static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i) + 1]); ++k)
        matrix(i, sparse.columns[k]) = sparse.values[k];
  }
  void operator()(const ValuesField&, Vector& values) const { values = to_vector(arguments["values"]); }
  void operator()(const RadiusField&, double& radius) const { radius = read_radius(); }
  void operator()(const RadiusField&, std::optional<double>& radius) const {
    if (has("radius")) radius = read_radius();
  }
  void operator()(const MembersField&, std::vector<Set>& sets) const {
    for (const py::handle member : arguments["sets"]) {
      sets.push_back(member.cast<const Domain&>().set);
    }
    if (sets.empty()) throw InvalidArgument("sets: expected at least one set, found none");
  }

 private:
  double read_radius() const {
    const double radius = arguments["radius"].cast<double>();
    require_rule("radius", NumberRule::not_negative, radius);
    return radius;
  }
};

template <class Variant>
Variant kind_named(const std::string& name, std::type_identity<Variant> kinds) {
  std::optional<Variant> kind = kind_called(name, kinds);
  if (!kind) throw InvalidArgument(fmt::format("unknown kind '{}'", name));
  return *kind;
}

void claim_vector(std::vector<DimensionSource>& sources, std::string_view key, const Vector& vector,
                  std::string_view where) {
  if (vector.size() > 1) sources.push_back({vector.size(), fmt::format("{} of {}", key, where)});
}

struct TermClaims {
  std::vector<DimensionSource>& sources;
  const std::string& where;
  void operator()(const DataField&, const Matrix& data) const {
    sources.push_back({data.cols(), "the data of " + where});
  }
  void operator()(const SquareMatrixField&, const Matrix& matrix) const {
    sources.push_back({matrix.cols(), "the matrix of " + where});
  }
  void operator()(const VectorField& field, const Vector& vector) const {
    claim_vector(sources, field.key, vector, where);
  }
  template <class Field, class Member>
  void operator()(const Field&, const Member&) const {}
};

void claim_set(std::vector<DimensionSource>& sources, const Set& set, const std::string& where);

struct SetClaims {
  std::vector<DimensionSource>& sources;
  const std::string& where;
  bool product;
  void operator()(const VectorField& field, const Vector& vector) const {
    claim_vector(sources, argument_of(field), vector, where);
  }
  void operator()(const EquationsField&, const RowMajorMatrix& matrix) const {
    sources.push_back({matrix.cols(), "the matrix of " + where});
  }
  void operator()(const RowsField&, const Matrix& matrix) const {
    sources.push_back({matrix.cols(), "the matrix of " + where});
  }
  void operator()(const MembersField&, const std::vector<Set>& sets) const {
    if (!product) {
      for (std::size_t i = 0; i < sets.size(); ++i)
        claim_set(sources, sets[i], fmt::format("{}, set {}", where, i));
      return;
    }
    Index total = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      std::vector<DimensionSource> inner;
      claim_set(inner, sets[i], fmt::format("{}, set {}", where, i));
      if (inner.empty())
        throw InvalidArgument(
            fmt::format("{}, set {}: expected `dimension`, because nothing else tells it, found none", where, i));
      total += agreed_dimension(inner);
    }
    sources.push_back({total, where + ", all sets together"});
  }
  template <class Field, class Member>
  void operator()(const Field&, const Member&) const {}
};

void claim_set(std::vector<DimensionSource>& sources, const Set& set, const std::string& where) {
  if (set.dimension > 0) sources.push_back({set.dimension, "the dimension of " + where});
  std::visit(
      [&]<class Kind>(const Kind& kind) {
        for_each_field(kind, SetClaims{sources, where, std::is_same_v<Kind, Product>});
      },
      set.kind);
}

void expand_vector(std::string_view key, Vector& vector, Index n, double absent) {
  if (vector.size() == n) return;
  if (vector.size() > 1)
    throw InvalidArgument(
        fmt::format("{}: expected {} numbers, one per variable, found {}", key, n, vector.size()));
  vector = Vector(Vector::Constant(n, vector.size() == 0 ? absent : vector[0]));
}

void expand(Set& set, Index n);

struct Expander {
  Index n;
  bool product = false;
  void operator()(const VectorField& field, Vector& vector) const {
    expand_vector(argument_of(field), vector, n, field.absent);
  }
  void operator()(const MembersField&, std::vector<Set>& sets) const {
    for (Set& member : sets) {
      if (!product) {
        expand(member, n);
        continue;
      }
      std::vector<DimensionSource> sources;
      claim_set(sources, member, "a factor");
      expand(member, agreed_dimension(sources));
    }
  }
  template <class Field, class Member>
  void operator()(const Field&, Member&) const {}
};

void expand(Set& set, Index n) {
  std::visit(
      [n]<class Kind>(Kind& kind) {
        for_each_field(kind, Expander{n, std::is_same_v<Kind, Product>});
      },
      set.kind);
  set.dimension = n;
}

}  // namespace

py::list kinds_of_functions() { return table_of(kFunctions); }
py::list kinds_of_sets() { return table_of(kSets); }

Part make_part(const std::string& kind, const py::dict& arguments, double weight,
               std::optional<double> lower_bound) {
  Part part;
  part.term.kind = kind_named(kind, kFunctions);
  part.term.weight = weight;
  part.term.lower_bound = lower_bound;
  std::visit([&](auto& fields) { for_each_field(fields, FieldFiller{arguments, part.notes}); }, part.term.kind);
  return part;
}

Domain make_domain(const std::string& kind, const py::dict& arguments, Index dimension) {
  Domain domain;
  std::vector<std::string> notes;
  domain.set.kind = kind_named(kind, kSets);
  domain.set.dimension = dimension;
  std::visit([&](auto& fields) { for_each_field(fields, FieldFiller{arguments, notes}); }, domain.set.kind);
  if (!arguments.contains("sets")) return domain;
  for (const py::handle member : arguments["sets"]) domain.members.push_back(member.cast<const Domain&>());
  for (const Domain& member : domain.members)
    domain.failures.insert(domain.failures.end(), member.failures.begin(), member.failures.end());
  if (std::all_of(domain.members.begin(), domain.members.end(), [](const Domain& one) { return one.is_plain(); }))
    domain.members.clear();
  return domain;
}

std::vector<DimensionSource> dimension_sources(const Part& part, const std::string& level) {
  std::vector<DimensionSource> sources;
  if (part.user) {
    if (part.user->dimension > 0)
      sources.push_back({part.user->dimension, fmt::format("'{}' in {}", part.user->name, level)});
    return sources;
  }
  const std::string where = fmt::format("{} in {}", data::name_of(part.term), level);
  std::visit([&](const auto& kind) { for_each_field(kind, TermClaims{sources, where}); }, part.term.kind);
  return sources;
}

std::vector<DimensionSource> dimension_sources(const Domain& domain) {
  std::vector<DimensionSource> sources;
  if (domain.user)
    sources.push_back({domain.user->dimension, fmt::format("the domain '{}'", domain.user->name)});
  else
    claim_set(sources, domain.set, "the domain");
  return sources;
}

Index agreed_dimension(const std::vector<DimensionSource>& sources) {
  if (sources.empty())
    throw InvalidArgument(
        "domain: expected something that tells the number of variables (data, a vector, x0), found nothing; give the "
        "domain its `dimension`");
  const DimensionSource& first = sources.front();
  for (const DimensionSource& other : sources)
    if (other.n != first.n)
      throw InvalidArgument(fmt::format("expected one number of variables, found {} from {} and {} from {}",
                                        first.n, first.source, other.n, other.source));
  return first.n;
}

void expand(data::Term& term, Index n) {
  std::visit([n](auto& kind) { for_each_field(kind, Expander{n}); }, term.kind);
}

namespace {

/// Of a compound set.
const std::vector<Set>& plain_members(const Set& set) {
  if (const auto* product = std::get_if<Product>(&set.kind)) return product->sets;
  return std::get<Intersection>(set.kind).sets;
}

void hand_down(Domain& domain) {
  for (std::size_t i = 0; i < domain.members.size(); ++i) {
    domain.members[i].set = plain_members(domain.set)[i];
    hand_down(domain.members[i]);
  }
}

}  // namespace

void expand(Domain& domain, Index n) {
  expand(domain.set, n);
  hand_down(domain);
}

ConvexSetPtr make_set(const Domain& domain, VectorIn start) {
  if (domain.user) {
    ConvexSetPtr made = user_set(*domain.user);
    if (const CheckReport report = check_set(*made, kSamples); !report.ok)
      throw InvalidArgument(fmt::format("domain '{}': {}", domain.user->name, report.in_words()));
    return made;
  }
  if (domain.members.empty()) return build::make_set(domain.set, start);
  const bool is_product = std::holds_alternative<Product>(domain.set.kind);
  std::vector<ConvexSetPtr> made;
  Index offset = 0;
  for (const Domain& member : domain.members) {
    const Index size = member.set.dimension;
    made.push_back(make_set(member, is_product ? start.segment(offset, size) : start));
    offset += size;
  }
  return is_product ? product(std::move(made)) : intersection(std::move(made));
}

std::string in_words(const Part& part) {
  if (!part.user) return data::in_words(std::vector<data::Term>{part.term});
  const std::string name = "'" + part.user->name + "'";
  return part.term.weight == 1.0 ? name : fmt::format("{:g} * {}", part.term.weight, name);
}

std::string in_words(const Domain& domain) {
  if (domain.user) return "'" + domain.user->name + "'";
  if (domain.members.empty()) return data::in_words(domain.set);
  std::vector<std::string> members;
  for (const Domain& member : domain.members) members.push_back("(" + in_words(member) + ")");
  return fmt::format("{} of {}", data::name_of(domain.set), fmt::join(members, " and "));
}

}  // namespace fcbio::python
