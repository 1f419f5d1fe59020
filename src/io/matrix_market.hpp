// Matrix Market text: a banner, comments that begin with %, a size line, then the entries.
//   %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric
// coordinate: lines `row column [value]` counted from 1, in any order; duplicates are summed in the order of the
// file; explicit zeros are kept; pattern entries are 1.  array: values column by column.  Of symmetric and
// skew-symmetric matrices only the lower triangle is stored, as the format asks (without the diagonal if skew).
#pragma once

#include "data/matrix.hpp"
#include "io/text_source.hpp"

namespace fcbio::io {

/// coordinate gives a CsrMatrix, array a RowMajorMatrix.  Throws InputError; also for complex matrices and for
/// matrices without entries.
data::Matrix parse_matrix_market(const TextSource& source);

}  // namespace fcbio::io
