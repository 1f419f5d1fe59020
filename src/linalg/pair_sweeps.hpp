// What a limited-memory method does with its pairs of vectors, in as few sweeps as possible: the pairs of a large
// problem lie in the third cache or beyond, and the time is that of reading them.  No allocation; bits depend on
// the numbers and the sizes only.
#pragma once

#include <array>

#include "linalg/dense_kernels.hpp"

namespace fcbio {

struct PairSums {
  double pp = 0.0, pq = 0.0, qq = 0.0;  ///< <p, p>, <p, q>, <q, q>
};
PairSums pair_sums(VectorIn p, VectorIn q);

/// The change of a gradient: after - before; after alone where before is null, 0 where both are.
struct GradientChange {
  const double* after = nullptr;
  const double* before = nullptr;
};
/// Where a pair goes.
struct PairOut {
  double *step, *upper, *lower, *change;
};
/// step <- length * direction, upper and lower <- the changes, change <- a upper + b lower; returns the sums of
/// p = step, q = change.
PairSums write_pair(double length, VectorIn direction, const GradientChange& upper, const GradientChange& lower,
                    double a, double b, const PairOut& out);

/// out[k][o] <- <line o, vectors[k]> for every line of the block and every vector that is not null.  The lines are
/// read once for all vectors.
void tall_inner_products(const DenseBlock& block, const std::array<const double*, 4>& vectors,
                         std::array<Vector, 4>& out);

/// out <- a p + b q + sum over o of first_weights[o] (line o of first) + the same of second, on fixed shards.  All
/// have the length of the lines.
struct TallCombination {
  double a, b;
  const double *p, *q;
  DenseBlock first, second;
  const double *first_weights, *second_weights;
};
void tall_combination(const TallCombination& sum, double* out);

}  // namespace fcbio
