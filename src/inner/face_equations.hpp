// The points that satisfy some rows of a program as equations, where some variables are fixed: a face.
#pragma once

#include <vector>

#include "interior/rows.hpp"
#include "sets/conditions.hpp"

namespace fcbio {

class FaceEquations {
 public:
  explicit FaceEquations(Index n) : fixed_(static_cast<std::size_t>(n), false), values_(Vector::Zero(n)) {}

  void fix(Index j, double value) {
    fixed_[static_cast<std::size_t>(j)] = true;
    values_[j] = value;
  }
  bool is_fixed(Index j) const { return fixed_[static_cast<std::size_t>(j)]; }
  /// False: there are too many to be looked at.
  bool add(const interior::Rows& rows, Index i, double value);
  std::size_t size() const { return equations_.size(); }

  /// Places of so many equations, in the order they were added, that the others follow if they hold at all.
  std::vector<std::size_t> independent() const;
  /// x <- the nearest point, in extended precision; false: the equations cannot be solved.
  bool project(Vector& x) const;
  /// Weights of the equations with  sum of weight_i row_i = 0  in all variables that are not fixed: those near the given
  /// ones, where the unit of change of each is its entry in `sizes`.
  void cancel(Vector& weights, const Vector& sizes) const;

 private:
  Eigen::MatrixXd free_columns(const Vector& factors) const;

  std::vector<bool> fixed_;
  Vector values_;
  std::vector<sets::Conditions::Equation> equations_;
};

}  // namespace fcbio
