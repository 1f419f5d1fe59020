// How rows of data are cut into shards for the ranks of a job: by stored numbers, and by nothing but the data, so that
// every number of ranks adds up the same shards.
#pragma once

#include <vector>

#include "data/matrix.hpp"

namespace fcbio::data {

/// Shard s is the rows [cuts[s], cuts[s+1]); no shard is without rows.
std::vector<Index> cut_rows(const Matrix& rows);
/// Of sparse rows: the numbers before each row, and in all.
std::vector<Index> cut_rows(std::span<const std::int64_t> starts);

}  // namespace fcbio::data
