// Synthetic categorical data, in the likeness of the census data used for logistic regression: every example picks
// one value in each of several groups, one column of 0 and 1 per value, and has a -1/+1 label.
#pragma once

#include "catalogue/random.hpp"
#include "fcbio/linear_map.hpp"

namespace fcbio::catalogue {

/// count x (columns + 1): one 1 in each of `groups` groups of columns (as even in size as possible; value k of a
/// group, from 1, with probability proportional to 1/k), and a last column of ones.  1 <= groups <= columns.
CsrMatrix categorical_rows(Index count, Index columns, Index groups, Random& random);

/// +1 for the `share` of rows with the largest  row'w + noise * (standard normal),  w standard normal; -1 for the
/// others.
Vector noisy_labels(const CsrMatrix& rows, double share, double noise, Random& random);

double row_dot(const CsrMatrix& matrix, Index row, VectorIn x);

/// numpy.random.RandomState(seed).random_sample(size): Mersenne Twister with 53 bits per number.  The published
/// experiments of Bisec-BiO and PB-APG start from the one with seed 123456.
Vector numpy_uniform(std::uint32_t seed, Index size);

}  // namespace fcbio::catalogue
