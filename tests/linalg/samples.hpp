// Matrices for the tests of this folder, seeded, and slow obvious products in long double.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <random>
#include <string>

#include "fcbio/eigen_sparse.hpp"

namespace fcbio::samples {

inline double gaussian(std::mt19937_64& engine) { return std::normal_distribution<double>()(engine); }

inline Vector vector(Index size, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  return Vector::NullaryExpr(size, [&engine](Index) { return gaussian(engine); });
}

inline Eigen::MatrixXd dense(Index rows, Index cols, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&engine](Index, Index) { return gaussian(engine); });
}

/// Keeps about a part `density` of the entries; the others are zero.
inline Eigen::MatrixXd thinned(Index rows, Index cols, double density, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> coin(0.0, 1.0);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      if (coin(engine) < density) matrix(i, j) = gaussian(engine);
    }
  }
  return matrix;
}

/// U diag(singular) V' where the orthogonal U and V are products of three random reflections.
inline Eigen::MatrixXd with_spectrum(Index rows, Index cols, const Vector& singular, std::uint64_t seed) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows, cols);
  matrix.diagonal().head(singular.size()) = singular;
  for (std::uint64_t reflection = 0; reflection < 3; ++reflection) {
    const Vector left = vector(rows, seed + 2 * reflection).normalized();
    const Vector right = vector(cols, seed + 2 * reflection + 1).normalized();
    matrix -= (2.0 * left) * (left.transpose() * matrix).eval();
    matrix -= (matrix * right).eval() * (2.0 * right).transpose();
  }
  return matrix;
}

inline CsrMatrix csr(const Eigen::MatrixXd& matrix) {
  return to_csr(Eigen::SparseMatrix<double, Eigen::RowMajor>(matrix.sparseView()));
}

enum class Storage { row_major, column_major, sparse };
inline constexpr Storage kStorages[] = {Storage::row_major, Storage::column_major, Storage::sparse};

inline std::string name(Storage storage) {
  switch (storage) {
    case Storage::row_major:
      return "row-major";
    case Storage::column_major:
      return "column-major";
    default:
      return "sparse";
  }
}

inline LinearMapPtr map(Storage storage, const Eigen::MatrixXd& matrix) {
  switch (storage) {
    case Storage::row_major:
      return dense_map(RowMajorMatrix(matrix));
    case Storage::column_major:
      return dense_map(matrix);
    default:
      return sparse_map(csr(matrix));
  }
}

/// Checks image against M x entry by entry, to a rounding bound of each sum of its own: N epsilon sum |m_ij x_j|.
inline ::testing::AssertionResult is_product(const Eigen::MatrixXd& matrix, const Vector& x, const Vector& image,
                                             double weight = 1.0, const Vector* start = nullptr) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    long double sum = 0.0L;
    long double size = 0.0L;
    for (Index j = 0; j < matrix.cols(); ++j) {
      const long double term = static_cast<long double>(weight) * matrix(i, j) * x[j];
      sum += term;
      size += std::abs(term);
    }
    if (start != nullptr) {
      sum += (*start)[i];
      size += std::abs((*start)[i]);
    }
    const long double allowed = static_cast<long double>(matrix.cols() + 4) * kEpsilon * size;
    if (!(std::abs(sum - image[i]) <= allowed)) {
      return ::testing::AssertionFailure()
             << "entry " << i << ": expected " << static_cast<double>(sum) << ", found " << image[i];
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace fcbio::samples
