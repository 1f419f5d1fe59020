#include "linalg/pair_sweeps.hpp"

#include <algorithm>
#include <cassert>

#include "fcbio/threads.hpp"
#include "linalg/lanes.hpp"
#include "linalg/shards.hpp"
#include "linalg/sweeps.hpp"

namespace fcbio {
namespace {

constexpr Index kPiece = 2048;               // of four vectors: 64 kB
constexpr Index kPerShard = Index{1} << 16;  // numbers

FCBIO_PART_OF_KERNEL void sum_pair(const double* p_in, const double* q_in, Index size, PairSums& sums) {
  Lanes pp[2] = {}, pq[2] = {}, qq[2] = {};
  Index i = 0;
  for (; i + 2 * kLanes <= size; i += 2 * kLanes) {
    FCBIO_UNROLLED
    for (int k = 0; k < 2; ++k) {
      Lanes p, q;
      load(p, p_in + i + k * kLanes);
      load(q, q_in + i + k * kLanes);
      pp[k] += p * p;
      pq[k] += p * q;
      qq[k] += q * q;
    }
  }
  sums = {total(pp), total(pq), total(qq)};
  for (; i < size; ++i) {
    sums.pp += p_in[i] * p_in[i];
    sums.pq += p_in[i] * q_in[i];
    sums.qq += q_in[i] * q_in[i];
  }
}

struct PairIn {
  double length;
  const double* direction;
  GradientChange upper, lower;
  double a, b;
  Index size;
};

FCBIO_PART_OF_KERNEL void load_change(Lanes& lanes, const GradientChange& change, Index i) {
  lanes = Lanes{};
  if (change.after != nullptr) load(lanes, change.after + i);
  if (change.before == nullptr) return;
  Lanes before;
  load(before, change.before + i);
  lanes -= before;
}

FCBIO_PART_OF_KERNEL double change_at(const GradientChange& change, Index i) {
  return (change.after != nullptr ? change.after[i] : 0.0) - (change.before != nullptr ? change.before[i] : 0.0);
}

FCBIO_PART_OF_KERNEL void fill_pair(const PairIn& in, const PairOut& out, PairSums& sums) {
  Lanes pp[2] = {}, pq[2] = {}, qq[2] = {};
  Index i = 0;
  for (; i + 2 * kLanes <= in.size; i += 2 * kLanes) {
    FCBIO_UNROLLED
    for (int k = 0; k < 2; ++k) {
      const Index j = i + k * kLanes;
      Lanes direction, upper, lower;
      load(direction, in.direction + j);
      load_change(upper, in.upper, j);
      load_change(lower, in.lower, j);
      const Lanes step = in.length * direction;
      const Lanes change = in.a * upper + in.b * lower;
      store(out.step + j, step);
      store(out.upper + j, upper);
      store(out.lower + j, lower);
      store(out.change + j, change);
      pp[k] += step * step;
      pq[k] += step * change;
      qq[k] += change * change;
    }
  }
  sums = {total(pp), total(pq), total(qq)};
  for (; i < in.size; ++i) {
    const double step = in.length * in.direction[i];
    const double upper = change_at(in.upper, i), lower = change_at(in.lower, i);
    const double change = in.a * upper + in.b * lower;
    out.step[i] = step;
    out.upper[i] = upper;
    out.lower[i] = lower;
    out.change[i] = change;
    sums.pp += step * step;
    sums.pq += step * change;
    sums.qq += change * change;
  }
}

/// sums[l][v] += <line l, vector v> for kLines lines `stride` apart and kVectors vectors, `size` numbers of each.
template <int kLines, int kVectors>
FCBIO_PART_OF_KERNEL void add_products(const double* line, Index stride, Index size, const double* const* vectors,
                                       double* const* out) {
  Lanes sums[kLines][kVectors] = {};
  Index i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    if (i % 8 == 0) {
      FCBIO_UNROLLED
      for (int l = 0; l < kLines; ++l) __builtin_prefetch(line + l * stride + i + kAhead);
    }
    Lanes of_vector[kVectors];
    FCBIO_UNROLLED
    for (int v = 0; v < kVectors; ++v) load(of_vector[v], vectors[v] + i);
    FCBIO_UNROLLED
    for (int l = 0; l < kLines; ++l) {
      Lanes numbers;
      load(numbers, line + l * stride + i);
      FCBIO_UNROLLED
      for (int v = 0; v < kVectors; ++v) sums[l][v] += numbers * of_vector[v];
    }
  }
  FCBIO_UNROLLED
  for (int l = 0; l < kLines; ++l) {
    FCBIO_UNROLLED
    for (int v = 0; v < kVectors; ++v) {
      double sum = total(sums[l][v]);
      for (Index j = i; j < size; ++j) sum += line[l * stride + j] * vectors[v][j];
      out[v][l] += sum;
    }
  }
}

/// A piece of all lines with kVectors vectors; out[v] holds a number per line.
template <int kVectors>
FCBIO_PART_OF_KERNEL void piece_products(const DenseBlock& piece, const double* const* vectors,
                                         double* const* out) {
  constexpr int kLines = kVectors <= 2 ? 4 : 2;
  double* shifted[kVectors];
  Index o = 0;
  for (; o + kLines <= piece.outer; o += kLines) {
    FCBIO_UNROLLED
    for (int v = 0; v < kVectors; ++v) shifted[v] = out[v] + o;
    add_products<kLines, kVectors>(piece.data + o * piece.stride, piece.stride, piece.inner, vectors, shifted);
  }
  for (; o < piece.outer; ++o) {
    FCBIO_UNROLLED
    for (int v = 0; v < kVectors; ++v) shifted[v] = out[v] + o;
    add_products<1, kVectors>(piece.data + o * piece.stride, piece.stride, piece.inner, vectors, shifted);
  }
}

FCBIO_PART_OF_KERNEL void all_products(const DenseBlock& block, int count, const double* const* vectors,
                                       double* const* out) {
  for (Index begin = 0; begin < block.inner; begin += kPiece) {
    const DenseBlock piece{block.data + begin, std::min(kPiece, block.inner - begin), block.outer, block.stride};
    const double* shifted[4];
    for (int v = 0; v < count; ++v) shifted[v] = vectors[v] + begin;
    if (count == 1) piece_products<1>(piece, shifted, out);
    if (count == 2) piece_products<2>(piece, shifted, out);
    if (count == 3) piece_products<3>(piece, shifted, out);
    if (count == 4) piece_products<4>(piece, shifted, out);
  }
}

#define FCBIO_PAIR_SWEEPS(name, target)                                                                         \
  struct name {                                                                                                 \
    target static void sum(const double* p, const double* q, Index size, PairSums& sums) {                      \
      sum_pair(p, q, size, sums);                                                                               \
    }                                                                                                           \
    target static void fill(const PairIn& in, const PairOut& out, PairSums& sums) { fill_pair(in, out, sums); } \
    target static void products(const DenseBlock& block, int count, const double* const* vectors,               \
                                double* const* out) {                                                           \
      all_products(block, count, vectors, out);                                                                 \
    }                                                                                                           \
  };
FCBIO_PAIR_SWEEPS(Plain, )
FCBIO_PAIR_SWEEPS(Avx2, FCBIO_FOR_AVX2)

}  // namespace

PairSums pair_sums(VectorIn p, VectorIn q) {
  assert(p.size() == q.size());
  PairSums sums;
  (use_avx2 ? Avx2::sum : Plain::sum)(p.data(), q.data(), p.size(), sums);
  return sums;
}

PairSums write_pair(double length, VectorIn direction, const GradientChange& upper, const GradientChange& lower,
                    double a, double b, const PairOut& out) {
  PairSums sums;
  const PairIn in{length, direction.data(), upper, lower, a, b, direction.size()};
  (use_avx2 ? Avx2::fill : Plain::fill)(in, out, sums);
  return sums;
}

void tall_inner_products(const DenseBlock& block, const std::array<const double*, 4>& vectors,
                         std::array<Vector, 4>& out) {
  std::array<const double*, 4> given{};
  std::array<double*, 4> results{};
  int count = 0;
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    if (vectors[k] == nullptr) continue;
    out[k].head(block.outer).setZero();
    given[static_cast<std::size_t>(count)] = vectors[k];
    results[static_cast<std::size_t>(count)] = out[k].data();
    ++count;
  }
  (use_avx2 ? Avx2::products : Plain::products)(block, count, given.data(), results.data());
}

void tall_combination(const TallCombination& sum, double* out) {
  struct Job {
    const TallCombination& sum;
    double* out;
    Index shards;
  };
  const Index size = sum.first.inner;
  const Index pieces = (size + kPiece - 1) / kPiece;
  const Job work{sum, out, std::min(pieces, shard_count(size * (sum.first.outer + sum.second.outer), kPerShard))};
  run_shards(work.shards, [&work](Index shard) {
    const TallCombination& in = work.sum;
    const Index length = in.first.inner;
    const Index end = shard_begin(length, work.shards, shard + 1, kPiece);
    for (Index begin = shard_begin(length, work.shards, shard, kPiece); begin < end; begin += kPiece) {
      const Index count = std::min(kPiece, end - begin);
      double* target = work.out + begin;
      blend(in.a, Eigen::Map<const Vector>(in.p + begin, count), in.b,
            Eigen::Map<const Vector>(in.q + begin, count), Eigen::Map<Vector>(target, count));
      const DenseBlock &first = in.first, &second = in.second;
      block_combination({first.data + begin, count, first.outer, first.stride}, 1.0, in.first_weights, target);
      block_combination({second.data + begin, count, second.outer, second.stride}, 1.0, in.second_weights, target);
    }
  });
}

}  // namespace fcbio
