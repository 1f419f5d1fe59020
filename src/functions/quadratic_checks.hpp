// What makes 1/2 x'Qx a convex function: Q square, symmetric and positive semidefinite, each to rounding.
#pragma once

#include "fcbio/linear_map.hpp"

namespace fcbio::functions {

/// (Q + Q')/2.  Refuses a Q that is not square or has |q_ij - q_ji| > 1e-12 max |q|.
RowMajorMatrix checked_symmetric(RowMajorMatrix q);
/// Likewise; q must have passed the checks of sparse_map().
CsrMatrix checked_symmetric(CsrMatrix q);

/// Refuses a symmetric Q with an eigenvalue below -n eps |Q|; returns a lower bound >= 0 of the smallest one (0
/// where it was not computed).  `map` is x -> Q x.
///   n <= 500    all eigenvalues.
///   n <= 2000   Cholesky of Q + n eps |Q| I; if that breaks down, all eigenvalues decide.
///   beyond      no proof: every 2 x 2 diagonal block must pass, and the smallest Ritz value of 80 Lanczos steps
///               with full reorthogonalisation from a seeded start.  Both are curvatures of Q itself, so a
///               refusal is always right; an eigenvalue that is barely negative may be missed.
double require_semidefinite(const RowMajorMatrix& q, const LinearMap& map);
double require_semidefinite(const CsrMatrix& q, const LinearMap& map);

}  // namespace fcbio::functions
