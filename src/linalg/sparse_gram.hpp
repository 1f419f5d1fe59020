// A' D A for sparse rows, at its true price: a row with k numbers takes part in k (k + 1) / 2 products.
//
// Row i of the result is the sum, over the rows r of A that have column i, of w_r a_ri times the numbers of r up to
// column i.  So each row of the result is made by one shard, in the order of the rows of A: the same bits for any
// number of threads.
#pragma once

#include <vector>

#include "fcbio/linear_map.hpp"
#include "fcbio/watch.hpp"

namespace fcbio {

class SparseGram {
 public:
  SparseGram() = default;
  /// The matrix must have passed require_csr.
  explicit SparseGram(CsrMatrix matrix);

  Index rows() const { return matrix_.rows; }
  Index cols() const { return matrix_.cols; }
  /// Additions and multiplications of add_weighted().
  double operations() const { return operations_; }

  /// out += the lower triangle of A' D A; out is row-major with `stride`.  False: `watch` asked to stop, and `out` is
  /// of no use.  No allocation.
  bool add_weighted(const double* weights, double* out, Index stride, Watch* watch = nullptr) const;

 private:
  /// A number of A, as its column lists it.
  struct Entry {
    std::int32_t row;
    std::int32_t place;  // in the row
  };
  void add_row(Index column, const double* weights, double* out) const;

  CsrMatrix matrix_;
  std::vector<std::int64_t> column_starts_;
  std::vector<Entry> entries_;
  std::vector<Index> shards_;  // first rows of the result, and the end: a millisecond or so each
  double operations_ = 0.0;
};

}  // namespace fcbio
