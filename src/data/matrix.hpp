// A table of numbers of a problem, dense or sparse as it came: owned, or in memory of somebody else's that is kept
// alive and not copied.  Who only reads does not see the difference: read().
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <variant>

#include "fcbio/linear_map.hpp"
#include "fcbio/matrix.hpp"

namespace fcbio::data {

/// Rows [first, end).
struct RowRun {
  Index first = 0;
  Index end = std::numeric_limits<Index>::max();  ///< behind all rows
  bool holds(Index begin, Index behind) const { return first <= begin && behind <= end; }
};

/// Who lends numbers that come from outside of the program, and may have more than the numbers.
class Lender {
 public:
  virtual ~Lender() = default;
  /// Called before the numbers of these rows are read, every time.  Throws InputError where they are damaged.
  virtual void admit(const RowRun& rows) const = 0;
  /// The solver's map of all that is lent, with `cols` columns; null: there is none, one is to be made.
  virtual LinearMapPtr ready_map(Index cols) const = 0;
};

struct BorrowedDense {
  DenseView view;
  std::shared_ptr<const void> owner;
  const Lender* lender = nullptr;  ///< null: the numbers are as they should be.  Lives as long as the owner.
  RowRun held = {};  ///< rows whose numbers may be read; all others are for other ranks (io/shared_rows.hpp)
};

struct BorrowedCsr {
  CsrView view;  ///< all starts; columns and values from those of the first row that is held
  std::shared_ptr<const void> owner;
  const Lender* lender = nullptr;  ///< likewise
  RowRun held = {};                ///< likewise
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
  /// Whether the numbers of some rows may not be read here.
  bool is_partial() const { return !held().holds(0, rows()); }
  RowRun held() const;
  /// The numbers that are stored in the rows before each row, and in all; of sparse rows that are stored.
  std::span<const std::int64_t> starts() const;
  /// Some of the rows that are held, as a matrix of its own.
  Matrix copy_of_rows(const RowRun& rows) const;
  /// Dense or sparse, and its own.
  bool is_owned() const { return matrix.index() < 2; }

  /// visit(view) with the DenseView or CsrView of the numbers.  Throws InvalidArgument where there are none, or not all.
  template <class Visit>
  auto read(Visit&& visit) const {
    if (const auto* demanded = std::get_if<RowsOnDemand>(&matrix)) {
      const CsrMatrix rows = demanded->make();
      return visit(view_of(rows));
    }
    if (is_sparse()) return visit(sparse_view());
    return visit(dense_view());
  }

  /// visit(view, rows) likewise, where only some rows are held: of sparse ones the view holds no others.
  template <class Visit>
  void read_held(Visit&& visit) const {
    if (const auto* dense = std::get_if<BorrowedDense>(&matrix)) {
      if (dense->lender != nullptr) dense->lender->admit(dense->held);
      return visit(dense->view, dense->held);
    }
    const auto& sparse = std::get<BorrowedCsr>(matrix);
    if (sparse.lender != nullptr) sparse.lender->admit(sparse.held);
    visit(sparse.view, sparse.held);
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
