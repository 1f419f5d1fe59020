// Checks of compressed sparse rows, and their making from an Eigen matrix.
#include "linalg/csr.hpp"

#include "fcbio/eigen_sparse.hpp"
#include "linalg/at.hpp"
#include "linalg/refusal.hpp"

namespace fcbio {
namespace {

void require_starts(const std::string& who, const CsrView& matrix) {
  if (matrix.starts.size() != at(matrix.rows) + 1) {
    refuse(who, "rows + 1 = " + std::to_string(matrix.rows + 1) + " starts", std::to_string(matrix.starts.size()),
           "give the start of every row and the end of the last");
  }
  if (matrix.columns.size() != matrix.values.size()) {
    refuse(
        who, "one column for every value",
        std::to_string(matrix.columns.size()) + " columns and " + std::to_string(matrix.values.size()) + " values",
        "give both arrays the same length");
  }
  const std::int64_t last = static_cast<std::int64_t>(matrix.values.size());
  if (matrix.starts.front() != 0 || matrix.starts.back() != last) {
    refuse(who, "starts from 0 to the number of values, " + std::to_string(last),
           "starts from " + std::to_string(matrix.starts.front()) + " to " + std::to_string(matrix.starts.back()),
           "check how the starts were counted");
  }
  for (Index row = 0; row < matrix.rows; ++row) {
    if (matrix.starts[at(row + 1)] < matrix.starts[at(row)]) {
      refuse(who, "starts that never descend",
             std::to_string(matrix.starts[at(row)]) + " followed by " +
                 std::to_string(matrix.starts[at(row + 1)]) + " at row " + std::to_string(row) +
                 " (counted from 0)",
             "check how the starts were counted");
    }
  }
}

}  // namespace

void require_csr(const std::string& who, const CsrView& matrix) {
  require_shape(who, matrix.rows, matrix.cols);
  require_starts(who, matrix);
  for (Index row = 0; row < matrix.rows; ++row) {
    const auto where = [row] { return " in row " + std::to_string(row) + " (counted from 0)"; };
    std::int64_t before = -1;
    for (Index k = matrix.starts[at(row)]; k < matrix.starts[at(row + 1)]; ++k) {
      const std::int64_t column = matrix.columns[at(k)];
      if (column < 0 || column >= matrix.cols) {
        refuse(who, "columns from 0 to " + std::to_string(matrix.cols - 1),
               "column " + std::to_string(column) + where(), "check the indices or the number of columns");
      }
      if (column <= before) {
        refuse(who, "columns that ascend within a row",
               "column " + std::to_string(column) + " after column " + std::to_string(before) + where(),
               "sort the entries of each row and add up repeated ones");
      }
      before = column;
    }
  }
}

CsrMatrix to_csr(const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix) {
  CsrMatrix result;
  result.rows = matrix.rows();
  result.cols = matrix.cols();
  result.starts.reserve(at(matrix.rows()) + 1);
  result.columns.reserve(at(matrix.nonZeros()));
  result.values.reserve(at(matrix.nonZeros()));
  result.starts.push_back(0);
  for (Index row = 0; row < matrix.rows(); ++row) {
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(matrix, row); entry; ++entry) {
      result.columns.push_back(static_cast<std::int32_t>(entry.col()));
      result.values.push_back(entry.value());
    }
    result.starts.push_back(static_cast<std::int64_t>(result.values.size()));
  }
  return result;
}

}  // namespace fcbio
