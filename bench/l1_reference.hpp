// Reference answers of two linear programs, by a primal-dual interior-point method:
//     min |x|_1  s.t.  K x >= h      and      min |x|_1  s.t.  K x = h.
// The dual, max <h, y> s.t. |K'y|_inf <= 1 (and y >= 0 for the inequality), bounds the value from below whatever
// the method did, so the answer carries its own error bound.
#pragma once

#include "fcbio/linear_map.hpp"

namespace fcbio::bench {

struct L1Reference {
  Vector x;
  double value = 0.0;      ///< |x|_1
  double bound = 0.0;      ///< a lower bound of the optimum, from the dual
  double violation = 0.0;  ///< largest violation of a constraint at x
};

enum class Relation { at_least, equal };

/// For dense K of moderate size: each step factors a rows x rows matrix.
L1Reference smallest_l1_norm(const RowMajorMatrix& k, const Vector& h, Relation relation);

}  // namespace fcbio::bench
