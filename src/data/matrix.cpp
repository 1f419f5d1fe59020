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
  if (!borrowed.held.holds(0, borrowed.view.rows))
    throw InvalidArgument(
        "expected all rows in one place, found those of one rank; start the program without mpirun");
  if (borrowed.lender != nullptr) borrowed.lender->admit({0, borrowed.view.rows});
  return borrowed.view;
}

}  // namespace

Index Matrix::rows() const { return std::visit(ShapeReader{}, matrix).rows; }
Index Matrix::cols() const { return std::visit(ShapeReader{}, matrix).cols; }

RowRun Matrix::held() const {
  if (const auto* dense = std::get_if<BorrowedDense>(&matrix)) return dense->held;
  if (const auto* sparse = std::get_if<BorrowedCsr>(&matrix)) return sparse->held;
  return {};
}

std::span<const std::int64_t> Matrix::starts() const {
  if (const auto* sparse = std::get_if<CsrMatrix>(&matrix)) return sparse->starts;
  return std::get<BorrowedCsr>(matrix).view.starts;
}

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

Matrix rows_of(const DenseView& view, const RowRun& rows) {
  RowMajorMatrix copy(rows.end - rows.first, view.cols);
  for (Index i = 0; i < copy.rows(); ++i)
    for (Index j = 0; j < view.cols; ++j) copy(i, j) = view(rows.first + i, j);
  return {std::move(copy)};
}

/// `before`: the numbers that stand before those of the view.
Matrix rows_of(const CsrView& view, const RowRun& rows, std::int64_t before) {
  const auto first = static_cast<std::size_t>(rows.first), end = static_cast<std::size_t>(rows.end);
  const std::int64_t begin = view.starts[first];
  const auto skipped = static_cast<std::size_t>(begin - before);
  const auto count = static_cast<std::size_t>(view.starts[end] - begin);
  const auto columns = view.columns.subspan(skipped, count);
  const auto values = view.values.subspan(skipped, count);
  CsrMatrix copy{
      rows.end - rows.first, view.cols, {}, {columns.begin(), columns.end()}, {values.begin(), values.end()}};
  copy.starts.reserve(end - first + 1);
  for (std::size_t row = first; row <= end; ++row) copy.starts.push_back(view.starts[row] - begin);
  return {std::move(copy)};
}

}  // namespace

Matrix Matrix::copy_of_rows(const RowRun& rows) const {
  const auto admit = [&rows](const auto& borrowed) {
    if (borrowed.lender != nullptr) borrowed.lender->admit(rows);
  };
  if (const auto* dense = std::get_if<BorrowedDense>(&matrix)) {
    admit(*dense);
    return rows_of(dense->view, rows);
  }
  if (const auto* sparse = std::get_if<BorrowedCsr>(&matrix)) {
    admit(*sparse);
    return rows_of(sparse->view, rows, sparse->view.starts[static_cast<std::size_t>(sparse->held.first)]);
  }
  if (const auto* dense = std::get_if<RowMajorMatrix>(&matrix)) return rows_of(view_of(*dense), rows);
  return rows_of(view_of(std::get<CsrMatrix>(matrix)), rows, 0);
}

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
