// Cuts a matrix into tiles and lays out their numbers, a piece (some blocks of rows) at a time.
//
//   TileBuilder builder(matrix, counts);
//   while (builder.next_piece()) { add() every entry whose row it wants(); builder.lay_out(); }
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/tiled_rows.hpp"

namespace fcbio {

class TileBuilder {
 public:
  /// Cuts `matrix`, which has its size only; `counts` are the numbers of its rows and must outlive the builder.
  /// A piece ends with the block in which it reaches `largest_piece` numbers, if not before: no tile depends on it.
  TileBuilder(TiledRows& matrix, std::span<const std::int32_t> counts, Index largest_piece);

  /// Goes on to the next piece; false when there is none.
  bool next_piece();
  Index first_row() const { return first_row_; }
  Index end_row() const { return end_row_; }
  bool wants(Index row) const { return row >= first_row_ && row < end_row_; }
  void add(Index row, Index column, double value) {
    entries_.push_back({static_cast<std::uint32_t>(row - first_row_), static_cast<std::uint32_t>(column), value});
  }
  /// Puts the entries of the piece into tiles.
  void lay_out();

 private:
  struct Entry {
    std::uint32_t row, column;  // row within the piece
    double value;
  };
  /// What a row has in a tile.
  struct Strip {
    std::uint16_t row;  // within the block
    std::int32_t length;
    std::size_t first;  // of the sorted entries
  };
  /// Where the next group goes.
  struct Slot {
    double* values;
    std::uint16_t *places, *owners;
  };

  void choose_bands(Index numbers);
  void choose_stripes(Index numbers);
  void cut_blocks(Index numbers);
  template <class Key>
  void sort_range(std::size_t begin, std::size_t end, std::size_t keys, const Key& key);
  void start_stripes(Index count);
  void plan_tile(Index block, Index band, std::size_t begin, std::size_t end);
  static TileRun next_group(std::span<const Strip> strips);
  void fill_piece();
  void fill_group(const TileRun& run, std::span<const Strip> strips, Slot& slot) const;

  TiledRows& matrix_;
  std::span<const std::int32_t> counts_;
  Index bands_in_stripe_ = 1;
  Index per_piece_ = 0;

  // Of the piece.
  Index first_block_ = 0, end_block_ = 0;
  Index first_row_ = 0, end_row_ = 0;
  std::vector<Entry> entries_, sorted_;
  std::vector<std::size_t> starts_;
  std::vector<Strip> strips_;            // tile after tile, the longest first
  std::vector<std::size_t> strip_ends_;  // of its tiles
  Index numbers_ = 0, owners_ = 0;       // to be stored
};

}  // namespace fcbio
