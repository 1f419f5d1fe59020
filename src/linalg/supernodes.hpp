// The columns of a sparse factor in groups (supernodes) whose numbers lie in the same rows: a group is one dense block,
// its own triangle on top.  Groups are made wider where few zeros must be stored for it.
#pragma once

#include "linalg/sparse_ordering.hpp"

namespace fcbio {

struct Supernodes {
  Supernodes() = default;
  Supernodes(const Cliques& cliques, const SparseOrdering& ordering);

  std::size_t count() const { return firsts.size() - 1; }
  Index width(std::size_t s) const { return firsts[s + 1] - firsts[s]; }
  /// Rows below the triangle, ascending.
  std::span<const std::int32_t> rows(std::size_t s) const {
    return {row_numbers.data() + row_starts[s], static_cast<std::size_t>(row_starts[s + 1] - row_starts[s])};
  }
  /// Rows of the block, the triangle's included.
  Index height(std::size_t s) const { return width(s) + row_starts[s + 1] - row_starts[s]; }

  std::vector<std::int32_t> firsts = {0};  ///< first column of each, and the number of all columns
  std::vector<std::int32_t> owner;         ///< the supernode of a column
  std::vector<std::int64_t> row_starts = {0};
  std::vector<std::int32_t> row_numbers;
  std::vector<std::int64_t> block_starts = {
      0};  ///< of blocks one after the other, height times width numbers each
};

}  // namespace fcbio
