#include "linalg/banded_cholesky.hpp"

#include <cmath>

namespace fcbio {

bool BandedCholesky::factor() {
  for (Index i = 0; i < size(); ++i) {
    for (Index d = reach(i); d >= 0; --d) {
      const Index j = i - d;
      double sum = factor_(i, d);
      for (Index e = d + 1; e <= reach(i) && e - d <= reach(j); ++e) sum -= factor_(i, e) * factor_(j, e - d);
      if (d > 0) {
        factor_(i, d) = sum / factor_(j, 0);
        continue;
      }
      if (!(sum > 0.0) || !std::isfinite(sum)) return false;
      factor_(i, 0) = std::sqrt(sum);
    }
  }
  return true;
}

void BandedCholesky::solve_lower(VectorOut x) const {
  for (Index i = 0; i < size(); ++i) {
    for (Index d = 1; d <= reach(i); ++d) x[i] -= factor_(i, d) * x[i - d];
    x[i] /= factor_(i, 0);
  }
}

void BandedCholesky::solve_upper(VectorOut x) const {
  for (Index i = size() - 1; i >= 0; --i) {
    x[i] /= factor_(i, 0);
    for (Index d = 1; d <= reach(i); ++d) x[i - d] -= factor_(i, d) * x[i];
  }
}

void BandedCholesky::solve_lower(RowMajorMatrix& columns) const {
  for (Index i = 0; i < size(); ++i) {
    for (Index d = 1; d <= reach(i); ++d)
      if (factor_(i, d) != 0.0) columns.row(i) -= factor_(i, d) * columns.row(i - d);
    columns.row(i) /= factor_(i, 0);
  }
}

}  // namespace fcbio
