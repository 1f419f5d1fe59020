// Cutting, sorting and laying out.  Every choice is a function of the matrix only.
#include "linalg/tile_builder.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/at.hpp"

namespace fcbio {
namespace {

constexpr int kNarrowestBits = 12;  // 32 kB of the vector: the first cache
constexpr int kWidestBits = 16;     // what a place can tell
// Numbers of a row in a band, on average, below which a wider band gains more than it loses.
constexpr double kWorthNarrowing = 1.5;

constexpr Index kRowsOfBlock = Index{1} << 14;  // 128 kB of the result: the second cache
constexpr Index kLeastWork = Index{1} << 14;    // of a block: several times the cost of waking a worker
constexpr Index kLargeWork = Index{1} << 20;    // of a block: with that much of it there may be more blocks
constexpr Index kWorthBlock = 8;                // numbers for each column: a block reads the vector anew

// Columns; what a block reads between the first and the last of them must not drive them out of the third cache.
constexpr Index kStripe = Index{1} << 16;
constexpr Index kWorthStripe = Index{1} << 20;  // numbers after which all threads may wait for each other

constexpr Index kPieces = 12;  // a piece of whole blocks is sorted at a time, which takes that much less memory
constexpr Index kLeastPiece = Index{1} << 20;

Index divide_up(Index a, Index b) { return (a + b - 1) / b; }

}  // namespace

TileBuilder::TileBuilder(TiledRows& matrix, std::span<const std::int32_t> counts, Index largest_piece)
    : matrix_(matrix), counts_(counts) {
  const Index numbers = std::accumulate(counts.begin(), counts.end(), Index{0});
  for (const std::int32_t count : counts) matrix_.longest_row_ = std::max<Index>(matrix_.longest_row_, count);
  per_piece_ = std::clamp(numbers / kPieces, kLeastPiece, largest_piece);
  choose_bands(numbers);
  choose_stripes(numbers);
  cut_blocks(numbers);
}

void TileBuilder::choose_bands(Index numbers) {
  const double share =
      static_cast<double>(numbers) / (static_cast<double>(matrix_.rows_) * static_cast<double>(matrix_.cols_));
  int& bits = matrix_.band_bits_;
  bits = kNarrowestBits;
  while (bits < kWidestBits && share * static_cast<double>(Index{1} << bits) < kWorthNarrowing) ++bits;
  matrix_.bands_ = divide_up(matrix_.cols_, Index{1} << bits);
}

void TileBuilder::choose_stripes(Index numbers) {
  const Index most = std::max<Index>(1, numbers / kWorthStripe);
  const Index stripes = std::min(divide_up(matrix_.cols_, kStripe), most);
  bands_in_stripe_ = divide_up(matrix_.bands_, stripes);
  matrix_.stripes_ = divide_up(matrix_.bands_, bands_in_stripe_);
}

/// Blocks of nearly the same work: a row costs its numbers and one write.
void TileBuilder::cut_blocks(Index numbers) {
  // For the threads there are to be 4 at least, 8 of a large matrix; more of them, up to 16 or 64, where they pay.
  const Index fewest = numbers / kLargeWork >= 8 ? 8 : 4;
  const Index blocks_asked =
      std::clamp(numbers / (kWorthBlock * matrix_.cols_), fewest, std::clamp<Index>(numbers / kLargeWork, 16, 64));
  const Index most = std::max(kLeastWork, (numbers + matrix_.rows_) / blocks_asked);
  std::vector<Index>& blocks = matrix_.blocks_;
  blocks.push_back(0);
  Index work = 0;
  for (Index row = 0; row < matrix_.rows_; ++row) {
    const Index more = counts_[at(row)] + 1;
    if (row > blocks.back() && (work + more > most || row - blocks.back() == kRowsOfBlock)) {
      blocks.push_back(row);
      work = 0;
    }
    work += more;
  }
  blocks.push_back(matrix_.rows_);
}

bool TileBuilder::next_piece() {
  first_block_ = end_block_;
  if (first_block_ == matrix_.blocks()) return false;
  first_row_ = end_row_ = matrix_.blocks_[at(first_block_)];
  Index numbers = 0;
  while (end_block_ < matrix_.blocks() && numbers < per_piece_) {
    ++end_block_;
    for (; end_row_ < matrix_.blocks_[at(end_block_)]; ++end_row_) numbers += counts_[at(end_row_)];
  }
  entries_.clear();
  entries_.reserve(at(numbers));
  return true;
}

void TileBuilder::lay_out() {
  sorted_.resize(entries_.size());
  sort_range(0, entries_.size(), at(end_row_ - first_row_), [](const Entry& entry) { return entry.row; });
  entries_.swap(sorted_);
  const auto band = [bits = matrix_.band_bits_](const Entry& entry) { return entry.column >> bits; };
  std::size_t begin = 0;
  for (Index block = first_block_; block < end_block_; ++block) {
    std::size_t end = begin;
    for (Index row = matrix_.blocks_[at(block)]; row < matrix_.blocks_[at(block) + 1]; ++row)
      end += static_cast<std::size_t>(counts_[at(row)]);
    sort_range(begin, end, at(matrix_.bands_), band);
    while (begin < end) {
      std::size_t end_of_tile = begin + 1;
      while (end_of_tile < end && band(sorted_[end_of_tile]) == band(sorted_[begin])) ++end_of_tile;
      plan_tile(block, band(sorted_[begin]), begin, end_of_tile);
      begin = end_of_tile;
    }
    start_stripes((block + 1) * matrix_.stripes_);
  }
  if (end_block_ == matrix_.blocks()) start_stripes(end_block_ * matrix_.stripes_ + 1);
  fill_piece();
}

/// Puts entries_[begin .. end) into sorted_, in the order of their keys and otherwise as they are.
template <class Key>
void TileBuilder::sort_range(std::size_t begin, std::size_t end, std::size_t keys, const Key& key) {
  starts_.assign(keys + 1, 0);
  for (std::size_t k = begin; k < end; ++k) ++starts_[key(entries_[k]) + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  for (std::size_t k = begin; k < end; ++k) sorted_[begin + starts_[key(entries_[k])]++] = entries_[k];
}

/// The next tile is the first of all (block, stripe) up to `count` that have no start yet.
void TileBuilder::start_stripes(Index count) {
  if (matrix_.stripe_starts_.size() < at(count))
    matrix_.stripe_starts_.resize(at(count), static_cast<Index>(matrix_.tiles_.size()));
}

void TileBuilder::plan_tile(Index block, Index band, std::size_t begin, std::size_t end) {
  start_stripes(block * matrix_.stripes_ + band / bands_in_stripe_ + 1);
  const std::size_t first = strips_.size();
  const auto first_row = static_cast<std::uint32_t>(matrix_.blocks_[at(block)] - first_row_);
  for (std::size_t k = begin; k < end;) {
    const std::uint32_t row = sorted_[k].row;
    std::size_t next = k + 1;
    while (next < end && sorted_[next].row == row) ++next;
    strips_.push_back({static_cast<std::uint16_t>(row - first_row), static_cast<std::int32_t>(next - k), k});
    k = next;
  }
  std::stable_sort(strips_.begin() + static_cast<std::ptrdiff_t>(first), strips_.end(),
                   [](const Strip& a, const Strip& b) { return a.length > b.length; });

  Tile tile;
  tile.band = band;
  tile.first_run = static_cast<Index>(matrix_.runs_.size());
  for (std::size_t k = first; k < strips_.size();) {
    const TileRun group = next_group({strips_.data() + k, strips_.size() - k});
    const bool same = static_cast<Index>(matrix_.runs_.size()) > tile.first_run &&
                      matrix_.runs_.back().packs == group.packs && matrix_.runs_.back().folded == group.folded;
    if (same) {
      ++matrix_.runs_.back().groups;
    } else {
      matrix_.runs_.push_back(group);
    }
    tile.numbers += group.numbers();
    owners_ += group.owners();
    k = std::min(k + at(group.owners()), strips_.size());
  }
  tile.end_run = static_cast<Index>(matrix_.runs_.size());
  numbers_ += tile.numbers;
  matrix_.tiles_.push_back(tile);
  strip_ends_.push_back(strips_.size());
}

/// The first four of these rows side by side, or the first alone where the others would leave much of it empty.
TileRun TileBuilder::next_group(std::span<const Strip> strips) {
  const std::int32_t longest = strips.front().length;
  std::int32_t empty = kPack * longest;
  for (std::size_t k = 0; k < std::min(strips.size(), at(kPack)); ++k) empty -= strips[k].length;
  const bool fold = empty > std::max<std::int32_t>(kPack - 1, longest / 4);
  return {fold ? static_cast<std::int32_t>(divide_up(longest, kPack)) : longest, 1, fold};
}

/// Stores the tiles planned since the last piece.
void TileBuilder::fill_piece() {
  TiledRows::Piece& piece = matrix_.pieces_.emplace_back();
  piece.values.resize(at(numbers_));
  piece.places.resize(at(numbers_));
  piece.owners.resize(at(owners_));
  Slot slot{piece.values.data(), piece.places.data(), piece.owners.data()};
  std::size_t strip = 0;
  const std::size_t first_tile = matrix_.tiles_.size() - strip_ends_.size();
  for (std::size_t t = 0; t < strip_ends_.size(); ++t) {
    Tile& tile = matrix_.tiles_[first_tile + t];
    tile.values = slot.values;
    tile.places = slot.places;
    tile.owners = slot.owners;
    for (Index k = tile.first_run; k < tile.end_run; ++k) {
      const TileRun& run = matrix_.runs_[at(k)];
      for (std::int32_t group = 0; group < run.groups; ++group) {
        const std::size_t end = std::min(strip + (run.folded ? 1 : at(kPack)), strip_ends_[t]);
        fill_group(run, {strips_.data() + strip, end - strip}, slot);
        strip = end;
      }
    }
  }
  strips_.clear();
  strip_ends_.clear();
  numbers_ = owners_ = 0;
}

/// One group, of one row or up to four; a lane without a row adds zeros to the first of them.
void TileBuilder::fill_group(const TileRun& run, std::span<const Strip> strips, Slot& slot) const {
  const Index lanes = run.folded ? 1 : kPack;
  const Index numbers = kPack * run.packs;
  for (Index lane = 0; lane < lanes; ++lane) {
    Strip strip = strips[at(lane) < strips.size() ? at(lane) : 0];
    *slot.owners++ = strip.row;
    if (at(lane) >= strips.size()) strip.length = 0;
    // Zeros go with a place that the row has: they meet no number it would not meet.
    for (Index k = lane, n = 0; k < numbers; k += lanes, ++n) {
      const Entry& entry = sorted_[strip.first + at(std::min<Index>(n, std::max(strip.length - 1, 0)))];
      slot.values[k] = n < strip.length ? entry.value : 0.0;
      slot.places[k] = static_cast<std::uint16_t>(entry.column & ((1u << matrix_.band_bits_) - 1));
    }
  }
  slot.values += numbers;
  slot.places += numbers;
}

}  // namespace fcbio
