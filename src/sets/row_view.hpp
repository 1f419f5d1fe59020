// The rows of a matrix, dense or sparse, as conditions look at them.
#pragma once

#include "fcbio/matrix.hpp"

namespace fcbio::sets {

struct RowView {
  const RowMajorMatrix* dense = nullptr;  ///< one of the two, or both null: no rows
  const CsrMatrix* sparse = nullptr;

  Index count() const { return dense != nullptr ? dense->rows() : (sparse != nullptr ? sparse->rows : 0); }

  /// visit(column, number) for the numbers of a row that are not 0.
  template <class Visit>
  void each(Index row, Visit&& visit) const {
    if (dense != nullptr) {
      for (Index j = 0; j < dense->cols(); ++j)
        if ((*dense)(row, j) != 0.0) visit(j, (*dense)(row, j));
      return;
    }
    const auto first = static_cast<std::size_t>(sparse->starts[static_cast<std::size_t>(row)]);
    const auto last = static_cast<std::size_t>(sparse->starts[static_cast<std::size_t>(row) + 1]);
    for (std::size_t k = first; k < last; ++k)
      if (sparse->values[k] != 0.0) visit(static_cast<Index>(sparse->columns[k]), sparse->values[k]);
  }
};

}  // namespace fcbio::sets
