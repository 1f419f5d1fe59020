// A sparse matrix in tiles, ready for products.
//
// A product of sparse rows with a vector reads the vector at random places and waits wherever its piece does not
// fit into the first cache.  So the columns are cut into bands that fit, the rows into blocks whose piece of the
// result fits into the second cache, and a tile, where a block and a band cross, holds its numbers in the order in
// which they are read (linalg/tile_kernel.hpp).  A block is the work of one shard.  Where the vector is long all
// blocks go through it together, a stripe of bands at a time, so that it comes from memory once.
//
// A number takes 10 bytes (short rows of different lengths a little more), and a row in a tile 2.  Numbers that
// are zero are left out.  Everything about the order of additions is a function of the matrix only.
//
// The numbers of the tiles need not be the matrix's own: with a plan, which says how the matrix was cut, they can be
// used where they lie, in a file that is mapped, say.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "fcbio/linear_map.hpp"
#include "linalg/large_pages.hpp"
#include "linalg/tile_kernel.hpp"
#include "linalg/tile_plan.hpp"

namespace fcbio {

class TiledRows {
 public:
  /// The transpose of a matrix, which must have passed require_csr.
  static TiledRows transpose_of(const CsrMatrix& matrix) { return transpose_of(view_of(matrix)); }
  static TiledRows transpose_of(const CsrView& matrix);
  /// The same without the columns that are empty: place[j] is the number of column j among the `used` others.
  static TiledRows transpose_of(const CsrView& matrix, std::span<const std::int32_t> place, Index used);
  /// The transpose of such a transpose: the matrix itself.
  static TiledRows transpose_of(const TiledRows& rows);

  /// The same transposes, of which the numbers go to the sink, piece after piece, and only the plan is kept.
  static TilePlan spill_transpose_of(const CsrView& matrix, TileSink& sink);
  static TilePlan spill_transpose_of(const CsrView& matrix, std::span<const std::int32_t> place, Index used,
                                     TileSink& sink);
  static TilePlan spill_transpose_of(const TiledRows& rows, TileSink& sink);
  /// The matrix of a plan over numbers of somebody else's, whom `owner` keeps alive.  Refuses (InvalidArgument) a
  /// plan that is not one, or that has another number of numbers; what the numbers are is not looked at.
  static TiledRows over(const TilePlan& plan, const TileNumbers& numbers, std::shared_ptr<const void> owner);
  /// Whether every number is finite and has a place and a row that there are: to be asked before the first product
  /// with numbers that come from elsewhere.
  bool numbers_fit() const;

  TiledRows(TiledRows&&) = default;  // the tiles point into the pieces, which keep their places
  TiledRows(const TiledRows&) = delete;

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  /// The largest number of entries in a row.
  Index longest_row() const { return longest_row_; }
  Index bytes() const;
  /// A copy; zeros are left out.
  CsrMatrix to_csr() const;

  /// visit(row, column, value) for every number, in no order that means anything.
  void visit_all(const std::function<void(Index, Index, double)>& visit) const;

  /// How it is cut.
  Index blocks() const { return static_cast<Index>(blocks_.size()) - 1; }
  Index bands() const { return bands_; }
  Index stripes() const { return stripes_; }

  /// out <- weight A in, on fixed shards.  No allocation.
  void multiply(double weight, const double* in, double* out) const;
  /// out <- out + weight A in.
  void add_product(double weight, const double* in, double* out) const;
  /// out <- A in with twice the digits inside (linalg/accurate_products.hpp); slow, and allocates.
  void accurate_product(const double* in, double* out) const;

 private:
  friend class TileBuilder;
  struct Work;
  TiledRows(Index rows, Index cols) : rows_(rows), cols_(cols) {}
  template <class Visit>
  static TiledRows build(Index rows, Index cols, const Visit& visit, TileSink* sink);
  static TiledRows build_transpose(const CsrView& matrix, TileSink* sink);
  static TiledRows build_transpose(const CsrView& matrix, std::span<const std::int32_t> place, Index used,
                                   TileSink* sink);
  static TiledRows build_transpose(const TiledRows& rows, TileSink* sink);
  TilePlan plan() const;
  bool tile_fits(const Tile& tile, Index height) const;
  template <class Visitor>
  void visit_columns(Index first, Index end, const Visitor& visitor) const;
  void run(Work work) const;
  void run_block(const Work& work, Index block) const;

  /// What the tiles of some blocks point into.
  struct Piece {
    LargeArray<double> values;
    LargeArray<std::uint16_t> places, owners;
  };

  Index rows_, cols_;
  Index longest_row_ = 0;
  int band_bits_ = 0;  // a band has 2^band_bits_ columns
  Index bands_ = 0;
  Index stripes_ = 0;
  std::vector<Index> blocks_;          // first rows, and the end
  std::vector<Piece> pieces_;          // none where the numbers are somebody else's
  std::shared_ptr<const void> owner_;  // who that is
  std::vector<TileRun> runs_;
  std::vector<Tile> tiles_;           // block after block, bands in ascending order
  std::vector<Index> stripe_starts_;  // in tiles_, of (block, stripe), and the end
};

}  // namespace fcbio
