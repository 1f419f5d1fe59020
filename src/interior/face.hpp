// The points that satisfy some rows as equations, where some variables are fixed: a face.
#pragma once

#include <vector>

#include "interior/rows.hpp"

namespace fcbio::interior {

class Face {
 public:
  explicit Face(Index n) : fixed_(static_cast<std::size_t>(n), false), values_(Vector::Zero(n)) {}

  void fix(Index j, double value) {
    fixed_[static_cast<std::size_t>(j)] = true;
    values_[j] = value;
  }
  bool is_fixed(Index j) const { return fixed_[static_cast<std::size_t>(j)]; }
  /// False: there are too many to be looked at.
  bool add(const Rows& rows, Index i, double value);

  /// Places of so many equations, in the order they were added, that the others follow if they hold at all.
  std::vector<Index> independent() const;
  /// x <- the nearest point, to the last digit where doubles have it; false: there is none.
  bool project(Vector& x) const;
  /// Weights of the equations with  sum of weight_i row_i = 0  in all variables that are not fixed: those near the given
  /// ones, where the unit of change of each is its entry in `sizes`.
  void cancel(Vector& weights, const Vector& sizes) const;

 private:
  struct Equation {
    Vector row;
    double value;
  };
  Eigen::MatrixXd free_columns(const Vector& factors) const;
  Vector inverse_lengths() const;

  std::vector<bool> fixed_;
  Vector values_;
  std::vector<Equation> equations_;
};

}  // namespace fcbio::interior
