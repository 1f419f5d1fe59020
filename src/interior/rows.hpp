// The rows of a matrix: dense, sparse, or those of the identity.  Cheap to copy: the numbers are shared.
#pragma once

#include <memory>

#include "fcbio/matrix.hpp"

namespace fcbio::interior {

class Rows {
 public:
  static Rows identity(Index n) { return Rows(n); }
  static Rows dense(RowMajorMatrix matrix);
  static Rows sparse(CsrMatrix matrix);

  bool is_identity() const { return !dense_ && !sparse_; }
  bool is_sparse() const { return sparse_ != nullptr; }
  Index rows() const;
  Index cols() const;
  Index numbers() const;                                 ///< stored ones; 0 for the identity
  double squared_norm() const { return squared_norm_; }  ///< sum of squares of all numbers
  const RowMajorMatrix& dense() const { return *dense_; }
  const CsrMatrix& sparse() const { return *sparse_; }

  /// A'A, once somebody has made it: it is kept with the numbers, for all who share them.
  std::shared_ptr<const RowMajorMatrix>& gram() const { return *gram_; }

  /// out <- A x; only the first cols() entries of x count.
  void apply(VectorIn x, VectorOut out) const;
  /// out <- out + A'y, likewise.
  void add_transpose(VectorIn y, VectorOut out) const;
  /// Calls visit(column, number) for every stored number of row i.
  template <class Visit>
  void visit_row(Index i, Visit visit) const {
    if (is_identity()) {
      visit(i, 1.0);
    } else if (dense_) {
      for (Index j = 0; j < dense_->cols(); ++j)
        if ((*dense_)(i, j) != 0.0) visit(j, (*dense_)(i, j));
    } else {
      const auto row = static_cast<std::size_t>(i);
      for (std::int64_t k = sparse_->starts[row]; k < sparse_->starts[row + 1]; ++k)
        visit(static_cast<Index>(sparse_->columns[static_cast<std::size_t>(k)]),
              sparse_->values[static_cast<std::size_t>(k)]);
    }
  }

 private:
  explicit Rows(Index n) : size_(n), squared_norm_(static_cast<double>(n)) {}
  Index size_ = 0;  // of the identity
  double squared_norm_ = 0.0;
  std::shared_ptr<const RowMajorMatrix> dense_;
  std::shared_ptr<const CsrMatrix> sparse_;
  std::shared_ptr<std::shared_ptr<const RowMajorMatrix>> gram_ =
      std::make_shared<std::shared_ptr<const RowMajorMatrix>>();
};

}  // namespace fcbio::interior
