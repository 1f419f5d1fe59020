#include "interior/rows.hpp"

#include <utility>

namespace fcbio::interior {

Rows Rows::dense(RowMajorMatrix matrix) {
  Rows rows(0);
  rows.squared_norm_ = matrix.squaredNorm();
  rows.dense_ = std::make_shared<const RowMajorMatrix>(std::move(matrix));
  return rows;
}

Rows Rows::sparse(CsrMatrix matrix) {
  Rows rows(0);
  for (const double value : matrix.values) rows.squared_norm_ += value * value;
  rows.sparse_ = std::make_shared<const CsrMatrix>(std::move(matrix));
  return rows;
}

Index Rows::rows() const { return dense_ ? dense_->rows() : sparse_ ? sparse_->rows : size_; }
Index Rows::cols() const { return dense_ ? dense_->cols() : sparse_ ? sparse_->cols : size_; }
Index Rows::numbers() const { return dense_ ? dense_->size() : sparse_ ? sparse_->nonzeros() : 0; }

void Rows::apply(VectorIn x, VectorOut out) const {
  if (is_identity()) {
    out = x.head(size_);
  } else if (dense_) {
    out.noalias() = *dense_ * x.head(dense_->cols());
  } else {
    for (Index i = 0; i < sparse_->rows; ++i) {
      double sum = 0.0;
      visit_row(i, [&](Index j, double value) { sum += value * x[j]; });
      out[i] = sum;
    }
  }
}

void Rows::add_transpose(VectorIn y, VectorOut out) const {
  if (is_identity()) {
    out.head(size_) += y;
  } else if (dense_) {
    out.head(dense_->cols()).noalias() += dense_->transpose() * y;
  } else {
    for (Index i = 0; i < sparse_->rows; ++i) {
      const double factor = y[i];
      if (factor != 0.0) visit_row(i, [&](Index j, double value) { out[j] += factor * value; });
    }
  }
}

}  // namespace fcbio::interior
