// Inner products as if computed with twice the digits and rounded at the end (Ogita, Rump, Oishi 2005): every product
// and every sum is taken together with its own rounding error, and these are added up aside.  With k products
//     |computed - exact| <= u |exact| + (k u)^2 sum |a_i| |x_i|,   u = kEpsilon / 2,
// so that the number of products does not matter.  Numbers must be below 1e290 in size; what underflows is lost.
#pragma once

#include "fcbio/types.hpp"
#include "linalg/dense_kernels.hpp"

namespace fcbio {

/// T: double, or a vector of them.  Dekker's and Knuth's exact transformations; no fused operation is relied upon.
template <class T>
struct AccurateSumOf {
  T sum = T{}, lost = T{};

  [[gnu::always_inline]] inline void add_product(const T& a, const T& b) {
    constexpr double kSplit = 134217729.0;  // 2^27 + 1
    const T product = a * b;
    const T a_scaled = kSplit * a, b_scaled = kSplit * b;
    const T a_high = a_scaled - (a_scaled - a), b_high = b_scaled - (b_scaled - b);
    const T a_low = a - a_high, b_low = b - b_high;
    const T off = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    const T next = sum + product;
    const T part = next - sum;
    lost += ((sum - (next - part)) + (product - part)) + off;
    sum = next;
  }
  T value() const { return sum + lost; }
};
using AccurateSum = AccurateSumOf<double>;

/// out[i] <- <line i, in>, and out <- sum over i of in[i] * line i.
void accurate_inner_products(const DenseBlock& lines, const double* in, double* out);
void accurate_combination(const DenseBlock& lines, const double* in, double* out);

/// What the error of a product with sums of `longest` terms exceeds kEpsilon |result| by at most, in norm.
double accurate_rounding(Index longest, double frobenius, VectorIn in);

}  // namespace fcbio
