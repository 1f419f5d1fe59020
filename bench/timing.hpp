// What the micro benchmarks share: best-of-several timing, a triad that shows what the memory gives, and synthetic
// sparse rows.
#pragma once

#include <algorithm>
#include <chrono>

#include "fcbio/linear_map.hpp"
#include "fcbio/threads.hpp"

namespace fcbio::bench {

/// The shortest of `repeats` runs, in seconds: what the machine does when nobody else wants it.
template <class Body>
double best_seconds(int repeats, const Body& body) {
  double best = kInfinity;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    body();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

/// a <- b + 3 c on the worker threads, counted as 24 bytes an entry (as STREAM does).
class Triad {
 public:
  explicit Triad(Index size)
      : a_(Vector::Zero(size)), b_(Vector::Constant(size, 0.5)), c_(Vector::Constant(size, 0.25)) {}
  void run() {
    constexpr Index kShards = 64;
    run_shards(kShards, [this](Index shard) {
      const Index begin = a_.size() * shard / kShards;
      const Index count = a_.size() * (shard + 1) / kShards - begin;
      a_.segment(begin, count) = b_.segment(begin, count) + 3.0 * c_.segment(begin, count);
    });
  }
  double bytes() const { return 24.0 * static_cast<double>(a_.size()); }

 private:
  Vector a_, b_, c_;
};

/// `in_row` numbers in each row, one at a random place of each of `in_row` equal parts.
inline CsrMatrix random_rows(Index rows, Index cols, Index in_row) {
  CsrMatrix matrix;
  matrix.rows = rows;
  matrix.cols = cols;
  const auto total = static_cast<std::size_t>(rows * in_row);
  matrix.starts.reserve(static_cast<std::size_t>(rows) + 1);
  matrix.columns.reserve(total);
  matrix.values.reserve(total);
  matrix.starts.push_back(0);
  std::uint64_t state = 1;
  const auto step = static_cast<std::uint64_t>(cols / in_row);
  for (Index row = 0; row < rows; ++row) {
    for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(in_row); ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      matrix.columns.push_back(static_cast<std::int32_t>(k * step + (state >> 33) % step));
      matrix.values.push_back(0.25 + static_cast<double>(state >> 40) * 0x1p-25);
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
  }
  return matrix;
}

}  // namespace fcbio::bench
