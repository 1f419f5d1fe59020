// Going through a matrix to build its transpose, and the products.
#include "linalg/tiled_rows.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "fcbio/threads.hpp"
#include "linalg/accurate_products.hpp"
#include "linalg/at.hpp"
#include "linalg/refusal.hpp"
#include "linalg/shards.hpp"
#include "linalg/tile_builder.hpp"

namespace fcbio {
namespace {

constexpr Index kLargestSpill = Index{1} << 24;  // numbers in a piece: half a gigabyte while it is sorted
constexpr std::uint64_t kExponent = 0x7FF0'0000'0000'0000;

bool is_finite(double number) { return (std::bit_cast<std::uint64_t>(number) & kExponent) != kExponent; }

}  // namespace

/// What the shards of one product share.
struct TiledRows::Work {
  const TiledRows& rows;
  bool over;  // what out holds; otherwise added to it
  double weight;
  const double* in;
  double* out;
  Index stripe = 0;
};

/// `visit(first, end, visitor)` calls visitor(row, column, value) for every number of these rows, and may for
/// others, always in the same order.  It is called once to count and once for each piece: that costs less than
/// holding all numbers twice.
template <class Visit>
TiledRows TiledRows::build(Index rows, Index cols, const Visit& visit, TileSink* sink) {
  std::vector<std::int32_t> counts(at(rows), 0);
  visit(0, rows, [&counts](Index row, Index, double value) { counts[at(row)] += value != 0.0 ? 1 : 0; });
  TiledRows result(rows, cols);
  TileBuilder builder(result, counts, sink == nullptr ? std::numeric_limits<Index>::max() : kLargestSpill);
  while (builder.next_piece()) {
    visit(builder.first_row(), builder.end_row(), [&builder](Index row, Index column, double value) {
      if (builder.wants(row) && value != 0.0) builder.add(row, column, value);
    });
    builder.lay_out();
    if (sink == nullptr) continue;
    const Piece& piece = result.pieces_.back();
    sink->take({piece.values, piece.places, piece.owners});
    result.pieces_.pop_back();
  }
  return result;
}

TiledRows TiledRows::build_transpose(const CsrView& matrix, TileSink* sink) {
  const auto visit = [&matrix](Index, Index, const auto& visitor) {
    for (Index row = 0; row < matrix.rows; ++row)
      for (std::int64_t k = matrix.starts[at(row)]; k < matrix.starts[at(row) + 1]; ++k)
        visitor(Index{matrix.columns[at(k)]}, row, matrix.values[at(k)]);
  };
  return build(matrix.cols, matrix.rows, visit, sink);
}

TiledRows TiledRows::build_transpose(const CsrView& matrix, std::span<const std::int32_t> place, Index used,
                                     TileSink* sink) {
  const auto visit = [&matrix, place](Index, Index, const auto& visitor) {
    for (Index row = 0; row < matrix.rows; ++row)
      for (std::int64_t k = matrix.starts[at(row)]; k < matrix.starts[at(row) + 1]; ++k)
        visitor(Index{place[at(matrix.columns[at(k)])]}, row, matrix.values[at(k)]);
  };
  return build(used, matrix.rows, visit, sink);
}

TiledRows TiledRows::build_transpose(const TiledRows& rows, TileSink* sink) {
  const auto visit = [&rows](Index first, Index end, const auto& visitor) {
    rows.visit_columns(first, end,
                       [&visitor](Index row, Index column, double value) { visitor(column, row, value); });
  };
  return build(rows.cols_, rows.rows_, visit, sink);
}

TiledRows TiledRows::transpose_of(const CsrView& matrix) { return build_transpose(matrix, nullptr); }
TiledRows TiledRows::transpose_of(const CsrView& matrix, std::span<const std::int32_t> place, Index used) {
  return build_transpose(matrix, place, used, nullptr);
}
TiledRows TiledRows::transpose_of(const TiledRows& rows) { return build_transpose(rows, nullptr); }

TilePlan TiledRows::spill_transpose_of(const CsrView& matrix, TileSink& sink) {
  return build_transpose(matrix, &sink).plan();
}
TilePlan TiledRows::spill_transpose_of(const CsrView& matrix, std::span<const std::int32_t> place, Index used,
                                       TileSink& sink) {
  return build_transpose(matrix, place, used, &sink).plan();
}
TilePlan TiledRows::spill_transpose_of(const TiledRows& rows, TileSink& sink) {
  return build_transpose(rows, &sink).plan();
}

TilePlan TiledRows::plan() const {
  TilePlan plan{rows_, cols_, longest_row_, band_bits_, stripes_, blocks_, stripe_starts_, {}, {}, runs_};
  plan.tile_bands.reserve(tiles_.size());
  plan.run_ends.reserve(tiles_.size());
  for (const Tile& tile : tiles_) {
    plan.tile_bands.push_back(tile.band);
    plan.run_ends.push_back(tile.end_run);
  }
  return plan;
}

TiledRows TiledRows::over(const TilePlan& plan, const TileNumbers& numbers, std::shared_ptr<const void> owner) {
  const TileTotals totals = check_plan(plan);
  if (at(totals.values) != numbers.values.size() || at(totals.values) != numbers.places.size() ||
      at(totals.owners) != numbers.owners.size())
    refuse("tiles", std::to_string(totals.values) + " numbers", std::to_string(numbers.values.size()),
           "make the tiles anew");
  TiledRows result(plan.rows, plan.cols);
  result.longest_row_ = plan.longest_row;
  result.band_bits_ = static_cast<int>(plan.band_bits);
  result.bands_ = plan.bands();
  result.stripes_ = plan.stripes;
  result.blocks_ = plan.blocks;
  result.stripe_starts_ = plan.stripe_starts;
  result.runs_ = plan.runs;
  result.owner_ = std::move(owner);
  result.tiles_.reserve(plan.tile_bands.size());
  Tile tile{0, numbers.values.data(), numbers.places.data(), numbers.owners.data(), 0, 0, 0};
  for (std::size_t t = 0; t < plan.tile_bands.size(); ++t) {
    tile.band = plan.tile_bands[t];
    tile.end_run = plan.run_ends[t];
    tile.numbers = 0;
    Index owners = 0;
    for (Index run = tile.first_run; run < tile.end_run; ++run) {
      tile.numbers += plan.runs[at(run)].numbers();
      owners += plan.runs[at(run)].owners();
    }
    result.tiles_.push_back(tile);
    tile.values += tile.numbers;
    tile.places += tile.numbers;
    tile.owners += owners;
    tile.first_run = tile.end_run;
  }
  return result;
}

bool TiledRows::numbers_fit() const {
  std::atomic<bool> fit{true};
  run_shards(blocks(), [this, &fit](Index block) {
    const Index height = blocks_[at(block) + 1] - blocks_[at(block)];
    for (Index t = stripe_starts_[at(block * stripes_)]; t < stripe_starts_[at((block + 1) * stripes_)]; ++t)
      if (!tile_fits(tiles_[at(t)], height)) fit = false;
  });
  return fit;
}

bool TiledRows::tile_fits(const Tile& tile, Index height) const {
  const Index width = std::min(Index{1} << band_bits_, cols_ - (tile.band << band_bits_));
  Index owners = 0;
  for (Index run = tile.first_run; run < tile.end_run; ++run) owners += runs_[at(run)].owners();
  std::uint16_t farthest = 0, lowest = 0;  // loops without a branch, of which the compiler makes vectors
  for (Index k = 0; k < tile.numbers; ++k) farthest = std::max(farthest, tile.places[k]);
  for (Index k = 0; k < owners; ++k) lowest = std::max(lowest, tile.owners[k]);
  bool finite = true;
  for (Index k = 0; k < tile.numbers; ++k) finite &= is_finite(tile.values[k]);
  return finite && farthest < width && lowest < height;
}

/// All numbers of the bands that have one of these columns.
template <class Visitor>
void TiledRows::visit_columns(Index first, Index end, const Visitor& visitor) const {
  for (Index block = 0; block < blocks(); ++block) {
    for (Index t = stripe_starts_[at(block * stripes_)]; t < stripe_starts_[at((block + 1) * stripes_)]; ++t) {
      const Tile& tile = tiles_[at(t)];
      const Index first_row = blocks_[at(block)], first_column = tile.band << band_bits_;
      if (first_column >= end || first_column + (Index{1} << band_bits_) <= first) continue;
      const double* value = tile.values;
      const std::uint16_t* place = tile.places;
      const std::uint16_t* owner = tile.owners;
      for (Index r = tile.first_run; r < tile.end_run; ++r) {
        const TileRun& run = runs_[at(r)];
        for (std::int32_t group = 0; group < run.groups; ++group, owner += run.folded ? 1 : kPack)
          for (Index k = 0; k < kPack * run.packs; ++k, ++value, ++place)
            if (*value != 0.0)
              visitor(first_row + owner[run.folded ? 0 : k % kPack], first_column + *place, *value);
      }
    }
  }
}

void TiledRows::visit_all(const std::function<void(Index, Index, double)>& visit) const {
  visit_columns(0, cols_, visit);
}

CsrMatrix TiledRows::to_csr() const {
  CsrMatrix matrix{rows_, cols_, std::vector<std::int64_t>(at(rows_) + 1, 0), {}, {}};
  visit_columns(0, cols_, [&matrix](Index row, Index, double) { ++matrix.starts[at(row) + 1]; });
  for (Index row = 0; row < rows_; ++row) matrix.starts[at(row) + 1] += matrix.starts[at(row)];
  const auto numbers = static_cast<std::size_t>(matrix.starts.back());
  std::vector<std::pair<std::int32_t, double>> entries(numbers);
  std::vector<std::int64_t> next(matrix.starts.begin(), matrix.starts.end() - 1);
  visit_columns(0, cols_, [&entries, &next](Index row, Index column, double value) {
    entries[at(next[at(row)]++)] = {static_cast<std::int32_t>(column), value};
  });
  for (Index row = 0; row < rows_; ++row)  // a row in a tile need not be in order
    std::sort(entries.begin() + matrix.starts[at(row)], entries.begin() + matrix.starts[at(row) + 1]);
  matrix.columns.reserve(numbers);
  matrix.values.reserve(numbers);
  for (const auto& [column, value] : entries) {
    matrix.columns.push_back(column);
    matrix.values.push_back(value);
  }
  return matrix;
}

Index TiledRows::bytes() const {
  std::size_t sum = tiles_.size() * sizeof(Tile) + runs_.size() * sizeof(TileRun) +
                    (blocks_.size() + stripe_starts_.size()) * sizeof(Index);
  for (const Piece& piece : pieces_)
    sum +=
        piece.values.size() * sizeof(double) + (piece.places.size() + piece.owners.size()) * sizeof(std::uint16_t);
  return static_cast<Index>(sum);
}

void TiledRows::multiply(double weight, const double* in, double* out) const {
  run({*this, true, weight, in, out});
}

void TiledRows::add_product(double weight, const double* in, double* out) const {
  run({*this, false, weight, in, out});
}

void TiledRows::accurate_product(const double* in, double* out) const {
  std::vector<AccurateSum> sums(at(rows_));
  visit_columns(0, cols_,
                [&](Index row, Index column, double value) { sums[at(row)].add_product(value, in[column]); });
  for (Index row = 0; row < rows_; ++row) out[row] = sums[at(row)].value();
}

void TiledRows::run(Work work) const {
  for (work.stripe = 0; work.stripe < stripes_; ++work.stripe) {
    // One captured reference fits into std::function without allocation.
    run_shards(blocks(), [&work](Index block) { work.rows.run_block(work, block); });
  }
}

void TiledRows::run_block(const Work& work, Index block) const {
  const Index first_row = blocks_[at(block)];
  double* out = work.out + first_row;
  if (work.over && work.stripe == 0) std::fill_n(out, blocks_[at(block) + 1] - first_row, 0.0);
  const std::size_t which = at(block * stripes_ + work.stripe);
  for (Index t = stripe_starts_[which]; t < stripe_starts_[which + 1]; ++t) {
    const Tile& tile = tiles_[at(t)];
    const Index first_column = tile.band << band_bits_;
    const Index width = std::min(Index{1} << band_bits_, cols_ - first_column);
    const double* in = work.in + first_column;
    // A piece of the vector of which most is read comes in line by line, not at random.
    if (4 * tile.numbers >= width)
      for (Index j = 0; j < width; j += kCacheLine) __builtin_prefetch(in + j);
    add_tile_product(tile, runs_.data(), work.weight, in, out);
  }
}

}  // namespace fcbio
