// How work is cut.  Everything here is a function of sizes only, never of the number of threads: that is what
// makes results the same to the bit for any number of threads.
#pragma once

#include <algorithm>

#include "fcbio/types.hpp"

namespace fcbio {

inline constexpr Index kMaximalShards = 64;
inline constexpr Index kCacheLine = 8;  // numbers

/// Number of shards for `work` numbers read, about `per_shard` of them in each.
inline Index shard_count(Index work, Index per_shard) {
  return std::clamp<Index>(work / per_shard, 1, kMaximalShards);
}

/// Start of shard `shard` when 0 .. length-1 is cut into `shards` nearly equal parts whose starts are multiples of
/// `grain`; shard_begin(.., shards, ..) is the length.  Parts may be empty when length < shards * grain.
inline Index shard_begin(Index length, Index shards, Index shard, Index grain) {
  if (shard == shards) return length;
  // length < 2^31 and shard <= 64, so the product does not overflow.
  return std::min(length, (length * shard / shards + grain / 2) / grain * grain);
}

}  // namespace fcbio
