// Dense maps, row-major and column-major.  In row-major storage M x is made of inner products with the lines and
// M' y is a combination of them; in column-major storage it is the other way round.
#include <utility>

#include "fcbio/linear_map.hpp"
#include "linalg/accurate_products.hpp"
#include "linalg/dense_products.hpp"
#include "linalg/spectral_bound.hpp"

namespace fcbio {
namespace {

template <class Matrix>
class DenseMap final : public LinearMap {
 public:
  explicit DenseMap(Matrix matrix) : matrix_(std::move(matrix)) {
    require_shape("dense_map", matrix_.rows(), matrix_.cols());
    bounds_ = entry_bounds("dense_map", matrix_.rows(), matrix_.cols(), [this](const auto& visitor) {
      for (Index outer = 0; outer < matrix_.outerSize(); ++outer) {
        for (Index inner = 0; inner < matrix_.innerSize(); ++inner) {
          const Index row = kByRows ? outer : inner;
          const Index col = kByRows ? inner : outer;
          visitor(row, col, matrix_(row, col));
        }
      }
    });
    lines_ = {matrix_.data(), matrix_.innerSize(), matrix_.outerSize(), matrix_.innerSize()};
  }

  Index rows() const override { return matrix_.rows(); }
  Index cols() const override { return matrix_.cols(); }

  void apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    image.setZero();
    (kByRows ? add_inner_products : add_combination)(lines_, 1.0, x.data(), image.data());
  }

  void add_transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    (kByRows ? add_combination : add_inner_products)(lines_, weight, dual.data(), gradient.data());
  }

  double accurate_apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    (kByRows ? accurate_inner_products : accurate_combination)(lines_, x.data(), image.data());
    return accurate_rounding(cols(), bounds_.unscaled_frobenius(), x);
  }
  double accurate_transpose(VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    (kByRows ? accurate_combination : accurate_inner_products)(lines_, dual.data(), gradient.data());
    return accurate_rounding(rows(), bounds_.unscaled_frobenius(), dual);
  }

  NormBound norm_bound() const override { return norm_.of(*this, bounds_); }
  double frobenius_bound() const override { return bounds_.unscaled_frobenius(); }
  bool copy_rows(RowMajorMatrix* out) const override {
    if (out != nullptr) *out = matrix_;
    return true;
  }
  const double* dense_rows() const override { return kByRows ? matrix_.data() : nullptr; }

 private:
  static constexpr bool kByRows = Matrix::IsRowMajor;

  Matrix matrix_;
  DenseBlock lines_;
  EntryBounds bounds_;
  CachedSpectralBound norm_;
};

}  // namespace

LinearMapPtr dense_map(RowMajorMatrix matrix) {
  return std::make_shared<const DenseMap<RowMajorMatrix>>(std::move(matrix));
}

LinearMapPtr dense_map(Eigen::MatrixXd matrix) {
  return std::make_shared<const DenseMap<Eigen::MatrixXd>>(std::move(matrix));
}

}  // namespace fcbio
