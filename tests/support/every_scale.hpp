// Sums that are as hard for first-order methods at one accuracy as at another.
#pragma once

#include "support/problems.hpp"

namespace fcbio::test {

/// Mean of 1/2 (a_i'x - b_i)^2 over rows a_i of norm 1 with random signs, whose second moments fall geometrically to
/// `least` of the first; 0 at a random point of norm 1/2.  However small the accuracy, directions are left whose
/// curvature is just large enough to matter, so that no method is helped by the spectrum.
inline Function mean_of_every_scale(Index rows, Index n, double least, std::mt19937_64& random) {
  Vector scale = Vector::NullaryExpr(
      n, [&](Index j) { return std::pow(least, 0.5 * static_cast<double>(j) / static_cast<double>(n - 1)); });
  scale.normalize();
  RowMajorMatrix data(rows, n);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < n; ++j) data(i, j) = random() % 2 == 0 ? scale[j] : -scale[j];
  const Vector b = data * (0.5 * random_vector(n, random).normalized());
  return (1.0 / static_cast<double>(rows)) * least_squares(dense_map(std::move(data)), b);
}

}  // namespace fcbio::test
