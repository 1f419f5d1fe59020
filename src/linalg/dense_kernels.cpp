// The dense kernels, written once with vectors of four numbers and compiled twice (linalg/lanes.hpp).
//
// Why not BLAS.  dgemv of OpenBLAS takes a work buffer from a table that its serial builds do not lock unless made
// with USE_LOCKING=1.  Debian's (0.3.21) is not: two shards now and then get the same buffer, and the product is
// grossly wrong without a word.  The threaded builds lock, but which of them a program meets is decided on the
// user's machine. Nor is there speed to gain: GB/s of matrix read on one core, AMD EPYC (Zen 4), inner products /
// combination,
//     outer x inner      these kernels     OpenBLAS 0.3.21     Eigen 3.4 (SSE2)
//        16 x 16            36 / 44            24 / 27            30 / 35
//        40 x 100          111 / 121          100 / 91            74 / 69
//       400 x 729           82 / 83            84 / 79            73 / 60
//      5000 x 100           64 / 67            70 / 58            54 / 45
//       100 x 5000          73 / 78            75 / 76            71 / 47
//      1000 x 3000          25 / 30            25 / 23            26 / 20     (24 MB: waits for memory)
//     20000 x 20            59 / 71            76 / 71            59 / 57
//
// Memory.  A core reads fastest from a few long streams that lie far apart: several lines inside one page confuse
// its prefetching (measured from memory, 400000 x 140, inner products: 10 GB/s with four neighbouring lines, 18
// with one, 20 to 23 with lines a quarter of the block apart; 7500 x 7500: 20 with neighbours, 15 far apart).  So
// short lines are taken from the four quarters of a block in turn, long ones with their neighbours.
#include "linalg/dense_kernels.hpp"

#include "linalg/lanes.hpp"

namespace fcbio {
namespace {

constexpr Index kShortLine = 2048;

/// Inner products of `kCount` lines with `in`: two vectors of running sums each, so that additions overlap.  The
/// results go to out[0], out[step] ...
template <int kCount>
FCBIO_PART_OF_KERNEL void lines_inner_products(const double* line, Index stride, Index inner, double weight,
                                               const double* in, double* out, Index step) {
  Lanes even[kCount] = {};
  Lanes odd[kCount] = {};
  Index i = 0;
  for (; i + 2 * kLanes <= inner; i += 2 * kLanes) {
    Lanes in_even;
    Lanes in_odd;
    load(in_even, in + i);
    load(in_odd, in + i + kLanes);
    for (int k = 0; k < kCount; ++k) {
      Lanes numbers;
      load(numbers, line + k * stride + i);
      even[k] += numbers * in_even;
      load(numbers, line + k * stride + i + kLanes);
      odd[k] += numbers * in_odd;
    }
  }
  double sum[kCount];
  for (int k = 0; k < kCount; ++k) {
    even[k] += odd[k];
    sum[k] = total(even[k]);
  }
  for (; i < inner; ++i) {
    for (int k = 0; k < kCount; ++k) sum[k] += line[k * stride + i] * in[i];
  }
  for (int k = 0; k < kCount; ++k) out[k * step] += weight * sum[k];
}

/// Adds `kCount` lines at a time to `out`, which is then read and written only once for all of them.  Their
/// coefficients are in[0], in[step] ...
template <int kCount>
FCBIO_PART_OF_KERNEL void lines_combination(const double* line, Index stride, Index inner, double weight,
                                            const double* in, Index step, double* out) {
  double factor[kCount];
  for (int k = 0; k < kCount; ++k) factor[k] = weight * in[k * step];
  Index i = 0;
  for (; i + 2 * kLanes <= inner; i += 2 * kLanes) {
    Lanes even;
    Lanes odd;
    load(even, out + i);
    load(odd, out + i + kLanes);
    for (int k = 0; k < kCount; ++k) {
      Lanes numbers;
      load(numbers, line + k * stride + i);
      even += factor[k] * numbers;
      load(numbers, line + k * stride + i + kLanes);
      odd += factor[k] * numbers;
    }
    store(out + i, even);
    store(out + i + kLanes, odd);
  }
  for (; i < inner; ++i) {
    double sum = out[i];
    for (int k = 0; k < kCount; ++k) sum += factor[k] * line[k * stride + i];
    out[i] = sum;
  }
}

FCBIO_PART_OF_KERNEL void inner_products(const DenseBlock& block, double weight, const double* in, double* out) {
  const Index stride = block.stride;
  Index o = 0;
  if (block.inner < kShortLine) {
    const Index quarter = block.outer / 4;
    for (; o < quarter; ++o)
      lines_inner_products<4>(block.data + o * stride, quarter * stride, block.inner, weight, in, out + o,
                              quarter);
    o = 4 * quarter;
  }
  for (; o + 4 <= block.outer; o += 4)
    lines_inner_products<4>(block.data + o * stride, stride, block.inner, weight, in, out + o, 1);
  for (; o < block.outer; ++o)
    lines_inner_products<1>(block.data + o * stride, stride, block.inner, weight, in, out + o, 1);
}

FCBIO_PART_OF_KERNEL void combination(const DenseBlock& block, double weight, const double* in, double* out) {
  const Index stride = block.stride;
  Index o = 0;
  if (block.inner < kShortLine) {
    const Index quarter = block.outer / 4;
    for (; o < quarter; ++o)
      lines_combination<4>(block.data + o * stride, quarter * stride, block.inner, weight, in + o, quarter, out);
    o = 4 * quarter;
  }
  for (; o + 8 <= block.outer; o += 8)
    lines_combination<8>(block.data + o * stride, stride, block.inner, weight, in + o, 1, out);
  for (; o < block.outer; ++o)
    lines_combination<1>(block.data + o * stride, stride, block.inner, weight, in + o, 1, out);
}

void plain_inner_products(const DenseBlock& block, double weight, const double* in, double* out) {
  inner_products(block, weight, in, out);
}
void plain_combination(const DenseBlock& block, double weight, const double* in, double* out) {
  combination(block, weight, in, out);
}

FCBIO_FOR_AVX2 void avx2_inner_products(const DenseBlock& block, double weight, const double* in, double* out) {
  inner_products(block, weight, in, out);
}
FCBIO_FOR_AVX2 void avx2_combination(const DenseBlock& block, double weight, const double* in, double* out) {
  combination(block, weight, in, out);
}

}  // namespace

void block_inner_products(const DenseBlock& block, double weight, const double* in, double* out) {
  (use_avx2 ? avx2_inner_products : plain_inner_products)(block, weight, in, out);
}

void block_combination(const DenseBlock& block, double weight, const double* in, double* out) {
  (use_avx2 ? avx2_combination : plain_combination)(block, weight, in, out);
}

}  // namespace fcbio
