// The dense kernels on fixed shards.
//
// How the combination is cut.  Cutting lines across (each shard a range of outputs) reads pieces far apart, and
// from memory that is slow (7500 x 7500 on one core: 24 GB/s uncut, 18 in pieces of 4096, 17 of 2048, 11 of 512).
// So only lines of kWideLine numbers and more are cut across, into an even number of pieces of kNarrowestCut at
// least; shorter ones are cut by groups of lines: a group sums into its own part of a buffer on the stack, and the
// parts are then added in order.  Either way limits and order depend on the shape only.
#include "linalg/dense_products.hpp"

#include <algorithm>

#include "fcbio/threads.hpp"
#include "linalg/shards.hpp"

namespace fcbio {
namespace {

constexpr Index kPerShard =
    Index{1} << 16;  // 512 kB, 10 microseconds at best: well above the cost of waking a worker
constexpr Index kWideLine = 4096;
constexpr Index kNarrowestCut = 2048;
constexpr Index kPartialNumbers = 16384;  // 128 kB of stack

/// What the shards of one product share.  A body that captures one reference fits into std::function without
/// allocation.
struct Job {
  const DenseBlock& matrix;
  double weight;
  const double* in;
  double* out;
  Index shards;

  /// The lines of a shard, and where they begin.
  DenseBlock lines(Index shard, Index& begin) const {
    begin = shard_begin(matrix.outer, shards, shard, 1);
    const Index count = shard_begin(matrix.outer, shards, shard + 1, 1) - begin;
    return {matrix.data + begin * matrix.stride, matrix.inner, count, matrix.stride};
  }

  /// The pieces of all lines that belong to a shard, and where they begin.
  DenseBlock pieces(Index shard, Index& begin) const {
    begin = shard_begin(matrix.inner, shards, shard, kCacheLine);
    const Index count = shard_begin(matrix.inner, shards, shard + 1, kCacheLine) - begin;
    return {matrix.data + begin, count, matrix.outer, matrix.stride};
  }
};

/// Numbers of a partial sum, rounded up so that two shards never write to one cache line.
Index partial_stride(const DenseBlock& matrix) {
  return (matrix.inner + kCacheLine - 1) / kCacheLine * kCacheLine;
}

void combine_groups_of_lines(const DenseBlock& matrix, double weight, const double* in, double* out,
                             Index shards) {
  alignas(kCacheLine * sizeof(double)) double partial[kPartialNumbers];
  const Job work{matrix, weight, in, partial, shards};
  run_shards(shards, [&work](Index shard) {
    double* part = work.out + shard * partial_stride(work.matrix);
    std::fill_n(part, work.matrix.inner, 0.0);
    Index begin = 0;
    const DenseBlock lines = work.lines(shard, begin);
    block_combination(lines, work.weight, work.in + begin, part);
  });
  for (Index shard = 0; shard < shards; ++shard) {
    const double* part = partial + shard * partial_stride(matrix);
    for (Index i = 0; i < matrix.inner; ++i) out[i] += part[i];
  }
}

}  // namespace

void add_inner_products(const DenseBlock& matrix, double weight, const double* in, double* out) {
  const Index shards = std::min(shard_count(matrix.inner * matrix.outer, kPerShard), matrix.outer);
  const Job work{matrix, weight, in, out, shards};
  run_shards(shards, [&work](Index shard) {
    Index begin = 0;
    const DenseBlock lines = work.lines(shard, begin);
    block_inner_products(lines, work.weight, work.in, work.out + begin);
  });
}

void add_combination(const DenseBlock& matrix, double weight, const double* in, double* out) {
  const Index wanted = shard_count(matrix.inner * matrix.outer, kPerShard);
  if (matrix.inner >= kWideLine) {
    const Job work{matrix, weight, in, out, std::min(wanted, matrix.inner / (2 * kNarrowestCut) * 2)};
    run_shards(work.shards, [&work](Index shard) {
      Index begin = 0;
      const DenseBlock pieces = work.pieces(shard, begin);
      block_combination(pieces, work.weight, work.in, work.out + begin);
    });
    return;
  }
  const Index shards = std::min(wanted, kPartialNumbers / partial_stride(matrix));
  if (shards == 1) {
    block_combination(matrix, weight, in, out);
  } else {
    combine_groups_of_lines(matrix, weight, in, out, shards);
  }
}

}  // namespace fcbio
