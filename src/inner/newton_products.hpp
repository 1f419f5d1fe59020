// Inner products of the rows of two dense row-major blocks: what a Gram matrix and a Cholesky factor are made of.
// No allocation; bits depend on the numbers and the sizes only.
#pragma once

#include "fcbio/types.hpp"
#include "fcbio/watch.hpp"

namespace fcbio {

/// `rows` rows of `cols` contiguous numbers, `stride` numbers apart.
struct RowBlock {
  const double* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;
};

/// out(i, j) += sign * <row i of a, row j of b>, out row-major with `stride`; with `lower` only where i >= j. Both
/// blocks have as many columns.  False: `watch` asked to stop, and `out` is of no use.
bool add_row_products(const RowBlock& a, const RowBlock& b, double sign, bool lower, double* out, Index stride,
                      Watch* watch = nullptr);

}  // namespace fcbio
