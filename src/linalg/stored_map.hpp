// Sparse maps whose tiles lie somewhere else: in a file that is mapped, say, so that a map of data larger than memory
// is made at once and its products read the file.  The map is the one that sparse_map() makes of the same rows, to the
// bit.
//
//   SparseMapPlan plan = spill_sparse_map(rows, first);            the numbers of M' go to `first`
//   spill_second_half(plan, numbers of M', second);                those of M to `second`
//   ... the plan and the numbers are stored, and found again:
//   LinearMapPtr map = stored_sparse_map(plan, numbers of M', numbers of M, owner);
#pragma once

#include <memory>
#include <vector>

#include "fcbio/linear_map.hpp"
#include "linalg/entry_bounds.hpp"
#include "linalg/tile_plan.hpp"

namespace fcbio {

/// All of a sparse map but the numbers of its tiles.
struct SparseMapPlan {
  EntryBounds bounds;
  Index cols = 0;           ///< of the map, empty ones included
  Index numbers = 0;        ///< stored in the rows, zeros included
  std::vector<Index> used;  ///< the columns that the tiles are of, ascending; empty: all
  TilePlan transposed, forward;
};

/// Without `forward`.  Refuses what sparse_map() refuses.
SparseMapPlan spill_sparse_map(const CsrView& matrix, TileSink& sink);
void spill_second_half(SparseMapPlan& plan, const TileNumbers& transposed, TileSink& sink);

/// Reads all numbers once, on the threads of the scope.  Refuses (InvalidArgument) a plan that is not one, and numbers
/// that do not fit it.
LinearMapPtr stored_sparse_map(const SparseMapPlan& plan, const TileNumbers& transposed,
                               const TileNumbers& forward, const std::shared_ptr<const void>& owner);

/// Whether the tiles hold the numbers of the rows, zeros aside: found by sums over all of them, which differ but by a
/// chance of 2^-64 where a number does.  The tiles must be sound.
bool same_entries(const CsrView& rows, const SparseMapPlan& plan, const TileNumbers& transposed,
                  const TileNumbers& forward);

}  // namespace fcbio
