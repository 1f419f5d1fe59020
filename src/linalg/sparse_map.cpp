// A sparse map: the rows of M and of M', each in tiles.  Both products are then inner products of sparse rows with
// a dense vector, each output written by one shard in a fixed order.
//
// Memory: 10 bytes a number and orientation, and 2 bytes a row and tile; the matrix it is made from has 12 a
// number. It is freed before the second orientation is made (from the first), so construction never holds much
// more than twice the data.
#include <algorithm>
#include <utility>

#include "fcbio/linear_map.hpp"
#include "linalg/csr.hpp"
#include "linalg/spectral_bound.hpp"
#include "linalg/tiled_rows.hpp"

namespace fcbio {
namespace {

class SparseMap final : public LinearMap {
 public:
  SparseMap(TiledRows transposed, const EntryBounds& bounds, Index numbers)
      : transposed_(std::move(transposed)),
        forward_(TiledRows::transpose_of(transposed_)),
        bounds_(bounds),
        numbers_(numbers) {}

  Index rows() const override { return forward_.rows(); }
  Index cols() const override { return forward_.cols(); }

  void apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    forward_.multiply(1.0, x.data(), image.data());
  }

  void add_transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    transposed_.add_product(weight, dual.data(), gradient.data());
  }
  void transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    transposed_.multiply(weight, dual.data(), gradient.data());
  }

  NormBound norm_bound() const override { return norm_.of(*this, bounds_); }
  double frobenius_bound() const override { return bounds_.unscaled_frobenius(); }
  Index longest_sum() const override { return std::max(forward_.longest_row(), transposed_.longest_row()); }
  Index numbers() const override { return numbers_; }
  bool copy_rows(RowMajorMatrix* out) const override {
    if (out != nullptr) copy_by_products(*out);
    return true;
  }

 private:
  /// The rows of M are its transpose times the unit vectors; where there are fewer columns, those are taken.
  void copy_by_products(RowMajorMatrix& out) const {
    const bool by_rows = rows() <= cols();
    out.setZero(rows(), cols());
    Vector unit = Vector::Zero(by_rows ? rows() : cols());
    Vector line(by_rows ? cols() : rows());
    for (Index i = 0; i < unit.size(); ++i) {
      unit[i] = 1.0;
      if (by_rows) {
        transpose(1.0, unit, line);
        out.row(i) = line.transpose();
      } else {
        apply(unit, line);
        out.col(i) = line;
      }
      unit[i] = 0.0;
    }
  }

  TiledRows transposed_;
  TiledRows forward_;
  EntryBounds bounds_;
  Index numbers_;
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
  TiledRows transposed = TiledRows::transpose_of(matrix);
  const Index numbers = matrix.nonzeros();
  matrix = CsrMatrix{};
  return std::make_shared<const SparseMap>(std::move(transposed), bounds, numbers);
}

}  // namespace fcbio
