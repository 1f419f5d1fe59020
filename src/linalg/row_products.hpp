// Products of dense matrices of which one needs Gram matrices and Cholesky factors: inner products of rows, and the
// same with weights, at the speed of a matrix-matrix kernel on the threads of the caller's scope.  Bits depend on the
// numbers and the sizes only.  Memory for packed numbers (at most 10 MB) is kept by the calling thread, so that nothing
// is allocated once it has its size.
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

// Of all these: out is row-major with `stride`; with `lower` only numbers with i >= j are written, and read.  False:
// `watch` asked to stop, and `out` is of no use.

/// out(i, j) += sign * <row i of a, row j of b>.  Both blocks have as many columns.
bool add_row_products(const RowBlock& a, const RowBlock& b, double sign, bool lower, double* out, Index stride,
                      Watch* watch = nullptr);

/// out(i, j) += sum over k of weights[k] a(i, k) b(j, k): A D B'.
bool add_weighted_row_products(const RowBlock& a, const RowBlock& b, const double* weights, bool lower,
                               double* out, Index stride, Watch* watch = nullptr);

/// out(i, j) += sum over k of a(i, k) b(k, j): A B.
bool add_matrix_products(const RowBlock& a, const RowBlock& b, double* out, Index stride, Watch* watch = nullptr);

/// out(i, j) += sum over k of weights[k] a(k, i) a(k, j) for i >= j: the lower triangle of A' D A.  Null weights: of A'A.
bool add_weighted_gram(const RowBlock& a, const double* weights, double* out, Index stride,
                       Watch* watch = nullptr);

}  // namespace fcbio
