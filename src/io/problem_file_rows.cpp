#include "io/problem_file_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "core/nearest_name.hpp"
#include "data/input_error.hpp"
#include "io/data_columns.hpp"
#include "io/data_standardize.hpp"
#include "io/problem_select.hpp"
#include "io/shared_rows.hpp"
#include "io/vector_file.hpp"

namespace fcbio::io {
namespace {

// The table a term works on, before anything is chosen, and what to call it in messages.
struct RawData {
  DataFile file;
  std::string name;
  std::string path;  ///< as messages about its lines call it

  bool is_dense() const { return !file.matrix.is_sparse(); }
  Index cols() const { return file.matrix.cols(); }
};

RawData read_raw_data(const TableReader& table, DataStore& store) {
  table.require("data", "a file, or an array of rows");
  if (table.node("data")->is_string()) {
    const std::string name = table.text("data", "a file");
    return {store.take(table.path_of(name)), name, table.path_of(name).string()};
  }
  const std::string name = fmt::format("`data` of {}", table.place());
  return {{table.matrix("data"), {}, {}, {}}, name, table.file().string()};
}

/// Where a vector with one number per row comes from.
struct PerRow {
  std::optional<Index> column;  ///< of the data
  Vector numbers;               ///< otherwise
};

class RowReader {
 public:
  RowReader(const TableReader& table, DataStore& store, const data::TargetField& field, std::string_view function)
      : table_(table), field_(field), function_(function), data_(read_raw_data(table, store)) {}

  TermRows read() {
    PerRow target = read_target();
    PerRow weights = table_.has("sample_weights") ? per_row("sample_weights", "sample weights") : PerRow{};
    const std::optional<Index> with = covariance_column();
    if (chooses_columns() || target.column || weights.column || with || !data_.file.texts.empty())
      choose(target, weights, with);
    else
      rows_.names = data_.file.column_names;
    if (rows_.data.rows() == 0) rows_.data = std::move(data_.file.matrix);
    rows_.target = std::move(target.numbers);
    rows_.sample_weights = std::move(weights.numbers);
    rows_.source = data_.name;
    rows_.intercept = table_.flag_if("intercept").value_or(false);
    check_sizes();
    if (field_.classes) map_classes();
    change_units();
    select();
    if (with) become_covariance();
    return std::move(rows_);
  }

 private:
  bool chooses_columns() const {
    for (const char* key : {"columns", "drop", "categories", "missing"})
      if (table_.has(key)) return true;
    return false;
  }

  void require_columns(std::string_view key) const {
    if (!data_.is_dense())
      table_.refuse(key,
                    key == "target" ? std::string("a target column only for CSV and NPY data")
                                    : fmt::format("`{}` only for CSV and NPY data", key),
                    fmt::format("{}, which is sparse", data_.name),
                    key == "target" ? "use target = \"labels\" or a file" : "leave the key out");
  }

  Index numbered_column(std::string_view key, std::int64_t number) const {
    require_columns(key);
    if (number < 0 || number >= data_.cols())
      table_.refuse(key, fmt::format("a column 0 .. {} of {} as `{}`", data_.cols() - 1, data_.name, key),
                    fmt::format("{}", number));
    return static_cast<Index>(number);
  }

  std::optional<Index> named_column(const std::string& name) const {
    const std::vector<std::string>& names = data_.file.column_names;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Index>(found - names.begin());
  }

  [[noreturn]] void refuse_column(std::string_view key, const std::string& name,
                                  const std::string& otherwise) const {
    const std::vector<std::string>& columns = data_.file.column_names;
    const std::string nearest = nearest_name(name, columns);
    table_.refuse(
        key,
        columns.empty()
            ? fmt::format("{}a column number{} as `{}` of {}", field_words(key), otherwise, key, data_.name)
            : fmt::format("a column of {} ({}){} as `{}`", data_.name, fmt::join(columns, ", "), otherwise, key),
        fmt::format("\"{}\", which is {}", name, otherwise.empty() ? "none" : "neither"),
        nearest.empty() ? std::string{} : fmt::format("did you mean \"{}\"?", nearest));
  }
  static std::string field_words(std::string_view key) { return key == "target" ? "\"labels\" (LIBSVM), " : ""; }

  Index column_of(std::string_view key, const toml::node& node) const {
    if (node.is_integer()) return numbered_column(key, node.as_integer()->get());
    if (!node.is_string())
      table_.refuse(key, fmt::format("names or numbers of columns for `{}` in {}", key, table_.place()),
                    type_in_words(node));
    const std::optional<Index> column = named_column(node.as_string()->get());
    if (!column) refuse_column(key, node.as_string()->get(), "");
    return *column;
  }

  std::vector<Index> column_list(std::string_view key) const {
    const toml::array* list = table_.node(key)->as_array();
    if (list == nullptr) table_.refuse_type(key, "an array of names or numbers of columns");
    require_columns(key);
    std::vector<Index> columns;
    for (const toml::node& node : *list) {
      const Index column = column_of(key, node);
      if (std::find(columns.begin(), columns.end(), column) != columns.end())
        table_.refuse(key, fmt::format("each column once in `{}`", key),
                      fmt::format("{} twice", column_in_words(data_.file, column)));
      columns.push_back(column);
    }
    return columns;
  }

  /// A column, a file, or an array.
  PerRow per_row(std::string_view key, std::string_view what) const {
    const toml::node& node = *table_.node(key);
    if (node.is_integer()) return {numbered_column(key, node.as_integer()->get()), {}};
    if (node.is_string()) {
      const std::string& name = node.as_string()->get();
      if (const std::optional<Index> column = named_column(name)) {
        require_columns(key);
        return {column, {}};
      }
      std::error_code ignored;
      if (!std::filesystem::exists(table_.path_of(name), ignored)) refuse_column(key, name, " or a file");
      return {std::nullopt, read_vector_file(table_.path_of(name))};
    }
    if (!node.is_array())
      table_.refuse_type(key, fmt::format("a column number, a column name, an array or a file of {}", what));
    return {std::nullopt, table_.vector(key).expanded(0)};
  }

  PerRow read_target() {
    const toml::node* target = table_.node("target");
    const Index count = data_.file.matrix.rows();
    if (target == nullptr) {
      if (data_.file.labels.size() > 0) return {std::nullopt, std::move(data_.file.labels)};
      if (field_.zero_if_absent || table_.has("covariance_with")) return {std::nullopt, Vector::Zero(count)};
      table_.refuse(
          "target",
          fmt::format("the key `target` in {}: {} does not bring labels of its own", table_.place(), data_.name),
          "none", "add `target = ...`: a column number, a column name, a file or {constant = NUMBER}");
    }
    if (const toml::table* constant = target->as_table()) {
      const TableReader inside(*constant, fmt::format("`target` of {}", table_.place()), table_.file());
      inside.allow_only({"constant"});
      return {std::nullopt, Vector::Constant(count, inside.real("constant", "a number"))};
    }
    if (target->is_string() && target->as_string()->get() == "labels" && data_.file.labels.size() > 0)
      return {std::nullopt, std::move(data_.file.labels)};
    if (!target->is_integer() && !target->is_string() && !target->is_array())
      table_.refuse_type("target",
                         "a column number, a column name, \"labels\", a file, an array or {constant = NUMBER}");
    return per_row("target", "targets");
  }

  std::optional<Index> covariance_column() const {
    if (!table_.has("covariance_with")) return std::nullopt;
    if (table_.has("sample_weights"))
      table_.refuse("sample_weights", "no `sample_weights` beside `covariance_with`, which leaves one row", "both",
                    "remove one of them");
    if (field_.classes)
      table_.refuse("covariance_with", "`covariance_with` only where targets are numbers",
                    fmt::format("\"{}\", which has classes", function_), "use function = \"least-squares\"");
    return column_of("covariance_with", *table_.node("covariance_with"));
  }

  Missing read_missing() const {
    if (!table_.has("missing")) return Missing::error;
    const std::string name =
        table_.name("missing", "what to do with missing values", {"error", "drop-rows", "mean"});
    return name == "error" ? Missing::error : name == "mean" ? Missing::mean : Missing::drop_rows;
  }

  ColumnChoice column_choice(const std::vector<std::optional<Index>>& roles) const {
    ColumnChoice choice;
    choice.missing = read_missing();
    choice.categories.assign(static_cast<std::size_t>(data_.cols()), false);
    if (table_.has("columns") && table_.has("drop"))
      table_.refuse("drop", "either `columns` or `drop`", "both", "remove one of them");
    const auto has_role = [&roles](Index column) {
      return std::find(roles.begin(), roles.end(), std::optional(column)) != roles.end();
    };
    if (table_.has("columns")) {
      choice.features = column_list("columns");
      for (const Index column : choice.features)
        if (has_role(column))
          table_.refuse(
              "columns", "features in `columns`",
              fmt::format("{}, which has another use in {}", column_in_words(data_.file, column), table_.place()));
    } else {
      const std::vector<Index> dropped = table_.has("drop") ? column_list("drop") : std::vector<Index>{};
      for (Index column = 0; column < data_.cols(); ++column)
        if (!has_role(column) && std::find(dropped.begin(), dropped.end(), column) == dropped.end())
          choice.features.push_back(column);
    }
    if (choice.features.empty())
      table_.refuse(table_.has("columns") ? "columns"
                    : table_.has("drop")  ? "drop"
                                          : "target",
                    fmt::format("a column besides the target in {}", data_.name),
                    data_.cols() == 1 ? "one column" : "none");
    read_categories(choice);
    return choice;
  }

  void read_categories(ColumnChoice& choice) const {
    if (!table_.has("categories")) return;
    const toml::node& node = *table_.node("categories");
    if (node.is_string()) {
      if (node.as_string()->get() != "auto")
        table_.refuse("categories", "an array of columns or \"auto\" as `categories`", type_in_words(node));
      require_columns("categories");
      choice.texts_are_categories = true;
      return;
    }
    for (const Index column : column_list("categories")) {
      if (std::find(choice.features.begin(), choice.features.end(), column) == choice.features.end())
        table_.refuse("categories", fmt::format("features as `categories` of {}", table_.place()),
                      fmt::format("{}, which is none", column_in_words(data_.file, column)),
                      "remove it from `categories`, or take it in with `columns`");
      choice.categories[static_cast<std::size_t>(column)] = true;
    }
  }

  void choose(PerRow& target, PerRow& weights, const std::optional<Index>& with) {
    require_columns(chooses_columns() ? first_choosing_key() : table_.has("target") ? "target" : "data");
    ColumnChoice choice = column_choice({target.column, weights.column, with});
    choice.target = target.column;
    choice.target_is_class = field_.classes;
    choice.others = {weights.column, with};
    for (const auto& [key, numbers] : {std::pair("target", &target), std::pair("sample_weights", &weights)})
      if (!numbers->column && numbers->numbers.size() > 0)
        check_size(key, numbers->numbers, data_.file.matrix.rows());
    const Index count = data_.file.matrix.rows();
    ChosenColumns chosen = choose_columns(std::move(data_.file), choice, data_.path);
    rows_.data = std::move(chosen.features);
    rows_.encoded =
        static_cast<std::size_t>(rows_.data.cols()) != choice.features.size() || choice.texts_are_categories;
    rows_.names = std::move(chosen.names);
    for (const std::string& note : chosen.notes) rows_.notes.push_back(fmt::format("{}: {}", data_.name, note));
    const bool dropped = static_cast<Index>(chosen.rows.size()) != count;
    if (target.column)
      target.numbers = std::move(chosen.target);
    else if (dropped)
      target.numbers = select_entries(target.numbers, chosen.rows);
    if (weights.column)
      weights.numbers = std::move(chosen.others[0]);
    else if (dropped && weights.numbers.size() > 0)
      weights.numbers = select_entries(weights.numbers, chosen.rows);
    with_ = std::move(chosen.others[1]);
  }

  std::string_view first_choosing_key() const {
    for (const char* key : {"columns", "drop", "categories", "missing"})
      if (table_.has(key)) return key;
    return "data";
  }

  void check_size(std::string_view key, const Vector& numbers, Index count) const {
    if (numbers.size() != count)
      table_.refuse(
          key, fmt::format("{} {}, one per row of {}", count, key == "target" ? "targets" : "numbers", data_.name),
          fmt::format("{}", numbers.size()));
  }

  void check_sizes() const {
    check_size("target", rows_.target, rows_.data.rows());
    const Vector& weights = rows_.sample_weights;
    if (weights.size() == 0) return;
    check_size("sample_weights", weights, rows_.data.rows());
    if (weights.minCoeff() < 0.0)
      table_.refuse("sample_weights", fmt::format("`sample_weights` >= 0 in {}", table_.place()),
                    number_text(weights.minCoeff()), "a negative weight makes the objective nonconvex");
  }

  void map_classes() {
    // Decided on the whole file, so that every selection of its rows means the same classes.
    try {
      const std::string mapping = map_labels(rows_.target);
      if (!mapping.empty()) rows_.notes.push_back(fmt::format("{}: {}", data_.name, mapping));
    } catch (const std::invalid_argument& found) {
      table_.refuse(table_.has("target") ? "target" : "data",
                    fmt::format("two classes as targets of \"{}\": -1/+1, 0/1 or 1/2", function_),
                    fmt::format("the labels {} in {}", found.what(), data_.name),
                    "map the labels to -1 and +1, or use a regression function");
    }
  }

  /// By means and deviations of the whole file, as everything that depends on values.
  void change_units() {
    const bool standardized = table_.flag_if("standardize").value_or(false);
    const bool scaled = table_.flag_if("scale").value_or(false);
    if (standardized && scaled)
      table_.refuse("scale", "either `standardize` or `scale`", "both", "remove one of them");
    if (!standardized && !scaled) return;
    if (standardized && !rows_.intercept)
      table_.refuse("standardize", "`intercept = true` beside `standardize`, to take up the means", "none",
                    "add `intercept = true`, or write `scale = true`, which leaves means where they are");
    if (standardized && rows_.data.is_sparse() && rows_.names.empty())
      table_.refuse("standardize", "dense data to take means off", fmt::format("{}, which is sparse", data_.name),
                    "write `scale = true`, which leaves zeros where they are");
    rows_.units = standardization_of(rows_.data, standardized);
    io::standardize(rows_.data, *rows_.units);
  }

  // Shuffles, then selects.
  void select() {
    const Index count = rows_.data.rows();
    const std::optional<std::int64_t> seed = table_.integer_if("shuffle");
    const std::optional<std::string> rows = table_.text_if("rows");
    if (seed && *seed < 0) table_.refuse("shuffle", "a seed >= 0 as `shuffle`", fmt::format("{}", *seed));
    rows_.paddable = !data_was_chosen() && rows_.data.is_sparse();
    if (!seed && !rows) return;

    std::vector<Index> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), Index{0});
    if (seed) order = shuffled_order(count, static_cast<std::uint64_t>(*seed));
    if (rows) {
      try {
        const RowRange range = parse_row_range(*rows, count);
        order = std::vector<Index>(order.begin() + range.begin, order.begin() + range.end);
      } catch (const std::invalid_argument& found) {
        table_.refuse("rows", fmt::format("\"a:b\" with 0 <= a < b <= {} as `rows` of {}", count, data_.name),
                      found.what());
      }
    }
    rows_.data = select_rows(rows_.data, order);
    rows_.target = select_entries(rows_.target, order);
    if (rows_.sample_weights.size() > 0) rows_.sample_weights = select_entries(rows_.sample_weights, order);
    if (with_.size() > 0) with_ = select_entries(with_, order);
  }

  bool data_was_chosen() const { return !rows_.names.empty() || with_.size() > 0; }

  /// One row: the covariances of the columns with the column s, 1/m sum_i (s_i - mean of s) a_ij.
  void become_covariance() {
    const auto m = static_cast<double>(with_.size());
    const Vector centred = with_.array() - with_.sum() / m;
    RowMajorMatrix row = RowMajorMatrix::Zero(1, rows_.data.cols());
    rows_.data.read([&]<class View>(const View& view) {
      if constexpr (std::is_same_v<View, CsrView>) {
        for (Index i = 0; i < view.rows; ++i)
          for (auto k = static_cast<std::size_t>(view.starts[static_cast<std::size_t>(i)]);
               k < static_cast<std::size_t>(view.starts[static_cast<std::size_t>(i) + 1]); ++k)
            row(0, view.columns[k]) += centred[i] * view.values[k];
      } else {
        for (Index i = 0; i < view.rows; ++i)
          for (Index j = 0; j < view.cols; ++j) row(0, j) += centred[i] * view(i, j);
      }
    });
    rows_.data = {RowMajorMatrix(row / m)};
    const double target = rows_.target[0];
    if (!(rows_.target.array() == target).all())
      table_.refuse("target", "a constant `target` beside `covariance_with`, which leaves one row",
                    "different numbers", "write target = {constant = 0.0}, or leave it out");
    rows_.target = Vector::Constant(1, target);
    rows_.intercept_entry = 0.0;
  }

  const TableReader& table_;
  const data::TargetField& field_;
  std::string_view function_;
  RawData data_;
  TermRows rows_;
  Vector with_;  // the column of a covariance
};

}  // namespace

void DataStore::announce(const std::filesystem::path& file, bool needs_all_rows) {
  Entry& entry = entries_[file.lexically_normal()];
  ++entry.uses;
  entry.whole = entry.whole || needs_all_rows;
}

DataFile DataStore::take(const std::filesystem::path& file) {
  Entry& entry = entries_[file.lexically_normal()];
  if (!entry.data) entry.data = read_rows_of_rank(file, entry.whole, progress_, ranks_);
  if (--entry.uses > 0) return *entry.data;
  DataFile last = std::move(*entry.data);
  entry.data.reset();
  return last;
}

TermRows read_rows(const TableReader& table, DataStore& store, const data::TargetField& target,
                   std::string_view function) {
  return RowReader(table, store, target, function).read();
}

}  // namespace fcbio::io
