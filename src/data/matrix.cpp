#include "data/matrix.hpp"

#include <utility>

#include "fcbio/error.hpp"

namespace fcbio::data {

namespace {

struct Shape {
  Index rows, cols;
};

/// Without a look at the numbers.
struct ShapeReader {
  Shape operator()(const RowMajorMatrix& dense) const { return {dense.rows(), dense.cols()}; }
  Shape operator()(const CsrMatrix& sparse) const { return {sparse.rows, sparse.cols}; }
  Shape operator()(const BorrowedDense& dense) const { return {dense.view.rows, dense.view.cols}; }
  Shape operator()(const BorrowedCsr& sparse) const { return {sparse.view.rows, sparse.view.cols}; }
  Shape operator()(const RowsOnDemand& sparse) const { return {sparse.rows, sparse.cols}; }
  Shape operator()(const LinearMapPtr& map) const { return {map->rows(), map->cols()}; }
};

template <class Borrowed>
const auto& admitted(const Borrowed& borrowed) {
  if (borrowed.lender != nullptr) borrowed.lender->admit();
  return borrowed.view;
}

}  // namespace

Index Matrix::rows() const { return std::visit(ShapeReader{}, matrix).rows; }
Index Matrix::cols() const { return std::visit(ShapeReader{}, matrix).cols; }

bool Matrix::is_sparse() const {
  return std::holds_alternative<CsrMatrix>(matrix) || std::holds_alternative<BorrowedCsr>(matrix) ||
         std::holds_alternative<RowsOnDemand>(matrix);
}

DenseView Matrix::dense_view() const {
  if (const auto* dense = std::get_if<RowMajorMatrix>(&matrix)) return view_of(*dense);
  if (const auto* borrowed = std::get_if<BorrowedDense>(&matrix)) return admitted(*borrowed);
  throw InvalidArgument(
      "expected a table of numbers, found a linear operator, which is known by its products only; give its matrix "
      "where a problem is to be written, named or verified");
}

CsrView Matrix::sparse_view() const {
  if (const auto* sparse = std::get_if<CsrMatrix>(&matrix)) return view_of(*sparse);
  return admitted(std::get<BorrowedCsr>(matrix));
}

namespace {

Matrix copy_of(const DenseView& view) {
  RowMajorMatrix copy(view.rows, view.cols);
  for (Index i = 0; i < view.rows; ++i)
    for (Index j = 0; j < view.cols; ++j) copy(i, j) = view(i, j);
  return {std::move(copy)};
}

Matrix copy_of(const CsrView& view) {
  return {CsrMatrix{view.rows,
                    view.cols,
                    {view.starts.begin(), view.starts.end()},
                    {view.columns.begin(), view.columns.end()},
                    {view.values.begin(), view.values.end()}}};
}

}  // namespace

Matrix Matrix::owned() const {
  if (const auto* demanded = std::get_if<RowsOnDemand>(&matrix)) return {demanded->make()};
  return read([](const auto& view) { return copy_of(view); });
}

void Matrix::share() {
  if (auto* dense = std::get_if<RowMajorMatrix>(&matrix)) {
    const auto held = std::make_shared<const RowMajorMatrix>(std::move(*dense));
    matrix = BorrowedDense{view_of(*held), held};
  } else if (auto* sparse = std::get_if<CsrMatrix>(&matrix)) {
    const auto held = std::make_shared<const CsrMatrix>(std::move(*sparse));
    matrix = BorrowedCsr{view_of(*held), held};
  }
}

}  // namespace fcbio::data
