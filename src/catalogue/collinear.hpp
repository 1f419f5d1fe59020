// Regression data with co-linear columns, in the likeness of the song data of the published minimum-norm and
// sparse experiments: features scaled to [-1, 1], a column of ones, then as many columns that are random
// combinations of the former; targets scaled to [0, 1].
//
// With B the features and ones (full column rank) and A = [B, BC] = B [I, C], the minimisers of |Ax - b| are the
// solutions of [I, C] x = y, y the one minimiser of |By - b|; so A+ b is the shortest of them.
#pragma once

#include "catalogue/random.hpp"
#include "fcbio/linear_map.hpp"

namespace fcbio::catalogue {

struct CollinearRegression {
  RowMajorMatrix data;         // A: rows x (2 features + 1)
  Vector target;               // b, in [0, 1]
  Vector shortest;             // A+ b
  double least_squares = 0.0;  // min 1/2 |Ax - b|^2
};

/// Columns combined in each co-linear column (fewer where there are fewer), with weights uniform in (-1, 1).
inline constexpr Index kCombinedColumns = 10;

/// rows > features.
CollinearRegression collinear_regression(Index rows, Index features, Random& random);

}  // namespace fcbio::catalogue
