// One kernel for all: C(i, j) += sum over k of w_k A(i, k) B(j, k), A and B lines of numbers with any two strides.
//
// As in every fast product of matrices, k is taken in chunks, and the lines of a chunk are packed: panels of four
// lines of A (times w_k) and of eight lines of B, each with the numbers of one k side by side.  The kernel then keeps a
// tile of 4 x 8 sums in registers and reads both panels from end to end; a panel of B (16 kB) stays in the first
// cache while the lines of A go past it, 32 of them (64 kB) in the second.
//
// Written once with vectors of four numbers and compiled twice, for AVX2 and plain, with the same bits
// (linalg/lanes.hpp).  A task is 32 lines of A with 512 of B; tasks and their order of additions depend on the sizes
// only.  On one core (AMD EPYC, Zen 4) a Gram matrix of 5000 x 784 is made at 43 GFlop/s and one of 5000 x 16 at 15; a
// loop of inner products has 2.5, and 48 is what two additions and two multiplications of four numbers a clock allow.
#include "linalg/row_products.hpp"

#include <algorithm>
#include <vector>

#include "fcbio/threads.hpp"
#include "linalg/lanes.hpp"

namespace fcbio {
namespace {

constexpr Index kChunk = 256;    // k at a time
constexpr Index kLeft = 4;       // lines of A in a panel
constexpr Index kRight = 8;      // lines of B in a panel
constexpr Index kTaskLeft = 32;  // lines of A, and of B, in a task
constexpr Index kTaskRight = 512;
constexpr Index kGroupLeft = 256;  // packed at a time; at most 1e9 operations between two looks at the clock
constexpr Index kGroupRight = 4096;

/// Line i has the numbers data[i * line + k * step], k = 0, 1 ..
struct Lines {
  const double* data;
  Index count, line, step;
};

/// Packs lines `first` .. `first + kWidth` (those that exist; zeros for others), numbers `begin` .. `begin + length`.
template <Index kWidth>
FCBIO_PART_OF_KERNEL void pack_panel(const Lines& lines, Index first, Index begin, Index length,
                                     const double* weights, double sign, double* out) {
  const Index width = std::min(kWidth, lines.count - first);
  const double* from = lines.data + first * lines.line + begin * lines.step;
  if (width < kWidth) std::fill_n(out, kWidth * length, 0.0);
  if (lines.line == 1) {
    for (Index k = 0; k < length; ++k) {
      const double factor = weights == nullptr ? sign : sign * weights[begin + k];
      const double* const numbers = from + k * lines.step;
      if (width == kWidth)
        for (Index i = 0; i < kWidth; ++i) out[k * kWidth + i] = factor * numbers[i];
      else
        for (Index i = 0; i < width; ++i) out[k * kWidth + i] = factor * numbers[i];
    }
    return;
  }
  Index k = 0;
  if (width == kWidth && lines.step == 1) {
    for (; k + kLanes <= length; k += kLanes) {
      for (Index i = 0; i < kWidth; i += kLanes) {  // a block of 4 x 4, transposed
        Lanes a, b, c, d;
        load(a, from + i * lines.line + k);
        load(b, from + (i + 1) * lines.line + k);
        load(c, from + (i + 2) * lines.line + k);
        load(d, from + (i + 3) * lines.line + k);
        const Lanes ab_low = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                    ab_high = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                    cd_low = __builtin_shufflevector(c, d, 0, 4, 2, 6),
                    cd_high = __builtin_shufflevector(c, d, 1, 5, 3, 7);
        Lanes columns[kLanes] = {__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
                                 __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
                                 __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
                                 __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
        for (Index j = 0; j < kLanes; ++j) {
          const double factor = weights == nullptr ? sign : sign * weights[begin + k + j];
          columns[j] *= factor;
          store(out + (k + j) * kWidth + i, columns[j]);
        }
      }
    }
  }
  for (; k < length; ++k) {
    const double factor = weights == nullptr ? sign : sign * weights[begin + k];
    for (Index i = 0; i < width; ++i) out[k * kWidth + i] = factor * from[i * lines.line + k * lines.step];
  }
}

/// The tile of 4 x 8 sums over `length` packed numbers.
FCBIO_PART_OF_KERNEL void tile(const double* left, const double* right, Index length, Lanes (&sums)[kLeft][2]) {
  for (Index i = 0; i < kLeft; ++i) sums[i][0] = sums[i][1] = Lanes{};
  for (Index k = 0; k < length; ++k) {
    Lanes first, second;
    load(first, right + k * kRight);
    load(second, right + k * kRight + kLanes);
    FCBIO_UNROLLED
    for (Index i = 0; i < kLeft; ++i) {
      const double number = left[k * kLeft + i];
      sums[i][0] += number * first;
      sums[i][1] += number * second;
    }
  }
}

/// What the shards of one product share.
struct Job {
  const Lines &a, &b;
  const double* weights;
  double sign;
  bool lower;
  double* out;
  Index stride;
  double *packed_a, *packed_b;
  // The present chunk, and groups of lines.
  Index chunk = 0, length = 0, first_a = 0, end_a = 0, first_b = 0, end_b = 0;
  Index strips = 1;  // of tasks, along b
};

FCBIO_PART_OF_KERNEL void pack_right(const Job& job, Index shard) {
  const Index begin = job.first_b + shard * kTaskRight, end = std::min(begin + kTaskRight, job.end_b);
  for (Index j = begin; j < end; j += kRight)
    pack_panel<kRight>(job.b, j, job.chunk, job.length, nullptr, 1.0,
                       job.packed_b + (j - job.first_b) * job.length);
}

FCBIO_PART_OF_KERNEL void pack_left(const Job& job, Index shard) {
  const Index begin = job.first_a + shard * kTaskLeft, end = std::min(begin + kTaskLeft, job.end_a);
  for (Index i = begin; i < end; i += kLeft)
    pack_panel<kLeft>(job.a, i, job.chunk, job.length, job.weights, job.sign,
                      job.packed_a + (i - job.first_a) * job.length);
}

FCBIO_PART_OF_KERNEL void multiply(const Job& job, Index shard) {
  const Index begin_a = job.first_a + shard / job.strips * kTaskLeft;
  const Index end_a = std::min(begin_a + kTaskLeft, job.end_a);
  const Index begin_b = job.first_b + shard % job.strips * kTaskRight;
  Index end_b = std::min(begin_b + kTaskRight, job.end_b);
  if (job.lower) end_b = std::min(end_b, end_a);
  for (Index j = begin_b; j < end_b; j += kRight) {
    const double* const right = job.packed_b + (j - job.first_b) * job.length;
    const Index first_a = job.lower ? std::max(begin_a, j / kLeft * kLeft) : begin_a;
    for (Index i = first_a; i < end_a; i += kLeft) {
      Lanes sums[kLeft][2];
      tile(job.packed_a + (i - job.first_a) * job.length, right, job.length, sums);
      const bool whole = i + kLeft <= end_a && j + kRight <= job.end_b && (!job.lower || i + 1 >= j + kRight);
      if (whole) {
        for (Index row = 0; row < kLeft; ++row) {
          double* const to = job.out + (i + row) * job.stride + j;
          for (Index half = 0; half < 2; ++half) {
            Lanes numbers;
            load(numbers, to + half * kLanes);
            numbers += sums[row][half];
            store(to + half * kLanes, numbers);
          }
        }
        continue;
      }
      for (Index row = 0; row < kLeft && i + row < end_a; ++row) {
        const Index end = std::min({kRight, job.end_b - j, job.lower ? i + row - j + 1 : kRight});
        for (Index column = 0; column < end; ++column)
          job.out[(i + row) * job.stride + j + column] += sums[row][column / kLanes][column % kLanes];
      }
    }
  }
}

using Shard = void (*)(const Job&, Index);
void plain_pack_right(const Job& job, Index shard) { pack_right(job, shard); }
void plain_pack_left(const Job& job, Index shard) { pack_left(job, shard); }
void plain_multiply(const Job& job, Index shard) { multiply(job, shard); }
FCBIO_FOR_AVX2 void avx2_pack_right(const Job& job, Index shard) { pack_right(job, shard); }
FCBIO_FOR_AVX2 void avx2_pack_left(const Job& job, Index shard) { pack_left(job, shard); }
FCBIO_FOR_AVX2 void avx2_multiply(const Job& job, Index shard) { multiply(job, shard); }

Index pieces(Index length, Index piece) { return (length + piece - 1) / piece; }

void run(Index shards, Shard kernel, const Job& job) {
  struct {
    Shard kernel;
    const Job& job;
  } work{kernel, job};
  run_shards(shards, [&work](Index shard) { work.kernel(work.job, shard); });
}

bool add_products(const Lines& a, const Lines& b, Index numbers, const double* weights, double sign, bool lower,
                  double* out, Index stride, Watch* watch) {
  static thread_local std::vector<double> buffer;
  const Index chunk = std::min(kChunk, numbers);
  const Index size_a = pieces(std::min(a.count, kGroupLeft), kLeft) * kLeft * chunk;
  const Index size_b = pieces(std::min(b.count, kGroupRight), kRight) * kRight * chunk;
  if (static_cast<Index>(buffer.size()) < size_a + size_b)
    buffer.resize(static_cast<std::size_t>(size_a + size_b));

  Job job{a, b, weights, sign, lower, out, stride, buffer.data(), buffer.data() + size_a};
  for (job.first_b = 0; job.first_b < b.count; job.first_b += kGroupRight) {
    job.end_b = std::min(job.first_b + kGroupRight, b.count);
    job.strips = pieces(job.end_b - job.first_b, kTaskRight);
    for (job.chunk = 0; job.chunk < numbers; job.chunk += kChunk) {
      job.length = std::min(kChunk, numbers - job.chunk);
      run(job.strips, use_avx2 ? avx2_pack_right : plain_pack_right, job);
      const Index top = lower ? job.first_b / kLeft * kLeft : 0;
      for (job.first_a = top; job.first_a < a.count; job.first_a += kGroupLeft) {
        job.end_a = std::min(job.first_a + kGroupLeft, a.count);
        const Index bands = pieces(job.end_a - job.first_a, kTaskLeft);
        run(bands, use_avx2 ? avx2_pack_left : plain_pack_left, job);
        run(bands * job.strips, use_avx2 ? avx2_multiply : plain_multiply, job);
        const double pairs = static_cast<double>(job.end_a - job.first_a) *
                             static_cast<double>(std::min(job.end_b, lower ? job.end_a : job.end_b) - job.first_b);
        if (watch != nullptr && watch->is_over(2.0 * pairs * static_cast<double>(job.length))) return false;
      }
    }
  }
  return true;
}

Lines rows_of(const RowBlock& block) { return {block.data, block.rows, block.stride, 1}; }
Lines columns_of(const RowBlock& block) { return {block.data, block.cols, 1, block.stride}; }

}  // namespace

bool add_row_products(const RowBlock& a, const RowBlock& b, double sign, bool lower, double* out, Index stride,
                      Watch* watch) {
  return add_products(rows_of(a), rows_of(b), a.cols, nullptr, sign, lower, out, stride, watch);
}

bool add_weighted_row_products(const RowBlock& a, const RowBlock& b, const double* weights, bool lower,
                               double* out, Index stride, Watch* watch) {
  return add_products(rows_of(a), rows_of(b), a.cols, weights, 1.0, lower, out, stride, watch);
}

bool add_matrix_products(const RowBlock& a, const RowBlock& b, double* out, Index stride, Watch* watch) {
  return add_products(rows_of(a), columns_of(b), a.cols, nullptr, 1.0, false, out, stride, watch);
}

bool add_weighted_gram(const RowBlock& a, const double* weights, double* out, Index stride, Watch* watch) {
  return add_products(columns_of(a), columns_of(a), a.rows, weights, 1.0, true, out, stride, watch);
}

}  // namespace fcbio
