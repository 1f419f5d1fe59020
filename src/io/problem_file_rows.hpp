// The rows of data of a term: the keys `data`, `target`, `sample_weights`, those that choose columns (`columns`,
// `drop`, `categories`, `missing`), those that change them (`standardize`, `scale`), those that select rows
// (`rows`, `shuffle`), `covariance_with` and `intercept`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/fields.hpp"
#include "data/problem.hpp"
#include "io/data_file.hpp"
#include "io/problem_file_table.hpp"
#include "parallel/communicator.hpp"

namespace fcbio::io {

/// Data files of one problem, each read once however many tables name it.  announce() every use first; take()
/// then hands out copies, and the thing itself at the last use.  On many ranks each has its own rows, unless some use needs
/// all of them: take() is then a collective call.
class DataStore {
 public:
  DataStore(const ReadProgress& progress, parallel::Communicator& ranks) : progress_(progress), ranks_(ranks) {}
  void announce(const std::filesystem::path& file, bool needs_all_rows);
  DataFile take(const std::filesystem::path& file);

 private:
  struct Entry {
    int uses = 0;
    bool whole = false;
    std::optional<DataFile> data;
  };
  const ReadProgress& progress_;
  parallel::Communicator& ranks_;
  std::map<std::filesystem::path, Entry> entries_;
};

/// Before n is known: not padded, and without the column of the intercept.
struct TermRows {
  data::Matrix data;
  Vector target;
  Vector sample_weights;           ///< empty: ones
  std::string source;              ///< of the data, for messages
  std::vector<std::string> names;  ///< of the columns; empty: they have none
  bool encoded = false;            ///< some names are those of categories
  bool paddable = false;           ///< with empty columns
  bool intercept = false;
  double intercept_entry = 1.0;                ///< of each row: a covariance with a constant is 0
  std::optional<data::Standardization> units;  ///< empty: as in the file
  std::vector<std::string> notes;
};

/// `function` is what messages call the term.
TermRows read_rows(const TableReader& table, DataStore& store, const data::TargetField& target,
                   std::string_view function);

}  // namespace fcbio::io
