// A table of numbers of a problem, dense or sparse as it came.
#pragma once

#include <variant>

#include "fcbio/matrix.hpp"

namespace fcbio::data {

struct Matrix {
  std::variant<RowMajorMatrix, CsrMatrix> matrix;
  Index rows() const;
  Index cols() const;
};

}  // namespace fcbio::data
