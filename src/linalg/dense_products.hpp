// Products with a whole dense matrix, on fixed shards.  A row-major and a column-major matrix are the same thing
// here: contiguous lines.  One product takes the inner product of every line with a vector, the other adds up the
// lines with weights.
#pragma once

#include "linalg/dense_kernels.hpp"

namespace fcbio {

/// out[o] += weight * <line o, in>,  o = 0 .. outer-1.
void add_inner_products(const DenseBlock& matrix, double weight, const double* in, double* out);

/// out += weight * sum over o of in[o] * line o.
void add_combination(const DenseBlock& matrix, double weight, const double* in, double* out);

}  // namespace fcbio
