// The two products with a block of a dense matrix, on the calling thread: `outer` lines of `inner` contiguous
// numbers, `stride` numbers apart.  No allocation, no state; bits depend on the numbers and the sizes only, not on
// alignment, processor or compiler.
#pragma once

#include "fcbio/types.hpp"

namespace fcbio {

struct DenseBlock {
  const double* data = nullptr;
  Index inner = 0;
  Index outer = 0;
  Index stride = 0;
};

/// out[o] += weight * <line o, in>,  o = 0 .. outer-1.
void block_inner_products(const DenseBlock& block, double weight, const double* in, double* out);

/// out += sum over o of (weight * in[o]) * line o, each out[i] in an order that depends on the sizes only.
void block_combination(const DenseBlock& block, double weight, const double* in, double* out);

}  // namespace fcbio
