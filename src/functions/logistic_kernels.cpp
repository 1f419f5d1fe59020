// exp, log and log1p by range reduction and series, written once with vectors of four numbers and compiled twice
// (linalg/lanes.hpp).
//
//   exp(-a) = 2^-k exp(r),  k = round(a / log 2),  r = k log 2 - a, |r| <= 0.347, log 2 in two parts so that the
//             product with the first is exact; exp(r) by its series to r^13 (the rest is below 5e-18).  Errors:
//             two roundings of r (of size 0.35), the tail of the series (size 0.35), the last addition: 1.2 units.
//   log1p(e) = 2 atanh(e/(2+e)) for e <= 0.414, else log 2 + 2 atanh((e-1)/(e+3)); the argument s is at most 0.172
//             in size, the series to s^23 leaves out less than 1e-18.  Nothing cancels in the first form; in the
//             second a number above 0.69 loses less than half.  Errors: 3 units.
//   log(p)  = k log 2 + 2 atanh((m-1)/(m+1)),  p = 2^k m, m in [0.707, 1.414]: m - 1 is exact, and k log 2 is at
//             least twice the rest unless k = 0.  Errors: 3 units.
//   log(1-p) with c = 1 - p rounded:  log(c) + ((1 - c) - p)/c, the last bracket being exact.
#include "functions/logistic_kernels.hpp"

#include <cstring>

#include "linalg/lanes.hpp"

namespace fcbio::functions {
namespace {

typedef long long Bits __attribute__((vector_size(kLanes * sizeof(double))));

constexpr double kShift = 0x1.8p52;  // x + kShift has round(x) in its low bits
constexpr double kLog2High = 0x1.62e42feep-1;
constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
constexpr double kLog2 = 0x1.62e42fefa39efp-1;
constexpr double kPerLog2 = 0x1.71547652b82fep0;
constexpr double kVanished = 746.0;  // exp(-746) is zero

FCBIO_PART_OF_KERNEL void fill(Lanes& lanes, double value) { lanes = Lanes{value, value, value, value}; }

/// out <- mask ? yes : no
FCBIO_PART_OF_KERNEL void choose(const Bits& mask, const Lanes& yes, const Lanes& no, Lanes& out) {
  out = (Lanes)(((Bits)yes & mask) | ((Bits)no & ~mask));
}
FCBIO_PART_OF_KERNEL void choose(const Bits& mask, double yes, double no, Lanes& out) {
  Lanes first, second;
  fill(first, yes);
  fill(second, no);
  choose(mask, first, second, out);
}

FCBIO_PART_OF_KERNEL void absolute(const Lanes& x, Lanes& out) { out = (Lanes)((Bits)x & 0x7fffffffffffffffLL); }

/// 2^k for -1022 <= k <= 1023, k in the low bits of `shifted` = k + kShift.
FCBIO_PART_OF_KERNEL void power_of_two(const Lanes& shifted, Lanes& out) {
  out = (Lanes)(((Bits)shifted + 1023) << 52);
}

/// out <- exp(-a), a >= 0 or NaN.
FCBIO_PART_OF_KERNEL void exp_of_minus(const Lanes& a, Lanes& out) {
  Lanes largest, bounded;
  fill(largest, kVanished);
  choose((Bits)(a > kVanished), largest, a, bounded);
  Lanes shifted = -(bounded * kPerLog2) + kShift;
  const Lanes k = shifted - kShift;  // -round(a / log 2)
  const Lanes high = -bounded - k * kLog2High;
  const Lanes r = high - k * kLog2Low;
  const Lanes square = r * r;
  // r^2/2! + ... + r^13/13!: even and odd powers apart, so that the two chains overlap.
  Lanes even, odd;
  fill(even, 1.0 / 479001600.0);
  even = even * square + 1.0 / 3628800.0;
  even = even * square + 1.0 / 40320.0;
  even = even * square + 1.0 / 720.0;
  even = even * square + 1.0 / 24.0;
  even = even * square + 0.5;
  fill(odd, 1.0 / 6227020800.0);
  odd = odd * square + 1.0 / 39916800.0;
  odd = odd * square + 1.0 / 362880.0;
  odd = odd * square + 1.0 / 5040.0;
  odd = odd * square + 1.0 / 120.0;
  odd = odd * square + 1.0 / 6.0;
  const Lanes tail = square * (even + r * odd);
  // r was rounded: what it lost goes in with the tail.
  const Lanes lost = (high - r) - k * kLog2Low;
  const Lanes series = 1.0 + (r + (tail + lost));
  // In two steps, so that a result below the smallest normal number is rounded once.
  const Lanes half = 0.5 * k + kShift;  // rounded to an integer
  const Lanes rest = (k - (half - kShift)) + kShift;
  Lanes first, second;
  power_of_two(half, first);
  power_of_two(rest, second);
  out = (series * first) * second;
}

/// out <- 2 atanh(s), |s| <= 0.172.
FCBIO_PART_OF_KERNEL void twice_atanh(const Lanes& s, Lanes& out) {
  const Lanes x = s * s;
  const Lanes y = x * x;
  Lanes even, odd;
  fill(odd, 2.0 / 23.0);
  odd = odd * y + 2.0 / 19.0;
  odd = odd * y + 2.0 / 15.0;
  odd = odd * y + 2.0 / 11.0;
  odd = odd * y + 2.0 / 7.0;
  odd = odd * y + 2.0 / 3.0;
  fill(even, 2.0 / 21.0);
  even = even * y + 2.0 / 17.0;
  even = even * y + 2.0 / 13.0;
  even = even * y + 2.0 / 9.0;
  even = even * y + 2.0 / 5.0;
  out = 2.0 * s + s * (x * (odd + x * even));
}

/// out <- log(1 + e), 0 <= e <= 1 or NaN.
FCBIO_PART_OF_KERNEL void log_of_one_plus(const Lanes& e, Lanes& out) {
  const Bits large = (Bits)(e > 0.414);
  Lanes shift, centre, base;
  choose(large, 1.0, 0.0, shift);
  choose(large, 3.0, 2.0, centre);
  choose(large, kLog2, 0.0, base);
  Lanes rest;
  twice_atanh((e - shift) / (e + centre), rest);
  out = base + rest;
}

/// out <- log(p), 0 < p <= 1; finite nonsense for p = 0.
FCBIO_PART_OF_KERNEL void log_of(const Lanes& p, Lanes& out) {
  constexpr long long kMantissa = 0xfffffffffffffLL;
  constexpr long long kRootHalf = 0x6a09e667f3bcdLL;  // mantissa of sqrt(1/2)
  const Bits tiny = (Bits)(p < 0x1p-1022);
  Lanes scale, offset;
  choose(tiny, 0x1p54, 1.0, scale);
  choose(tiny, -54.0, 0.0, offset);
  const Bits bits = (Bits)(p * scale);
  // Exponent such that the mantissa lies in [sqrt(1/2), sqrt(2)): 2^-1 m' below the root moves up by one.
  const Bits upper = (Bits)((bits & kMantissa) > kRootHalf);  // all ones: take m in [sqrt 1/2, 1)
  const Bits exponent = (bits >> 52) - 1023 - upper;          // subtracting all ones adds one
  const Lanes m = (Lanes)((bits & kMantissa) | ((1023 + upper) << 52));
  const Lanes k = (Lanes)((Bits)(Lanes{kShift, kShift, kShift, kShift}) + exponent) - kShift + offset;
  Lanes rest;
  twice_atanh((m - 1.0) / (m + 1.0), rest);
  out = k * kLog2High + (k * kLog2Low + rest);
}

struct Values {
  FCBIO_PART_OF_KERNEL static void run(const Lanes& u, const Lanes& label, Lanes& out) {
    const Lanes z = label * u;
    Lanes size, e, rest, push, none;
    absolute(z, size);
    exp_of_minus(size, e);
    log_of_one_plus(e, rest);
    fill(none, 0.0);
    choose((Bits)(z < 0.0), -z, none, push);
    out = push + rest;
  }
};

struct Slopes {
  FCBIO_PART_OF_KERNEL static void run(const Lanes& u, const Lanes& label, Lanes& out) {
    const Lanes z = label * u;
    Lanes size, e, top, one;
    absolute(z, size);
    exp_of_minus(size, e);
    fill(one, 1.0);
    choose((Bits)(z > 0.0), e, one, top);
    out = -label * (top / (1.0 + e));
  }
};

struct Curvatures {
  FCBIO_PART_OF_KERNEL static void run(const Lanes& u, const Lanes&, Lanes& out) {
    Lanes size, e;
    absolute(u, size);
    exp_of_minus(size, e);
    out = e / ((1.0 + e) * (1.0 + e));
  }
};

struct Conjugates {
  FCBIO_PART_OF_KERNEL static void run(const Lanes& r, const Lanes& label, Lanes& out) {
    const Lanes p = -label * r;
    const Lanes c = 1.0 - p;
    Lanes none, log_p, log_c, yes, no;
    fill(none, 0.0);
    log_of(p, log_p);
    log_of(c, log_c);
    choose((Bits)(p > 0.0), p * log_p, none, yes);
    choose((Bits)(c > 0.0), c * log_c + ((1.0 - c) - p), none, no);
    out = yes + no;
  }
};

/// The last, incomplete vector is filled up with ones.
template <class Kernel>
FCBIO_PART_OF_KERNEL void run(const double* in, const double* labels, Index count, double* out) {
  Lanes x, b, result;
  Index i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    load(x, in + i);
    load(b, labels + i);
    Kernel::run(x, b, result);
    store(out + i, result);
  }
  if (i == count) return;
  double inputs[kLanes] = {1.0, 1.0, 1.0, 1.0};
  double signs[kLanes] = {1.0, 1.0, 1.0, 1.0};
  double results[kLanes];
  const auto bytes = static_cast<std::size_t>(count - i) * sizeof(double);
  std::memcpy(inputs, in + i, bytes);
  std::memcpy(signs, labels + i, bytes);
  load(x, inputs);
  load(b, signs);
  Kernel::run(x, b, result);
  store(results, result);
  std::memcpy(out + i, results, bytes);
}

template <class Kernel>
FCBIO_FOR_AVX2 void avx2_run(const double* in, const double* labels, Index count, double* out) {
  run<Kernel>(in, labels, count, out);
}

template <class Kernel>
void plain_run(const double* in, const double* labels, Index count, double* out) {
  run<Kernel>(in, labels, count, out);
}

template <class Kernel>
void best_run(const double* in, const double* labels, Index count, double* out) {
  (use_avx2 ? avx2_run<Kernel> : plain_run<Kernel>)(in, labels, count, out);
}

}  // namespace

void logistic_values(const double* u, const double* labels, Index count, double* out) {
  best_run<Values>(u, labels, count, out);
}
void logistic_slopes(const double* u, const double* labels, Index count, double* out) {
  best_run<Slopes>(u, labels, count, out);
}
void logistic_curvatures(const double* u, const double* labels, Index count, double* out) {
  best_run<Curvatures>(u, labels, count, out);
}
void logistic_conjugates(const double* r, const double* labels, Index count, double* out) {
  best_run<Conjugates>(r, labels, count, out);
}

}  // namespace fcbio::functions
