#include "data/row_shards.hpp"

#include <algorithm>

namespace fcbio::data {
namespace {

/// Divisible by 2, 3, 4, 6, 8 and 12: so many ranks have the same number of shards each.
constexpr Index kLeastShards = 24;
/// Enough that what a shard costs besides its numbers does not count.
constexpr Index kMostNumbers = Index{1} << 23;

Index shards_for(Index rows, Index numbers) {
  Index shards = kLeastShards;
  while (shards < numbers / kMostNumbers) shards *= 2;
  return std::min(rows, shards);
}

}  // namespace

/// The first row that begins at or behind a share of the numbers, where rows are left for the shards around it.
std::vector<Index> cut_rows(std::span<const std::int64_t> starts) {
  const auto rows = static_cast<Index>(starts.size()) - 1, numbers = static_cast<Index>(starts.back());
  const Index shards = shards_for(rows, numbers);
  std::vector<Index> cuts{0};
  for (Index shard = 1; shard < shards; ++shard) {
    const std::int64_t share = numbers / shards * shard + numbers % shards * shard / shards;
    const auto found = std::lower_bound(starts.begin(), starts.end(), share);
    cuts.push_back(std::clamp(static_cast<Index>(found - starts.begin()), cuts.back() + 1, rows - shards + shard));
  }
  cuts.push_back(rows);
  return cuts;
}

namespace {

std::vector<Index> cut_evenly(Index rows, Index cols) {
  const Index shards = shards_for(rows, rows * cols);
  std::vector<Index> cuts;
  for (Index shard = 0; shard <= shards; ++shard)
    cuts.push_back(rows / shards * shard + rows % shards * shard / shards);
  return cuts;
}

}  // namespace

std::vector<Index> cut_rows(const Matrix& rows) {
  return rows.is_sparse() ? cut_rows(rows.starts()) : cut_evenly(rows.rows(), rows.cols());
}

}  // namespace fcbio::data
