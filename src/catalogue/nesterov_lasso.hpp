// Nesterov's generator of sparse regression problems with a known optimum of  1/2 |Ax - b|^2 + |x|_1.
#pragma once

#include "catalogue/random.hpp"
#include "fcbio/linear_map.hpp"

namespace fcbio::catalogue {

struct SparseRegression {
  RowMajorMatrix data;  // A
  Vector target;        // b
  Vector lasso;         // a minimiser of 1/2 |Ax - b|^2 + |x|_1, with `support` non-zero entries
};

/// Entries of the raw matrix uniform in (-1, 1); a unit vector y, and every column scaled so that  |a_j'y| = 1 on
/// the support (the columns most parallel to y) and at most 1 elsewhere.  Then b = y + A x with x_j of the sign of
/// a_j'y, of size up to 1/sqrt(support), on the support: A'(b - Ax) = A'y is a subgradient of |.|_1 at x.
SparseRegression nesterov_lasso(Index rows, Index columns, Index support, Random& random);

}  // namespace fcbio::catalogue
