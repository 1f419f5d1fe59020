#include "io/problem_file_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "core/nearest_name.hpp"
#include "io/input_error.hpp"
#include "io/problem_select.hpp"
#include "io/vector_file.hpp"

namespace fcbio::io {
namespace {

struct FunctionKeys {
  std::string name;
  std::vector<std::string> keys;  // besides `function`, `weight`, `lower_bound`
  bool labels = false;            // targets are classes
};

const std::vector<FunctionKeys>& function_keys() {
  const auto with_data = [](std::vector<std::string> more) {
    std::vector<std::string> keys = {"data", "target", "rows", "shuffle", "intercept"};
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
  };
  static const std::vector<FunctionKeys> table = {
      {"least-squares", with_data({"average"})},
      {"logistic", with_data({"average"}), true},
      {"huber", with_data({"average", "delta"})},
      {"absolute", with_data({"average"})},
      {"quantile", with_data({"average", "tau"})},
      {"hinge", with_data({"average"}), true},
      {"squared-hinge", with_data({"average"}), true},
      {"squared-norm", {"center"}},
      {"l1-norm", {"center"}},
      {"linear", {"coefficients"}},
      {"quadratic", {"matrix", "coefficients", "constant"}},
      {"max-affine", with_data({})},
      {"log-sum-exp", with_data({})},
  };
  return table;
}

const FunctionKeys& keys_of(const std::string& function) {
  return *std::find_if(function_keys().begin(), function_keys().end(),
                       [&](const FunctionKeys& keys) { return keys.name == function; });
}

bool takes(const FunctionKeys& keys, std::string_view key) {
  return std::find(keys.keys.begin(), keys.keys.end(), key) != keys.keys.end();
}

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

Vector read_target(const TableReader& table, RawData& data, const std::string& function) {
  const toml::node* target = table.node("target");
  if (target == nullptr) {
    if (data.file.labels.size() > 0) return std::move(data.file.labels);
    // The offsets of these two are the only targets that have a natural default.
    if (function == "max-affine" || function == "log-sum-exp") return Vector::Zero(data.file.matrix.rows());
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

void read_data(const TableReader& table, const FunctionKeys& keys, DataStore& store, TermSource& source) {
  RawData data = read_raw_data(table, store);
  Vector target = read_target(table, data, keys.name);
  if (target.size() != data.file.matrix.rows())
    table.refuse("target", fmt::format("{} targets, one per row of {}", data.file.matrix.rows(), data.name),
                 fmt::format("{}", target.size()));
  if (keys.labels) {
    // Decided on the whole file, so that every selection of its rows means the same classes.
    try {
      const std::string mapping = map_labels(target);
      if (!mapping.empty()) source.notes.push_back(fmt::format("{}: {}", data.name, mapping));
    } catch (const std::invalid_argument& found) {
      table.refuse(table.has("target") ? "target" : "data",
                   fmt::format("two classes as targets of \"{}\": -1/+1, 0/1 or 1/2", keys.name),
                   fmt::format("the labels {} in {}", found.what(), data.name),
                   "map the labels to -1 and +1, or use a regression function");
    }
  }
  select(table, data, target);

  source.intercept = table.flag_if("intercept").value_or(false);
  source.term.average = table.flag_if("average").value_or(false);
  source.term.target = std::move(target);
  const Index cols = data.file.matrix.cols();
  source.claims.push_back({cols + (source.intercept ? 1 : 0),
                           source.intercept ? data.name + " and its intercept" : data.name, table.line_of("data"),
                           std::holds_alternative<CsrMatrix>(data.file.matrix.matrix)});
  source.term.data = std::move(data.file.matrix);
}

void read_vector(const TableReader& table, const char* key, TermSource& source) {
  source.vector = table.vector_if(key);
  if (source.vector && source.vector->size())
    source.claims.push_back({*source.vector->size(),
                             source.vector->source.front() == '`'
                                 ? fmt::format("`{}` of {}", key, table.place())
                                 : fmt::format("`{}` of {}, {}", key, table.place(), source.vector->source),
                             source.vector->line, false});
}

void read_quadratic(const TableReader& table, TermSource& source) {
  source.term.data = table.matrix("matrix");
  const Index rows = source.term.data->rows();
  const Index cols = source.term.data->cols();
  if (rows != cols)
    table.refuse("matrix", fmt::format("a square `matrix` in {}", table.place()),
                 fmt::format("{} rows and {} columns", rows, cols));
  source.claims.push_back({cols, fmt::format("`matrix` of {}", table.place()), table.line_of("matrix"), false});
  source.term.constant = table.real_if("constant").value_or(0.0);
}

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

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const FunctionKeys& function : function_keys()) list.push_back(function.name);
    return list;
  }();
  return names;
}

TermSource read_term(const TableReader& table, DataStore& store) {
  TermSource source;
  source.term.function = table.name("function", "the function", function_names());
  source.term.line = table.line();
  const FunctionKeys& keys = keys_of(source.term.function);
  std::vector<std::string> allowed = {"function"};
  allowed.insert(allowed.end(), keys.keys.begin(), keys.keys.end());
  allowed.insert(allowed.end(), {"weight", "lower_bound"});
  table.allow_only(allowed);

  source.term.weight = table.real_if("weight").value_or(1.0);
  if (source.term.weight < 0.0)
    table.refuse("weight", fmt::format("`weight` >= 0 in {}", table.place()), number_text(source.term.weight),
                 "a negative weight makes the objective nonconvex");
  source.term.lower_bound = table.real_if("lower_bound");
  source.term.delta = table.real_if("delta").value_or(1.0);
  if (source.term.delta <= 0.0) table.refuse("delta", "`delta` > 0", number_text(source.term.delta));
  source.term.tau = table.real_if("tau").value_or(0.5);
  if (source.term.tau <= 0.0 || source.term.tau >= 1.0)
    table.refuse("tau", "0 < `tau` < 1", number_text(source.term.tau));

  if (takes(keys, "data")) read_data(table, keys, store, source);
  if (takes(keys, "matrix")) read_quadratic(table, source);
  if (takes(keys, "center")) read_vector(table, "center", source);
  if (keys.name == "linear") table.require("coefficients", "a number, an array of numbers or a file of numbers");
  if (takes(keys, "coefficients")) read_vector(table, "coefficients", source);
  return source;
}

TermData finish_term(TermSource source, Index n) {
  const FunctionKeys& keys = keys_of(source.term.function);
  if (takes(keys, "data")) {
    if (auto* sparse = std::get_if<CsrMatrix>(&source.term.data->matrix))
      pad_columns(*sparse, n - (source.intercept ? 1 : 0));
    if (source.intercept) append_ones(*source.term.data);
  } else {
    source.term.vector = source.vector ? source.vector->expanded(n) : Vector(Vector::Zero(n));
  }
  return std::move(source.term);
}

}  // namespace fcbio::io
