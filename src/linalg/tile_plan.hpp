// How a matrix is cut into tiles, apart from the numbers in them: what is kept beside the numbers where they are
// stored, and checked when they are used again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/tile_kernel.hpp"

namespace fcbio {

/// Changes with every change of how matrices are cut or laid out: products with tiles of another layout have other
/// bits.
inline constexpr std::uint64_t kTileLayout = 1;

struct TilePlan {
  Index rows = 0, cols = 0;
  Index longest_row = 0;             ///< the largest number of entries in a row
  Index band_bits = 0;               ///< a band has 2^band_bits columns
  Index stripes = 0;                 ///< parts of the bands that all blocks go through together
  std::vector<Index> blocks;         ///< first rows, and the end
  std::vector<Index> stripe_starts;  ///< the first tile of every (block, stripe), and the end
  std::vector<Index> tile_bands;     ///< the band of every tile
  std::vector<Index> run_ends;       ///< behind the last run of every tile
  std::vector<TileRun> runs;
  Index bands() const { return (cols + (Index{1} << band_bits) - 1) >> band_bits; }
};

/// The numbers of tiles, one tile after the other (linalg/tile_kernel.hpp).
struct TileNumbers {
  std::span<const double> values;
  std::span<const std::uint16_t> places, owners;
};

/// Where the numbers go, piece after piece, when a matrix is cut that is not to be held in memory.
class TileSink {
 public:
  virtual ~TileSink() = default;
  virtual void take(const TileNumbers& piece) = 0;
};

/// How many values and owners the tiles of a plan have.
struct TileTotals {
  Index values = 0, owners = 0;
};
/// Refuses (InvalidArgument) what TiledRows cannot have made.
TileTotals check_plan(const TilePlan& plan);

}  // namespace fcbio
