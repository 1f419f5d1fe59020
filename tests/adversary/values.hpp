// Values of the functions and membership in the sets of a problem file, by definition, in exact arithmetic.
#pragma once

#include "data/problem.hpp"
#include "exact.hpp"

namespace fcbio::adversary {

Exact value(const data::Term& term, const ExactVector& x);
Exact value(const std::vector<data::Term>& terms, const ExactVector& x);

/// Whether x is outside by more than 1e-6 of the size of Z, beyond what the spacing of doubles at x forces.
/// Distances are those to the members (to each hyperplane of an affine set), the size is that of the smallest
/// member.
bool clearly_outside(const data::Set& set, const ExactVector& x);

/// Of summand i; absent weights are 1.
Exact weight_at(const Vector& weights, std::size_t i);

/// The rows of a matrix, dense or sparse.
std::vector<ExactVector> exact_rows(const data::Matrix& matrix);

}  // namespace fcbio::adversary
