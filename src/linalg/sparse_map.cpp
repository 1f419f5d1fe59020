// A sparse map: compressed sparse rows of M and of M'.  Both products are then inner products of sparse rows with
// a dense vector, each output written once, by one shard; shards are balanced by the numbers they read.
//
// The kernel keeps four independent sums: the additions do not wait for each other, and the order is fixed by the
// source, not by the compiler.  Hand-made gathers for newer processors are left out on purpose: the product waits
// for memory, and run-time dispatch (ifunc) runs before the sanitizers are up.
#include <algorithm>
#include <utility>

#include "fcbio/linear_map.hpp"
#include "fcbio/threads.hpp"
#include "linalg/csr.hpp"
#include "linalg/shards.hpp"
#include "linalg/spectral_bound.hpp"

namespace fcbio {
namespace {

constexpr Index kPerShard = Index{1} << 14;  // about 20 microseconds: several times the cost of waking a worker

double row_product(const std::int32_t* column, const double* value, Index count, const double* x) {
  double sum0 = 0.0;
  double sum1 = 0.0;
  double sum2 = 0.0;
  double sum3 = 0.0;
  Index k = 0;
  for (; k + 4 <= count; k += 4) {
    sum0 += value[k] * x[column[k]];
    sum1 += value[k + 1] * x[column[k + 1]];
    sum2 += value[k + 2] * x[column[k + 2]];
    sum3 += value[k + 3] * x[column[k + 3]];
  }
  for (; k < count; ++k) sum0 += value[k] * x[column[k]];
  return (sum0 + sum1) + (sum2 + sum3);
}

/// One of the two orientations, with its shards.
class SparseRows {
 public:
  explicit SparseRows(CsrMatrix matrix) : matrix_(std::move(matrix)) {
    // Row r ends at work starts[r] + r: a row costs its numbers and one write.
    const Index work = matrix_.nonzeros() + matrix_.rows;
    const Index shards = std::min(shard_count(work, kPerShard), matrix_.rows);
    limits_.reserve(static_cast<std::size_t>(shards) + 1);
    Index row = 0;
    for (Index shard = 0; shard < shards; ++shard) {
      const Index target = work / shards * shard;
      while (row < matrix_.rows && matrix_.starts[static_cast<std::size_t>(row)] + row < target) ++row;
      limits_.push_back(row);
    }
    limits_.push_back(matrix_.rows);
    for (std::size_t r = 0; r + 1 < matrix_.starts.size(); ++r)
      longest_row_ = std::max(longest_row_, static_cast<Index>(matrix_.starts[r + 1] - matrix_.starts[r]));
  }

  const CsrMatrix& matrix() const { return matrix_; }
  Index longest_row() const { return longest_row_; }

  /// out <- A in.
  void multiply(const double* in, double* out) const {
    for_each_row_product(in, [out](Index row, double product) { out[row] = product; });
  }

  /// out <- out + weight A in.
  void add_product(double weight, const double* in, double* out) const {
    for_each_row_product(in, [out, weight](Index row, double product) { out[row] += weight * product; });
  }

 private:
  template <class Store>
  void for_each_row_product(const double* in, const Store& store) const {
    // One captured reference fits into std::function without allocation.
    const struct Work {
      const SparseRows& rows;
      const double* in;
      const Store& store;
    } work{*this, in, store};
    run_shards(static_cast<Index>(limits_.size()) - 1, [&work](Index shard) {
      const SparseRows& rows = work.rows;
      const std::int64_t* starts = rows.matrix_.starts.data();
      const std::int32_t* columns = rows.matrix_.columns.data();
      const double* values = rows.matrix_.values.data();
      const Index end = rows.limits_[static_cast<std::size_t>(shard) + 1];
      for (Index row = rows.limits_[static_cast<std::size_t>(shard)]; row < end; ++row) {
        const std::int64_t start = starts[row];
        work.store(row, row_product(columns + start, values + start, starts[row + 1] - start, work.in));
      }
    });
  }

  CsrMatrix matrix_;
  std::vector<Index> limits_;
  Index longest_row_ = 0;
};

class SparseMap final : public LinearMap {
 public:
  SparseMap(CsrMatrix matrix, const EntryBounds& bounds)
      : transposed_(transposed(matrix)), forward_(std::move(matrix)), bounds_(bounds) {}

  Index rows() const override { return forward_.matrix().rows; }
  Index cols() const override { return forward_.matrix().cols; }

  void apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    forward_.multiply(x.data(), image.data());
  }

  void add_transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    transposed_.add_product(weight, dual.data(), gradient.data());
  }

  NormBound norm_bound() const override { return norm_.of(*this, bounds_); }
  double frobenius_bound() const override { return bounds_.unscaled_frobenius(); }
  Index longest_sum() const override { return std::max(forward_.longest_row(), transposed_.longest_row()); }

 private:
  SparseRows transposed_;  // first: made before the matrix is moved into forward_
  SparseRows forward_;
  EntryBounds bounds_;
  CachedSpectralBound norm_;
};

}  // namespace

LinearMapPtr sparse_map(CsrMatrix matrix) {
  require_csr("sparse_map", matrix);
  const EntryBounds bounds = entry_bounds("sparse_map", matrix.rows, matrix.cols, [&matrix](const auto& visitor) {
    for (Index row = 0; row < matrix.rows; ++row) {
      const auto begin = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row)]);
      const auto end = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row) + 1]);
      for (std::size_t k = begin; k < end; ++k) visitor(row, matrix.columns[k], matrix.values[k]);
    }
  });
  return std::make_shared<const SparseMap>(std::move(matrix), bounds);
}

}  // namespace fcbio
