// Plain loops; see portable.hpp for why.
#include "catalogue/portable.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace fcbio::catalogue {

double dot(VectorIn a, VectorIn b) {
  double sum = 0.0;
  for (Index j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

Vector times(const RowMajorMatrix& matrix, VectorIn x) {
  Vector image(matrix.rows());
  for (Index i = 0; i < matrix.rows(); ++i) {
    double sum = 0.0;
    for (Index j = 0; j < matrix.cols(); ++j) sum += matrix(i, j) * x[j];
    image[i] = sum;
  }
  return image;
}

Vector times_transpose(const RowMajorMatrix& matrix, VectorIn y) {
  Vector sum = Vector::Zero(matrix.cols());
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.cols(); ++j) sum[j] += y[i] * matrix(i, j);
  return sum;
}

RowFactors orthonormal_rows(RowMajorMatrix matrix) {
  const Index rows = matrix.rows();
  const Index cols = matrix.cols();
  RowMajorMatrix lower = RowMajorMatrix::Zero(rows, rows);
  for (Index i = 0; i < rows; ++i) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Index k = 0; k < i; ++k) {
        double overlap = 0.0;
        for (Index j = 0; j < cols; ++j) overlap += matrix(i, j) * matrix(k, j);
        for (Index j = 0; j < cols; ++j) matrix(i, j) -= overlap * matrix(k, j);
        lower(i, k) += overlap;
      }
    }
    double square = 0.0;
    for (Index j = 0; j < cols; ++j) square += matrix(i, j) * matrix(i, j);
    lower(i, i) = std::sqrt(square);
    for (Index j = 0; j < cols; ++j) matrix(i, j) /= lower(i, i);
  }
  return {std::move(lower), std::move(matrix)};
}

Vector smallest_solution(const RowMajorMatrix& matrix, VectorIn b) {
  const RowFactors factors = orthonormal_rows(matrix);
  Vector y = b;
  for (Index i = 0; i < y.size(); ++i) {
    for (Index k = 0; k < i; ++k) y[i] -= factors.lower(i, k) * y[k];
    y[i] /= factors.lower(i, i);
  }
  return times_transpose(factors.rows, y);
}

Vector nearest_on_simplex(VectorIn point, double total) {
  std::vector<double> sorted(point.begin(), point.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0.0;
  double threshold = 0.0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - total) / static_cast<double>(k + 1);
    if (sorted[k] > candidate) threshold = candidate;
  }
  Vector nearest(point.size());
  for (Index j = 0; j < point.size(); ++j) nearest[j] = std::max(point[j] - threshold, 0.0);
  return nearest;
}

}  // namespace fcbio::catalogue
