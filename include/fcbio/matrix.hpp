// Tables of numbers, as data is handed over: dense or sparse rows.
#pragma once

#include <cstdint>
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

}  // namespace fcbio
