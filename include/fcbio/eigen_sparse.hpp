// From Eigen's sparse matrices.  A header of its own: <Eigen/SparseCore> takes long to compile.
#pragma once

#include <Eigen/SparseCore>

#include "fcbio/linear_map.hpp"

namespace fcbio {

FCBIO_EXPORT CsrMatrix to_csr(const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix);

}  // namespace fcbio
