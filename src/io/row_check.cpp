#include "io/row_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fcbio/threads.hpp"
#include "linalg/shards.hpp"

namespace fcbio::io {

namespace {

constexpr Index kNumbersOfShard = Index{1} << 16;

/// sound(row) is asked for the rows [begin, behind), those of a shard until one is not.
template <class Sound>
std::string first_fault(Index begin, Index behind, Index numbers, const Sound& sound) {
  const Index rows = behind - begin;
  if (rows == 0) return {};
  const Index shards = std::min(shard_count(numbers, kNumbersOfShard), rows);
  std::vector<Index> faults(static_cast<std::size_t>(shards), rows);
  run_shards(shards, [&](Index shard) {
    const Index end = shard_begin(rows, shards, shard + 1, 1);
    for (Index row = shard_begin(rows, shards, shard, 1); row < end; ++row) {
      if (sound(begin + row)) continue;
      faults[static_cast<std::size_t>(shard)] = row;
      return;
    }
  });
  const Index first = *std::min_element(faults.begin(), faults.end());
  return first == rows ? std::string() : fmt::format("row {} (counted from 0) that is not sound", begin + first);
}

}  // namespace

std::string fault_of_starts(const CsrView& matrix) {
  if (matrix.starts.front() != 0 || matrix.starts.back() != matrix.nonzeros() ||
      !std::is_sorted(matrix.starts.begin(), matrix.starts.end()))
    return "starts of rows that do not ascend";
  return {};
}

std::string fault_of(const CsrView& matrix, Index first, Index end) {
  const Index numbers = static_cast<Index>(matrix.starts[static_cast<std::size_t>(end)] -
                                           matrix.starts[static_cast<std::size_t>(first)]);
  return first_fault(first, end, numbers, [&matrix](Index row) {
    const auto row_begin = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row)]);
    const auto row_end = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row) + 1]);
    bool sound = true;
    Index before = -1;
    for (std::size_t k = row_begin; k < row_end; ++k) {
      sound = sound && matrix.columns[k] > before && matrix.columns[k] < matrix.cols &&
              std::isfinite(matrix.values[k]);
      before = matrix.columns[k];
    }
    return sound;
  });
}

std::string fault_of(const DenseView& matrix, Index first, Index end) {
  return first_fault(first, end, (end - first) * matrix.cols, [&matrix](Index row) {
    bool sound = true;
    for (Index col = 0; col < matrix.cols; ++col) sound = sound && std::isfinite(matrix(row, col));
    return sound;
  });
}

}  // namespace fcbio::io
