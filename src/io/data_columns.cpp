#include "io/data_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

namespace fcbio::io {
namespace {

constexpr std::size_t kMostCategories = 1000;  // of one column: more are names or numbers of the rows themselves
constexpr Index kSparseShare = 4;              // one number in so many

/// A value of a category: numbers come before texts.
struct Category {
  bool is_text = false;
  double number = 0.0;
  std::string text = {};
  auto operator<=>(const Category&) const = default;
  std::string words() const { return is_text ? text : fmt::format("{}", number); }
};

/// One column of the table as features.
struct FeatureColumn {
  Index column = 0;
  bool category = false;
  Index first = 0;                        ///< of its columns in the result
  std::map<Category, Index> places = {};  ///< of a category: which column of the result, from `first`
  std::vector<double> filling = {};       ///< what stands for a missing value, one per column of the result
  Index width() const { return category ? static_cast<Index>(places.size()) : 1; }
};

class Chooser {
 public:
  Chooser(DataFile&& table, const ColumnChoice& choice, const std::string& file)
      : table_(std::move(table)),
        numbers_(std::get<RowMajorMatrix>(table_.matrix.matrix)),
        choice_(choice),
        file_(file) {
    index_texts();
  }

  ChosenColumns choose() {
    settle_roles();
    keep_rows();
    if (choice_.target) take_target();
    for (const std::optional<Index>& column : choice_.others)
      chosen_.others.push_back(column ? number_column(*column) : Vector());
    if (is_plain())
      take_plain_features();
    else
      encode_features();
    return std::move(chosen_);
  }

 private:
  enum class Role : std::uint8_t { unused, number, category, label };

  void index_texts() {
    starts_.assign(static_cast<std::size_t>(numbers_.rows()) + 1, 0);
    for (const TextCell& cell : table_.texts) ++starts_[static_cast<std::size_t>(cell.row) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  }
  std::span<const TextCell> texts_of(Index row) const {
    const std::size_t begin = starts_[static_cast<std::size_t>(row)],
                      end = starts_[static_cast<std::size_t>(row) + 1];
    return {table_.texts.data() + begin, end - begin};
  }
  /// Null: a number stands there.
  const TextCell* text_at(Index row, Index column) const {
    for (const TextCell& cell : texts_of(row))
      if (cell.column == column) return &cell;
    return nullptr;
  }

  Role& role(Index column) { return roles_[static_cast<std::size_t>(column)]; }

  void settle_roles() {
    roles_.assign(static_cast<std::size_t>(numbers_.cols()), Role::unused);
    for (const Index column : choice_.features)
      role(column) = choice_.categories[static_cast<std::size_t>(column)] ? Role::category : Role::number;
    if (choice_.texts_are_categories)
      for (const TextCell& cell : table_.texts)
        if (role(cell.column) == Role::number && !says_missing(cell.text)) role(cell.column) = Role::category;
    if (choice_.target) role(*choice_.target) = choice_.target_is_class ? Role::label : Role::number;
    for (const std::optional<Index>& column : choice_.others)
      if (column) role(*column) = Role::number;
  }

  [[noreturn]] void refuse_cell(const TextCell& cell, const std::string& expected,
                                const std::string& remedy) const {
    const std::string found = cell.text.empty() ? "an empty field" : in_quotes(cell.text);
    throw InputError({file_, cell.line,
                      fmt::format("{} in column {}", expected, column_in_words(table_, cell.column)), found,
                      remedy});
  }

  bool is_feature(Index column) const {
    return std::find(choice_.features.begin(), choice_.features.end(), column) != choice_.features.end();
  }

  /// Refuses what is neither a value nor missing; true if the row is to be left out.
  bool drops_row(const TextCell& cell) {
    const Role use = role(cell.column);
    if (use == Role::unused) return false;
    if (!says_missing(cell.text)) {
      if (use != Role::number) return false;
      refuse_cell(cell, "a number",
                  is_feature(cell.column)
                      ? "name the column in `categories` (or say `categories = \"auto\"`) or in `drop`"
                      : "write numbers like -1.5 or 2e-3");
    }
    if (choice_.missing == Missing::drop_rows) return true;
    if (choice_.missing == Missing::error)
      refuse_cell(
          cell, "a value",
          "say `missing = \"drop-rows\"` to leave such rows out, or `missing = \"mean\"` to fill in means");
    if (!is_feature(cell.column))
      refuse_cell(cell, "a value", "only features are filled in: say `missing = \"drop-rows\"`");
    return false;
  }

  void keep_rows() {
    for (Index row = 0; row < numbers_.rows(); ++row) {
      bool kept = true;
      for (const TextCell& cell : texts_of(row))
        if (drops_row(cell)) kept = false;
      if (kept) chosen_.rows.push_back(row);
    }
    if (chosen_.rows.empty())
      throw InputError({file_, 0, "a row that misses no value", "none",
                        "say `missing = \"mean\"`, or leave columns out with `drop`"});
    if (const auto dropped = numbers_.rows() - static_cast<Index>(chosen_.rows.size()); dropped > 0)
      chosen_.notes.push_back(
          fmt::format("{} of {} rows are left out: a value is missing", dropped, numbers_.rows()));
  }

  Vector number_column(Index column) const {
    Vector numbers(static_cast<Index>(chosen_.rows.size()));
    for (Index i = 0; i < numbers.size(); ++i)
      numbers[i] = numbers_(chosen_.rows[static_cast<std::size_t>(i)], column);
    return numbers;
  }

  std::map<Category, Index> count_categories(Index column) const {
    std::map<Category, Index> counts;
    for (const Index row : chosen_.rows) {
      const TextCell* cell = text_at(row, column);
      if (cell == nullptr)
        ++counts[{false, numbers_(row, column)}];
      else if (!says_missing(cell->text))
        ++counts[{true, 0.0, cell->text}];
      if (counts.size() > kMostCategories)
        throw InputError({file_, 0,
                          fmt::format("at most {} different values in column {}, a category", kMostCategories,
                                      column_in_words(table_, column)),
                          "more", "leave the column out with `drop`"});
    }
    return counts;
  }

  /// Numbers stay; two texts become -1 and +1.
  void take_target() {
    const Index column = *choice_.target;
    chosen_.target = number_column(column);
    const TextCell* first = nullptr;
    for (const Index row : chosen_.rows)
      if (first == nullptr) first = text_at(row, column);
    if (first == nullptr) return;
    const std::map<Category, Index> classes = count_categories(column);
    if (classes.size() != 2)
      refuse_cell(*first, "one of two classes, the only values",
                  fmt::format("choose a target with two values; this column has {}", classes.size()));
    const Category& low = classes.begin()->first;
    for (std::size_t i = 0; i < chosen_.rows.size(); ++i) {
      const TextCell* cell = text_at(chosen_.rows[i], column);
      const Category value =
          cell == nullptr ? Category{false, numbers_(chosen_.rows[i], column)} : Category{true, 0.0, cell->text};
      chosen_.target[static_cast<Index>(i)] = value == low ? -1.0 : 1.0;
    }
    chosen_.notes.push_back(fmt::format("labels mapped: {} -> -1, {} -> +1", in_quotes(low.words()),
                                        in_quotes(classes.rbegin()->first.words())));
  }

  bool is_plain() {
    const auto is_category = [this](Index column) { return role(column) == Role::category; };
    const auto has_text = [this](const TextCell& cell) { return role(cell.column) != Role::unused; };
    return std::none_of(choice_.features.begin(), choice_.features.end(), is_category) &&
           (choice_.missing != Missing::mean || std::none_of(table_.texts.begin(), table_.texts.end(), has_text));
  }

  void take_plain_features() {
    for (const Index column : choice_.features)
      if (!table_.column_names.empty())
        chosen_.names.push_back(table_.column_names[static_cast<std::size_t>(column)]);
    std::vector<Index> all(static_cast<std::size_t>(numbers_.cols()));
    std::iota(all.begin(), all.end(), Index{0});
    if (choice_.features == all && static_cast<Index>(chosen_.rows.size()) == numbers_.rows()) {
      chosen_.features = {std::move(numbers_)};
      return;
    }
    chosen_.features = {RowMajorMatrix(numbers_(chosen_.rows, choice_.features))};
  }

  void encode_features() {
    std::vector<FeatureColumn> columns;
    Index width = 0;
    for (const Index column : choice_.features) {
      columns.push_back(feature_column(column, width));
      width += columns.back().width();
    }
    CsrMatrix sparse;
    sparse.rows = static_cast<Index>(chosen_.rows.size());
    sparse.cols = width;
    sparse.starts.push_back(0);
    const auto add = [&sparse](Index column, double value) {
      if (value == 0.0) return;
      sparse.columns.push_back(static_cast<std::int32_t>(column));
      sparse.values.push_back(value);
    };
    for (const Index row : chosen_.rows) {
      for (const FeatureColumn& feature : columns) {
        const TextCell* cell = text_at(row, feature.column);
        if (cell != nullptr && says_missing(cell->text)) {
          for (Index k = 0; k < feature.width(); ++k)
            add(feature.first + k, feature.filling[static_cast<std::size_t>(k)]);
        } else if (feature.category) {
          const Category value =
              cell == nullptr ? Category{false, numbers_(row, feature.column)} : Category{true, 0.0, cell->text};
          add(feature.first + feature.places.at(value), 1.0);
        } else {
          add(feature.first, numbers_(row, feature.column));
        }
      }
      sparse.starts.push_back(static_cast<std::int64_t>(sparse.values.size()));
    }
    if (kSparseShare * sparse.nonzeros() <= sparse.rows * sparse.cols) {
      chosen_.features = {std::move(sparse)};
      return;
    }
    RowMajorMatrix dense = RowMajorMatrix::Zero(sparse.rows, sparse.cols);
    for (Index i = 0; i < sparse.rows; ++i)
      for (auto k = static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i)]);
           k < static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i) + 1]); ++k)
        dense(i, sparse.columns[k]) = sparse.values[k];
    chosen_.features = {std::move(dense)};
  }

  /// Its places, names and what stands for a missing value.
  FeatureColumn feature_column(Index column, Index first) {
    FeatureColumn feature{column, role(column) == Role::category, first};
    const std::string name = table_.column_names.empty() ? fmt::format("{}", column)
                                                         : table_.column_names[static_cast<std::size_t>(column)];
    double count = 0.0, sum = 0.0;
    if (feature.category) {
      for (const auto& [value, rows] : count_categories(column)) {
        feature.places.emplace(value, static_cast<Index>(feature.places.size()));
        feature.filling.push_back(static_cast<double>(rows));
        count += static_cast<double>(rows);
        chosen_.names.push_back(fmt::format("{}={}", name, value.words()));
      }
      for (double& share : feature.filling) share /= count;
    } else {
      for (const Index row : chosen_.rows) {
        if (text_at(row, column) != nullptr) continue;
        sum += numbers_(row, column);
        count += 1.0;
      }
      feature.filling = {sum / count};
      chosen_.names.push_back(name);
    }
    if (count == 0.0)
      throw InputError({file_, 0, fmt::format("a value in column {}", column_in_words(table_, column)), "none",
                        "leave the column out with `drop`"});
    return feature;
  }

  DataFile table_;
  RowMajorMatrix& numbers_;
  const ColumnChoice& choice_;
  const std::string& file_;
  std::vector<std::size_t> starts_;  // of the texts of each row
  std::vector<Role> roles_;          // of each column of the table
  ChosenColumns chosen_;
};

}  // namespace

bool says_missing(const std::string& text) {
  const std::string word = lower_case(text);
  return word.empty() || word == "?" || word == "na" || word == "n/a" || word == "nan" || word == "null";
}

std::string column_in_words(const DataFile& table, Index column) {
  if (table.column_names.empty()) return fmt::format("{} (counted from 0)", column);
  return in_quotes(table.column_names[static_cast<std::size_t>(column)]);
}

ChosenColumns choose_columns(DataFile table, const ColumnChoice& choice, const std::string& file) {
  if (!table.matrix.is_owned()) table.matrix = table.matrix.owned();
  return Chooser(std::move(table), choice, file).choose();
}

}  // namespace fcbio::io
