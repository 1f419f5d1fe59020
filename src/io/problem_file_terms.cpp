#include "io/problem_file_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "core/nearest_name.hpp"
#include "data/input_error.hpp"
#include "io/problem_select.hpp"
#include "io/vector_file.hpp"

namespace fcbio::io {
namespace {

using namespace data;  // the sorts of fields

/// The keys of a kind, besides `function`, `weight` and `lower_bound`.
struct TermKeyCollector {
  std::vector<std::string> keys;
  void operator()(const DataField&, const Matrix&) { keys.emplace_back("data"); }
  void operator()(const TargetField&, const Vector&) {
    keys.insert(keys.end(), {"target", "rows", "shuffle", "intercept"});
  }
  void operator()(const AverageField&, const bool&) { keys.emplace_back("average"); }
  void operator()(const SquareMatrixField&, const Matrix&) { keys.emplace_back("matrix"); }
  void operator()(const VectorField& field, const Vector&) { keys.emplace_back(field.key); }
  void operator()(const NumberField& field, const double&) { keys.emplace_back(field.key); }
};

// The table of numbers a term works on, before its rows are selected, and what to call it in messages.
struct RawData {
  DataFile file;
  std::string name;
};

RawData read_raw_data(const TableReader& table, DataStore& store) {
  table.require("data", "a file, or an array of rows");
  if (table.node("data")->is_string()) {
    const std::string name = table.text("data", "a file");
    return {store.take(table.path_of(name)), name};
  }
  return {{table.matrix("data"), {}, {}}, fmt::format("`data` of {}", table.place())};
}

Vector take_target_column(const TableReader& table, RawData& data, Index column) {
  auto* dense = std::get_if<RowMajorMatrix>(&data.file.matrix.matrix);
  if (dense == nullptr)
    table.refuse("target", "a target column only for CSV and NPY data",
                 fmt::format("{}, which is sparse", data.name), "use target = \"labels\" or a file");
  if (column < 0 || column >= dense->cols())
    table.refuse("target", fmt::format("a column 0 .. {} of {} as `target`", dense->cols() - 1, data.name),
                 fmt::format("{}", column));
  if (dense->cols() == 1)
    table.refuse("target", fmt::format("a column besides the target in {}", data.name), "one column");
  return take_column(*dense, column);
}

Vector read_named_target(const TableReader& table, RawData& data, const std::string& name) {
  if (name == "labels" && data.file.labels.size() > 0) return std::move(data.file.labels);
  const std::vector<std::string>& columns = data.file.column_names;
  const auto column = std::find(columns.begin(), columns.end(), name);
  if (column != columns.end()) return take_target_column(table, data, column - columns.begin());
  std::error_code ignored;
  if (std::filesystem::exists(table.path_of(name), ignored)) return read_vector_file(table.path_of(name));
  const std::string nearest = nearest_name(name, columns);
  table.refuse("target",
               columns.empty()
                   ? fmt::format("\"labels\" (LIBSVM), a column number or a file as `target` of {}", data.name)
                   : fmt::format("a column of {} ({}) or a file as `target`", data.name, fmt::join(columns, ", ")),
               fmt::format("\"{}\", which is neither", name),
               nearest.empty() ? std::string{} : fmt::format("did you mean \"{}\"?", nearest));
}

Vector read_target(const TableReader& table, RawData& data, const TargetField& field) {
  const toml::node* target = table.node("target");
  if (target == nullptr) {
    if (data.file.labels.size() > 0) return std::move(data.file.labels);
    if (field.zero_if_absent) return Vector::Zero(data.file.matrix.rows());
    table.refuse(
        "target",
        fmt::format("the key `target` in {}: {} does not bring labels of its own", table.place(), data.name),
        "none", "add `target = ...`: a column number, a column name or a file");
  }
  if (target->is_integer())
    return take_target_column(table, data, static_cast<Index>(target->as_integer()->get()));
  if (target->is_string()) return read_named_target(table, data, target->as_string()->get());
  if (!target->is_array()) table.refuse_type("target", "a column number, a column name, \"labels\" or a file");
  return table.vector("target").expanded(0);
}

// Shuffles, then selects.
void select(const TableReader& table, RawData& data, Vector& target) {
  const Index count = data.file.matrix.rows();
  const std::optional<std::int64_t> seed = table.integer_if("shuffle");
  const std::optional<std::string> rows = table.text_if("rows");
  if (seed && *seed < 0) table.refuse("shuffle", "a seed >= 0 as `shuffle`", fmt::format("{}", *seed));
  if (!seed && !rows) return;

  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  if (seed) order = shuffled_order(count, static_cast<std::uint64_t>(*seed));
  if (rows) {
    try {
      const RowRange range = parse_row_range(*rows, count);
      order = std::vector<Index>(order.begin() + range.begin, order.begin() + range.end);
    } catch (const std::invalid_argument& found) {
      table.refuse("rows", fmt::format("\"a:b\" with 0 <= a < b <= {} as `rows` of {}", count, data.name),
                   found.what());
    }
  }
  data.file.matrix = select_rows(data.file.matrix, order);
  target = select_entries(target, order);
}

/// Numbers with their rules come before data files, which may be large.
struct NumberReader {
  const TableReader& table;
  void operator()(const NumberField& field, double& number) const { number = read_number(table, field); }
  template <class Field, class Member>
  void operator()(const Field&, Member&) const {}
};

/// Everything that is not a plain number, in the order of the fields.
class TermFieldReader {
 public:
  TermFieldReader(const TableReader& table, DataStore& store, TermSource& source)
      : table_(table), store_(store), source_(source) {}

  void operator()(const DataField&, Matrix&) { data_ = read_raw_data(table_, store_); }
  void operator()(const TargetField& field, Vector& target) { read_rows(field, target); }
  void operator()(const AverageField&, bool& average) { average = table_.flag_if("average").value_or(false); }
  void operator()(const SquareMatrixField&, Matrix& matrix) const;
  void operator()(const VectorField& field, Vector&) const;
  void operator()(const NumberField&, double&) const {}  // NumberReader
  /// The data once its rows are selected, which the target may have shortened by a column.
  Matrix take_data() { return std::move(data_.file.matrix); }

 private:
  void read_rows(const TargetField& field, Vector& target);
  void map_classes(Vector& target) const;

  const TableReader& table_;
  DataStore& store_;
  TermSource& source_;
  RawData data_;
};

void TermFieldReader::map_classes(Vector& target) const {
  // Decided on the whole file, so that every selection of its rows means the same classes.
  try {
    const std::string mapping = map_labels(target);
    if (!mapping.empty()) source_.notes.push_back(fmt::format("{}: {}", data_.name, mapping));
  } catch (const std::invalid_argument& found) {
    table_.refuse(table_.has("target") ? "target" : "data",
                  fmt::format("two classes as targets of \"{}\": -1/+1, 0/1 or 1/2", name_of(source_.term)),
                  fmt::format("the labels {} in {}", found.what(), data_.name),
                  "map the labels to -1 and +1, or use a regression function");
  }
}

void TermFieldReader::read_rows(const TargetField& field, Vector& target) {
  target = read_target(table_, data_, field);
  if (target.size() != data_.file.matrix.rows())
    table_.refuse("target", fmt::format("{} targets, one per row of {}", data_.file.matrix.rows(), data_.name),
                  fmt::format("{}", target.size()));
  if (field.classes) map_classes(target);
  select(table_, data_, target);
  source_.intercept = table_.flag_if("intercept").value_or(false);
  source_.claims.push_back({data_.file.matrix.cols() + (source_.intercept ? 1 : 0),
                            source_.intercept ? data_.name + " and its intercept" : data_.name,
                            table_.line_of("data"), std::holds_alternative<CsrMatrix>(data_.file.matrix.matrix)});
}

void TermFieldReader::operator()(const SquareMatrixField&, Matrix& matrix) const {
  matrix = table_.matrix("matrix");
  if (matrix.rows() != matrix.cols())
    table_.refuse("matrix", fmt::format("a square `matrix` in {}", table_.place()),
                  fmt::format("{} rows and {} columns", matrix.rows(), matrix.cols()));
  source_.claims.push_back(
      {matrix.cols(), fmt::format("`matrix` of {}", table_.place()), table_.line_of("matrix"), false});
}

void TermFieldReader::operator()(const VectorField& field, Vector&) const {
  if (field.required) table_.require(field.key, "a number, an array of numbers or a file of numbers");
  source_.vector = table_.vector_if(field.key);
  if (source_.vector && source_.vector->size())
    source_.claims.push_back(
        {*source_.vector->size(),
         source_.vector->source.front() == '`'
             ? fmt::format("`{}` of {}", field.key, table_.place())
             : fmt::format("`{}` of {}, {}", field.key, table_.place(), source_.vector->source),
         source_.vector->line, false});
}

/// Moves the data in once all is read.
struct DataPlacer {
  Matrix data;
  void operator()(const DataField&, Matrix& place) { place = std::move(data); }
  template <class Field, class Member>
  void operator()(const Field&, Member&) {}
};

/// Sizes that depend on n.
struct TermFinisher {
  const TermSource& source;
  Index n;
  void operator()(const DataField&, Matrix& data) const {
    if (auto* sparse = std::get_if<CsrMatrix>(&data.matrix)) pad_columns(*sparse, n - (source.intercept ? 1 : 0));
    if (source.intercept) append_ones(data);
  }
  void operator()(const VectorField&, Vector& vector) const {
    vector = source.vector ? source.vector->expanded(n) : Vector(Vector::Zero(n));
  }
  template <class Field, class Member>
  void operator()(const Field&, Member&) const {}
};

}  // namespace

void DataStore::announce(const std::filesystem::path& file) { ++entries_[file.lexically_normal()].uses; }

DataFile DataStore::take(const std::filesystem::path& file) {
  Entry& entry = entries_[file.lexically_normal()];
  if (!entry.data) entry.data = read_data_file(file);
  if (--entry.uses > 0) return *entry.data;
  DataFile last = std::move(*entry.data);
  entry.data.reset();
  return last;
}

TermSource read_term(const TableReader& table, DataStore& store) {
  constexpr std::type_identity<FunctionKind> kFunctions{};
  TermSource source;
  data::Term& term = source.term;
  term.kind = *kind_called(table.name("function", "the function", names_of(kFunctions)), kFunctions);
  term.line = table.line();
  std::visit(
      [&](auto& kind) {
        TermKeyCollector collector{{"function"}};
        for_each_field(kind, collector);
        collector.keys.insert(collector.keys.end(), {"weight", "lower_bound"});
        table.allow_only(collector.keys);

        term.weight = table.real_if("weight").value_or(1.0);
        if (term.weight < 0.0)
          table.refuse("weight", fmt::format("`weight` >= 0 in {}", table.place()), number_text(term.weight),
                       "a negative weight makes the objective nonconvex");
        term.lower_bound = table.real_if("lower_bound");
        for_each_field(kind, NumberReader{table});
        TermFieldReader reader(table, store, source);
        for_each_field(kind, reader);
        for_each_field(kind, DataPlacer{reader.take_data()});
      },
      term.kind);
  return source;
}

data::Term finish_term(TermSource source, Index n) {
  std::visit([&](auto& kind) { for_each_field(kind, TermFinisher{source, n}); }, source.term.kind);
  return std::move(source.term);
}

}  // namespace fcbio::io
