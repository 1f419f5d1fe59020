// Terms of a problem file: the [upper] and [lower] tables, with the data files they name.
#pragma once

#include <map>
#include <memory>

#include "data/functions.hpp"
#include "io/data_file.hpp"
#include "io/problem_file_dimension.hpp"
#include "io/problem_file_table.hpp"

namespace fcbio::io {

/// Data files of one problem, each read once however many tables name it.  announce() every use first; take()
/// then hands out copies, and the thing itself at the last use.
class DataStore {
 public:
  void announce(const std::filesystem::path& file);
  DataFile take(const std::filesystem::path& file);

 private:
  struct Entry {
    int uses = 0;
    std::optional<DataFile> data;
  };
  std::map<std::filesystem::path, Entry> entries_;
};

/// A term with its rows selected and labels mapped, before n is known: not padded, no column of ones yet.
struct TermSource {
  data::Term term;
  bool intercept = false;
  std::optional<VectorValue> vector;  ///< centre or coefficients
  DimensionClaims claims;
  std::vector<std::string> notes;
};

TermSource read_term(const TableReader& table, DataStore& store);
/// The term in n dimensions; n agrees with the claims.  With an intercept the data columns are padded to n - 1 and
/// the ones are column n - 1, the last.
data::Term finish_term(TermSource source, Index n);

}  // namespace fcbio::io
