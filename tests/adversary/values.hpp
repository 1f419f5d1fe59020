// Values of the functions and membership in the sets of a problem file, by definition, in exact arithmetic.
#pragma once

#include "exact.hpp"
#include "io/problem_data.hpp"

namespace fcbio::adversary {

Exact value(const io::TermData& term, const ExactVector& x);
Exact value(const std::vector<io::TermData>& terms, const ExactVector& x);

/// Whether x is outside by more than 1e-6 of the size of Z, beyond what the spacing of doubles at x forces.
/// Distances are those to the members (to each hyperplane of an affine set), the size is that of the smallest
/// member.
bool clearly_outside(const io::SetData& set, const ExactVector& x);

/// x_j of a data matrix, dense or sparse, as rows of exact numbers.
std::vector<ExactVector> rows_of(const io::DataMatrix& data);

}  // namespace fcbio::adversary
