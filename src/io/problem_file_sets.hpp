// Sets of a problem file: the [domain] table and the entries of `sets`.
#pragma once

#include "data/sets.hpp"
#include "io/problem_file_dimension.hpp"
#include "io/problem_file_table.hpp"

namespace fcbio::io {

/// A set whose vectors are not expanded yet, because n may come from elsewhere.
struct SetSource {
  data::Set set;
  std::vector<std::optional<VectorValue>> vectors;  ///< one per VectorField, in their order
  std::int64_t sides_line = 0;                      ///< of the sides of rows
  std::vector<SetSource> members;                   ///< intersection, product
  DimensionClaims claims;                           ///< what this set knows about its own n
  std::string place;
};

SetSource read_set(const TableReader& table);
/// The set in n dimensions; n agrees with the claims.
data::Set finish_set(SetSource source, Index n, const std::filesystem::path& file);

}  // namespace fcbio::io
