// Sets of a problem file: the [domain] table and the entries of `sets`.
#pragma once

#include "io/problem_file_dimension.hpp"
#include "io/problem_file_table.hpp"

namespace fcbio::io {

/// A set whose vector keys are not expanded yet, because n may come from elsewhere.
struct SetSource {
  SetData set;
  std::optional<VectorValue> center, lower, upper, coefficients;
  std::vector<SetSource> members;  ///< intersection, product
  DimensionClaims claims;          ///< what this set knows about its own n
  std::string place;
};

/// Names of all sets, in the order of the documentation.
const std::vector<std::string>& set_names();
SetSource read_set(const TableReader& table);
/// The set in n dimensions; n agrees with the claims.
SetData finish_set(SetSource source, Index n, const std::filesystem::path& file);

}  // namespace fcbio::io
