// Terms of a problem file: the [upper] and [lower] tables, with the data files they name.
#pragma once

#include <string>
#include <vector>

#include "data/functions.hpp"
#include "io/problem_file_dimension.hpp"
#include "io/problem_file_rows.hpp"
#include "io/problem_file_table.hpp"

namespace fcbio::io {

/// What the variable of a column of ones is called.
inline constexpr const char* kInterceptName = "intercept";

/// A term with its rows selected and labels mapped, before n is known: not padded, no column of ones yet.
struct TermSource {
  data::Term term;
  bool intercept = false;
  double intercept_entry = 1.0;
  bool maximize = false;  ///< the weight is turned already, the coefficients of a linear function are not
  std::vector<std::optional<VectorValue>> vectors;  ///< one per VectorField, in their order
  DimensionClaims claims;
  std::vector<std::string> names;  ///< of the variables, as the data has them; empty: it has none
  bool encoded = false;            ///< some of them are categories
  std::string data_source;         ///< of the data, for messages; empty: the term has none
  std::optional<data::Standardization> units;
  std::vector<std::string> notes;
};

TermSource read_term(const TableReader& table, DataStore& store);
/// The term in n dimensions, whose variables have these names or none; n agrees with the claims.  With an
/// intercept the data columns are padded to n - 1 and the ones are column n - 1, the last.
data::Term finish_term(TermSource source, Index n, const std::vector<std::string>& names,
                       const std::filesystem::path& file);

}  // namespace fcbio::io
