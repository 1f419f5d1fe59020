// What makes 1/2 x'Qx a convex function: Q square, symmetric and positive semidefinite, the last proved.
#pragma once

#include "fcbio/linear_map.hpp"

namespace fcbio::functions {

/// (Q + Q')/2.  Refuses a Q that is not square or has |q_ij - q_ji| > 1e-12 max |q|.
RowMajorMatrix checked_symmetric(RowMajorMatrix q);
/// Likewise; q must have passed the checks of sparse_map().
CsrMatrix checked_symmetric(CsrMatrix q);

struct Curvature {
  double strong_convexity = 0.0;  ///< at most the least eigenvalue; for steps, good to rounding only
  double concavity = 0.0;         ///< lambda >= 0, proved: the least eigenvalue is at least -lambda
};

/// Proves that the least eigenvalue of a symmetric Q is at least -concavity, or refuses Q: by Gershgorin's circles
/// (weak diagonal dominance, any size: concavity 0), else by a Cholesky factorisation (least_eigenvalue.hpp; up to
/// 2000 variables), with a concavity of a few roundings, n eps trace(Q) at most.  `map` is x -> Q x.
Curvature prove_semidefinite(const RowMajorMatrix& q, const LinearMap& map);
Curvature prove_semidefinite(const CsrMatrix& q, const LinearMap& map);

}  // namespace fcbio::functions
