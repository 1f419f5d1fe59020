#include "io/problem_data.hpp"

namespace fcbio::io {

Index DataMatrix::rows() const {
  if (const auto* dense = std::get_if<RowMajorMatrix>(&matrix)) return dense->rows();
  return std::get<CsrMatrix>(matrix).rows;
}

Index DataMatrix::cols() const {
  if (const auto* dense = std::get_if<RowMajorMatrix>(&matrix)) return dense->cols();
  return std::get<CsrMatrix>(matrix).cols;
}

}  // namespace fcbio::io
