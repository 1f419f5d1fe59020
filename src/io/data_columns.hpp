// From a table with named columns, texts and missing values to the numbers of a term: which columns are features
// and in which order, which are categories (one column of 0 and 1 for each value that occurs), and what becomes of
// rows that miss a value.  What depends on the values (the categories, the means, two classes given as texts) is
// decided on the whole table, before rows are selected, so that all selections of one file mean the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/data_file.hpp"

namespace fcbio::io {

/// What to do with a missing value: an empty field, NA, N/A, NaN, null or ?, in any case of the letters.
enum class Missing : std::uint8_t {
  error,
  drop_rows,  ///< rows that miss a value in a column that is used are left out
  mean,       ///< features: the mean of the values that are there; of a category, the share of each
};

bool says_missing(const std::string& text);

struct ColumnChoice {
  std::vector<Index> features;               ///< in the order of the result
  std::vector<bool> categories;              ///< of each column of the table
  bool texts_are_categories = false;         ///< columns with a text that is no missing value, too
  std::optional<Index> target;               ///< a column that is no feature
  bool target_is_class = false;              ///< two texts are then mapped to -1 and +1, in their order
  std::vector<std::optional<Index>> others;  ///< further columns that are no features
  Missing missing = Missing::error;
};

struct ChosenColumns {
  data::Matrix features;           ///< dense; sparse where categories leave at most a quarter of it
  std::vector<std::string> names;  ///< of the features: "age", "job=nurse"; empty: the table has none
  std::vector<Index> rows;         ///< of the table: those that were kept, ascending
  Vector target;                   ///< empty: not chosen
  std::vector<Vector> others;      ///< as chosen, likewise
  std::vector<std::string> notes;  ///< told to the user
};

/// `file` is what messages call the table.  Throws InputError with the line and the column.
ChosenColumns choose_columns(DataFile table, const ColumnChoice& choice, const std::string& file);

/// 'age', or 3 where columns have no names.
std::string column_in_words(const DataFile& table, Index column);

}  // namespace fcbio::io
