// Four sums side by side, in vectors; compiled for AVX2 and plain with the same bits (linalg/lanes.hpp).
#include "linalg/accurate_products.hpp"

#include <algorithm>
#include <vector>

#include "fcbio/linear_map.hpp"
#include "linalg/lanes.hpp"

namespace fcbio {
namespace {

FCBIO_PART_OF_KERNEL void inner_products(const DenseBlock& lines, const double* in, double* out) {
  for (Index i = 0; i < lines.outer; ++i) {
    const double* const line = lines.data + i * lines.stride;
    AccurateSumOf<Lanes> sums;
    Index k = 0;
    for (; k + kLanes <= lines.inner; k += kLanes) {
      Lanes a, b;
      load(a, line + k);
      load(b, in + k);
      sums.add_product(a, b);
    }
    AccurateSum total;
    for (; k < lines.inner; ++k) total.add_product(line[k], in[k]);
    for (Index lane = 0; lane < kLanes; ++lane) {
      total.add_product(sums.sum[lane], 1.0);
      total.lost += sums.lost[lane];
    }
    out[i] = total.value();
  }
}

FCBIO_PART_OF_KERNEL void combination(const DenseBlock& lines, const double* in, double* sums, double* lost) {
  for (Index i = 0; i < lines.outer; ++i) {
    const double* const line = lines.data + i * lines.stride;
    const Lanes factor{in[i], in[i], in[i], in[i]};
    Index k = 0;
    for (; k + kLanes <= lines.inner; k += kLanes) {
      Lanes a;
      AccurateSumOf<Lanes> sum;
      load(a, line + k);
      load(sum.sum, sums + k);
      load(sum.lost, lost + k);
      sum.add_product(a, factor);
      store(sums + k, sum.sum);
      store(lost + k, sum.lost);
    }
    for (; k < lines.inner; ++k) {
      AccurateSum sum{sums[k], lost[k]};
      sum.add_product(line[k], in[i]);
      sums[k] = sum.sum;
      lost[k] = sum.lost;
    }
  }
}

void plain_inner_products(const DenseBlock& lines, const double* in, double* out) {
  inner_products(lines, in, out);
}
FCBIO_FOR_AVX2 void avx2_inner_products(const DenseBlock& lines, const double* in, double* out) {
  inner_products(lines, in, out);
}
void plain_combination(const DenseBlock& lines, const double* in, double* sums, double* lost) {
  combination(lines, in, sums, lost);
}
FCBIO_FOR_AVX2 void avx2_combination(const DenseBlock& lines, const double* in, double* sums, double* lost) {
  combination(lines, in, sums, lost);
}

}  // namespace

void accurate_inner_products(const DenseBlock& lines, const double* in, double* out) {
  (use_avx2 ? avx2_inner_products : plain_inner_products)(lines, in, out);
}

void accurate_combination(const DenseBlock& lines, const double* in, double* out) {
  std::vector<double> lost(static_cast<std::size_t>(lines.inner), 0.0);
  std::fill_n(out, lines.inner, 0.0);
  (use_avx2 ? avx2_combination : plain_combination)(lines, in, out, lost.data());
  for (Index k = 0; k < lines.inner; ++k) out[k] += lost[static_cast<std::size_t>(k)];
}

double accurate_rounding(Index longest, double frobenius, VectorIn in) {
  const double once = kEpsilon * static_cast<double>(longest + 16);
  return 1.01 * once * once * frobenius * in.stableNorm();
}

double LinearMap::accurate_apply(VectorIn x, VectorOut image) const {
  apply(x, image);
  return 1.01 * kEpsilon * static_cast<double>(longest_sum() + 2) * frobenius_bound() * x.stableNorm();
}

double LinearMap::accurate_transpose(VectorIn dual, VectorOut gradient) const {
  transpose(1.0, dual, gradient);
  return 1.01 * kEpsilon * static_cast<double>(longest_sum() + 2) * frobenius_bound() * dual.stableNorm();
}

}  // namespace fcbio
