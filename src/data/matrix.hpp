// A table of numbers of a problem, dense or sparse as it came: owned, or in memory of somebody else's that is kept
// alive and not copied.  Who only reads does not see the difference: read().
#pragma once

#include <functional>
#include <memory>
#include <variant>

#include "fcbio/linear_map.hpp"
#include "fcbio/matrix.hpp"

namespace fcbio::data {

/// Who lends numbers that come from outside of the program, and may have more than the numbers.
class Lender {
 public:
  virtual ~Lender() = default;
  /// Called before the numbers are read, every time.  Throws InputError where they are damaged.
  virtual void admit() const = 0;
  /// The solver's map of all that is lent, with `cols` columns; null: there is none, one is to be made.
  virtual LinearMapPtr ready_map(Index cols) const = 0;
};

struct BorrowedDense {
  DenseView view;
  std::shared_ptr<const void> owner;
  const Lender* lender = nullptr;  ///< null: the numbers are as they should be.  Lives as long as the owner.
};

struct BorrowedCsr {
  CsrView view;
  std::shared_ptr<const void> owner;
  const Lender* lender = nullptr;  ///< likewise
};

/// Sparse numbers of somebody else's in another order than by rows.  The rows are made of them whenever they are
/// read, and not kept: who lends large data has no memory to spare.
struct RowsOnDemand {
  Index rows = 0, cols = 0;
  std::function<CsrMatrix()> make;  ///< throws InvalidArgument where the numbers are damaged
};

struct Matrix {
  /// The last is a map known by its products only: problems with one can be solved, but not written, named or
  /// checked.
  std::variant<RowMajorMatrix, CsrMatrix, BorrowedDense, BorrowedCsr, RowsOnDemand, LinearMapPtr> matrix;
  Index rows() const;
  Index cols() const;
  bool has_numbers() const { return !std::holds_alternative<LinearMapPtr>(matrix); }
  bool is_sparse() const;
  /// Dense or sparse, and its own.
  bool is_owned() const { return matrix.index() < 2; }

  /// visit(view) with the DenseView or CsrView of the numbers.  Throws InvalidArgument where there are none.
  template <class Visit>
  auto read(Visit&& visit) const {
    if (const auto* demanded = std::get_if<RowsOnDemand>(&matrix)) {
      const CsrMatrix rows = demanded->make();
      return visit(view_of(rows));
    }
    if (is_sparse()) return visit(sparse_view());
    return visit(dense_view());
  }

  /// A matrix of its own, dense or sparse: the first two of the variant.
  Matrix owned() const;
  /// Lends its numbers out, so that copies of it are cheap; what is borrowed already stays as it is.
  void share();

 private:
  DenseView dense_view() const;
  CsrView sparse_view() const;
};

}  // namespace fcbio::data
