#include "data/matrix.hpp"

namespace fcbio::data {

Index Matrix::rows() const {
  if (const auto* dense = std::get_if<RowMajorMatrix>(&matrix)) return dense->rows();
  return std::get<CsrMatrix>(matrix).rows;
}

Index Matrix::cols() const {
  if (const auto* dense = std::get_if<RowMajorMatrix>(&matrix)) return dense->cols();
  return std::get<CsrMatrix>(matrix).cols;
}

}  // namespace fcbio::data
