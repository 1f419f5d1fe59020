// The product of one tile of a sparse matrix with a piece of a vector, on the calling thread.
//
// A tile holds its numbers in packs of four, each number with its 16-bit place in the piece of the vector.  A
// group of packs is either four rows of nearly the same length side by side, a row in each lane, or one long row
// folded over the four lanes.  Groups with the same number of packs follow each other in runs, so that the
// processor guesses every branch, and four sums at a time have no chain to wait for.  Rows that are too short for
// their group end with zeros.
#pragma once

#include <cstdint>

#include "fcbio/types.hpp"

namespace fcbio {

inline constexpr Index kPack = 4;

struct TileRun {
  std::int32_t packs = 0;   ///< in each group
  std::int32_t groups = 0;  ///< that follow each other
  bool folded = false;
  Index owners() const { return folded ? groups : kPack * groups; }  ///< rows it adds to
  Index numbers() const { return kPack * packs * groups; }
};

struct Tile {
  Index band = 0;                         ///< which piece of the vector
  const double* values = nullptr;         ///< its packs
  const std::uint16_t* places = nullptr;  ///< of the values
  const std::uint16_t* owners = nullptr;  ///< rows within the block: of the lanes of a group, or of its one row
  Index first_run = 0, end_run = 0;
  Index numbers = 0;
};

/// out[row] += weight * <row, in> for every row of the tile; `runs` are all runs of the matrix.  No allocation;
/// bits depend on the numbers only, not on alignment, processor or compiler.
void add_tile_product(const Tile& tile, const TileRun* runs, double weight, const double* in, double* out);

}  // namespace fcbio
