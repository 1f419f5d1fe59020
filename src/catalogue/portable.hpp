// The little linear algebra the generators need, as plain loops in a fixed order: Eigen's own reductions add in an
// order that depends on the machine's vector width, and a seeded problem must be the same problem everywhere.
#pragma once

#include "fcbio/linear_map.hpp"
#include "fcbio/types.hpp"

namespace fcbio::catalogue {

double dot(VectorIn a, VectorIn b);
Vector times(const RowMajorMatrix& matrix, VectorIn x);            ///< M x
Vector times_transpose(const RowMajorMatrix& matrix, VectorIn y);  ///< M' y

/// Rows orthonormal: Q Q' = I, and L with  M = L Q  (L lower triangular, positive diagonal).  M must have full row
/// rank.  Modified Gram-Schmidt, each row orthogonalised twice, so Q is orthonormal to rounding.
struct RowFactors {
  RowMajorMatrix lower;  // L
  RowMajorMatrix rows;   // Q
};
RowFactors orthonormal_rows(RowMajorMatrix matrix);

/// The point of smallest norm with M x = b, for M of full row rank: Q' (L^-1 b).
Vector smallest_solution(const RowMajorMatrix& matrix, VectorIn b);

/// The nearest point of {x >= 0, sum x = total}: sort, find the threshold, clip.
Vector nearest_on_simplex(VectorIn point, double total);

}  // namespace fcbio::catalogue
