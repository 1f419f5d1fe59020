// Eigenvalues of symmetric matrices, ascending.  A file of their own: the solver takes twenty seconds to compile.
#pragma once

#include "fcbio/types.hpp"

namespace fcbio {

Vector symmetric_eigenvalues(const Eigen::MatrixXd& matrix);
/// Of the tridiagonal matrix with this diagonal, and `below` beside it (one number fewer).
Vector tridiagonal_eigenvalues(VectorIn diagonal, VectorIn below);

}  // namespace fcbio
