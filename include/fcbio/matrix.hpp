// Tables of numbers, as data is handed over: dense or sparse rows, owned or in memory of somebody else's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fcbio/types.hpp"

namespace fcbio {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Compressed sparse rows.  Columns ascend within a row.  64-bit starts, 32-bit columns.
struct CsrMatrix {
  Index rows = 0;
  Index cols = 0;
  std::vector<std::int64_t> starts;   ///< rows + 1 entries
  std::vector<std::int32_t> columns;  ///< one per stored number
  std::vector<double> values;
  Index nonzeros() const { return static_cast<Index>(values.size()); }
};

/// A dense table that somebody else holds: lines of numbers without gaps, `stride` numbers from one to the next.
struct DenseView {
  const double* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;
  bool by_rows = true;  ///< a line is a row; else a column
  double operator()(Index row, Index col) const {
    return by_rows ? data[row * stride + col] : data[col * stride + row];
  }
};

/// Compressed sparse rows that somebody else holds.
struct CsrView {
  Index rows = 0;
  Index cols = 0;
  std::span<const std::int64_t> starts;
  std::span<const std::int32_t> columns;
  std::span<const double> values;
  Index nonzeros() const { return static_cast<Index>(values.size()); }
};

inline DenseView view_of(const RowMajorMatrix& matrix) {
  return {matrix.data(), matrix.rows(), matrix.cols(), matrix.cols(), true};
}
inline DenseView view_of(const Eigen::MatrixXd& matrix) {
  return {matrix.data(), matrix.rows(), matrix.cols(), matrix.rows(), false};
}
inline CsrView view_of(const CsrMatrix& matrix) {
  return {matrix.rows, matrix.cols, matrix.starts, matrix.columns, matrix.values};
}

}  // namespace fcbio
