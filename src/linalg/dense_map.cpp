// Dense maps, row-major and column-major.  In row-major storage M x is made of inner products with the lines and
// M' y is a combination of them; in column-major storage it is the other way round.
#include <utility>

#include "fcbio/linear_map.hpp"
#include "linalg/accurate_products.hpp"
#include "linalg/dense_products.hpp"
#include "linalg/spectral_bound.hpp"

namespace fcbio {
namespace {

class DenseMap final : public LinearMap {
 public:
  DenseMap(const DenseView& matrix, std::shared_ptr<const void> owner)
      : matrix_(matrix), owner_(std::move(owner)) {
    require_shape("dense_map", matrix_.rows, matrix_.cols);
    const Index inner = by_rows() ? matrix_.cols : matrix_.rows;
    const Index outer = by_rows() ? matrix_.rows : matrix_.cols;
    if (matrix_.data == nullptr || matrix_.stride < inner)
      refuse("dense_map", "lines of " + std::to_string(inner) + " numbers that do not overlap",
             "a stride of " + std::to_string(matrix_.stride), "copy the data into a matrix");
    bounds_ = entry_bounds("dense_map", matrix_.rows, matrix_.cols, [&](const auto& visitor) {
      for (Index line = 0; line < outer; ++line) {
        for (Index place = 0; place < inner; ++place) {
          const double value = matrix_.data[line * matrix_.stride + place];
          by_rows() ? visitor(line, place, value) : visitor(place, line, value);
        }
      }
    });
    lines_ = {matrix_.data, inner, outer, matrix_.stride};
  }

  Index rows() const override { return matrix_.rows; }
  Index cols() const override { return matrix_.cols; }

  void apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    image.setZero();
    (by_rows() ? add_inner_products : add_combination)(lines_, 1.0, x.data(), image.data());
  }

  void add_transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    (by_rows() ? add_combination : add_inner_products)(lines_, weight, dual.data(), gradient.data());
  }

  double accurate_apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    (by_rows() ? accurate_inner_products : accurate_combination)(lines_, x.data(), image.data());
    return accurate_rounding(cols(), bounds_.unscaled_frobenius(), x);
  }
  double accurate_transpose(VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    (by_rows() ? accurate_combination : accurate_inner_products)(lines_, dual.data(), gradient.data());
    return accurate_rounding(rows(), bounds_.unscaled_frobenius(), dual);
  }

  NormBound norm_bound() const override { return norm_.of(*this, bounds_); }
  double frobenius_bound() const override { return bounds_.unscaled_frobenius(); }
  bool copy_rows(RowMajorMatrix* out) const override {
    if (out == nullptr) return true;
    const Eigen::OuterStride<> stride(matrix_.stride);
    if (by_rows())
      *out = Eigen::Map<const RowMajorMatrix, 0, Eigen::OuterStride<>>(matrix_.data, rows(), cols(), stride);
    else
      *out = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>(matrix_.data, rows(), cols(), stride);
    return true;
  }
  RowReader read_rows() const override {
    if (by_rows()) return RowReader(matrix_.data, matrix_.cols, matrix_.stride);
    return LinearMap::read_rows();
  }
  const double* dense_rows() const override {
    return by_rows() && matrix_.stride == matrix_.cols ? matrix_.data : nullptr;
  }

 private:
  bool by_rows() const { return matrix_.by_rows; }

  DenseView matrix_;
  std::shared_ptr<const void> owner_;
  DenseBlock lines_;
  EntryBounds bounds_;
  CachedSpectralBound norm_;
};

template <class Matrix>
LinearMapPtr owning_map(Matrix matrix) {
  const auto held = std::make_shared<const Matrix>(std::move(matrix));
  return dense_map(view_of(*held), held);
}

}  // namespace

LinearMapPtr dense_map(const DenseView& matrix, std::shared_ptr<const void> owner) {
  return std::make_shared<const DenseMap>(matrix, std::move(owner));
}

LinearMapPtr dense_map(RowMajorMatrix matrix) { return owning_map(std::move(matrix)); }

LinearMapPtr dense_map(Eigen::MatrixXd matrix) { return owning_map(std::move(matrix)); }

}  // namespace fcbio
