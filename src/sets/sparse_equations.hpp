// How far a point is from the solutions of many sparse equations M x = v, proved.
//
// Let K = M M', where coordinates that must stay as they are have no column in M, and let s > 0 be at most its least
// eigenvalue.  Then z = x + M'K^{-1} r with r = v - M x solves the equations, and
//     |z - x| <= |r| / sqrt(s).
// That s is one is shown by a factorisation of K - tI with positive pivots: the least eigenvalue is then at least t minus
// a rounding error that the trace of K bounds.  Rows that depend on others are treated as in equations.hpp.
#pragma once

#include <optional>

#include "fcbio/matrix.hpp"
#include "linalg/sparse_ldl.hpp"
#include "sets/extended.hpp"

namespace fcbio::sets {

/// v - <row, x> of the numbers of one row, with a bound of its error; products are exact.
Extended exact_residual(double value, std::span<const std::int32_t> columns, std::span<const double> numbers,
                        VectorIn x, Extended& error);
/// Whether the sum of factor * number over pairs is 0, without any rounding on the way.
bool vanishes_without_rounding(std::span<const Extended> factors, std::span<const Extended> numbers);

class SparseEquations {
 public:
  /// Nothing: the factor would be too large, or the rows depend on each other but for rounding.
  static std::optional<SparseEquations> make(CsrMatrix rows, std::vector<double> values,
                                             const std::vector<bool>& fixed);

  double distance(VectorIn x) const;
  void approach(VectorOut x) const;
  void flatten(VectorOut d) const;

 private:
  SparseEquations(CsrMatrix rows, std::vector<double> values, const std::vector<bool>& fixed,
                  const Cliques& cliques, const SparseOrdering& ordering);
  bool factor(double shift, bool may_vanish);
  bool drop_dependent_rows();
  bool prove_least_eigenvalue();
  std::span<const std::int32_t> columns(Index row) const;
  std::span<const double> numbers(Index row) const;
  /// y <- K^{-1} y, by rows.
  void solve(Vector& y) const;
  /// x <- x + M'y over the coordinates that may move.
  void pull(const Vector& y, VectorOut x) const;

  CsrMatrix rows_;
  std::vector<double> values_;
  std::vector<bool> fixed_;
  std::vector<bool> dropped_;                // of the rows
  std::vector<std::int64_t> column_starts_;  // the same numbers by columns, without fixed ones
  std::vector<std::int32_t> column_rows_;
  std::vector<double> column_numbers_;
  SparseLdl ldl_;
  std::vector<std::int32_t> row_at_;  // by places
  Extended least_ = 0;                // s
};

}  // namespace fcbio::sets
