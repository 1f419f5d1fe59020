// The logistic functions on arrays, four numbers at a time, for processors with AVX2 and without, with the same
// bits.  For e = exp(-|z|), z = b u:
//     value  max(0, -z) + log1p(e)      slope  -b/(1 + exp(z))      curvature  e/(1+e)^2
//     conjugate  p log p + (1-p) log(1-p),  p = -b r in [0, 1],  0 log 0 = 0.
//
// Relative error, outside of underflow: at most kLogisticUlps units in the last place (measured 4.0 for
// curvatures, 2.6 for the others, against long double, bounded by the roundings counted in logistic_kernels.cpp);
// what lies below the smallest normal number is right to a few of the smallest subnormals.  Infinities give the
// limits; a NaN gives a NaN.
//
// `out` may be the input.  No allocation, no state.
#pragma once

#include "fcbio/types.hpp"

namespace fcbio::functions {

inline constexpr double kLogisticUlps = 6.0;

void logistic_values(const double* u, const double* labels, Index count, double* out);
void logistic_slopes(const double* u, const double* labels, Index count, double* out);
void logistic_curvatures(const double* u, const double* labels, Index count, double* out);
void logistic_conjugates(const double* r, const double* labels, Index count, double* out);

}  // namespace fcbio::functions
