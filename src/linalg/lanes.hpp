// Vectors of four numbers, as the compiler knows them, for kernels that are written once and compiled twice:
// plain, and for AVX2.  Arithmetic on them is defined number by number and nothing is contracted
// (-ffp-contract=off, and AVX2 without FMA), so both give the same bits.  For source files only.
#pragma once

#include <cstring>

#include "fcbio/types.hpp"

namespace fcbio {
namespace {

[[maybe_unused]] constexpr Index kLanes = 4;
typedef double Lanes __attribute__((vector_size(4 * sizeof(double))));

// Whatever a kernel is made of must become part of its two compiled versions.
#define FCBIO_PART_OF_KERNEL [[gnu::always_inline, maybe_unused]] inline

// Before a loop over a few vectors: they must stay in registers.
#ifdef __clang__
#define FCBIO_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define FCBIO_UNROLLED _Pragma("GCC unroll 8")
#endif

/// One vector from any address of a double.  By reference: how a vector is returned depends on the processor.
FCBIO_PART_OF_KERNEL void load(Lanes& lanes, const double* from) { std::memcpy(&lanes, from, sizeof(Lanes)); }
FCBIO_PART_OF_KERNEL void store(double* to, const Lanes& lanes) { std::memcpy(to, &lanes, sizeof(Lanes)); }
FCBIO_PART_OF_KERNEL double total(const Lanes& sum) { return (sum[0] + sum[2]) + (sum[1] + sum[3]); }
FCBIO_PART_OF_KERNEL double total(const Lanes (&sums)[2]) {
  const Lanes sum = sums[0] + sums[1];
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/// How far ahead of its use a number is asked for: the processor's own read-ahead ends with a page of 4 kB.
[[maybe_unused]] constexpr Index kAhead = 256;

#ifdef __x86_64__
#define FCBIO_FOR_AVX2 [[gnu::target("avx2")]]
#else
#define FCBIO_FOR_AVX2
#endif

}  // namespace

/// Which of its two compiled versions a kernel runs; false before it is set, with the same result.  One for all
/// kernels, so that a test can compare them.
extern bool use_avx2;

}  // namespace fcbio
