// All rows of a program under each other: those of its blocks (without identities, which only add to a diagonal), and
// one for each ball, which changes from step to step.
#pragma once

#include <vector>

#include "interior/program.hpp"

namespace fcbio::interior {

class Stack {
 public:
  explicit Stack(const Program& program);

  struct Part {
    const Rows* rows;
    Index first;            // where they begin in the stack
    bool constant = false;  // their t is the same number in every row and at every step: squares
  };
  Index variables() const { return variables_; }
  Index rows() const { return rows_ + static_cast<Index>(balls_.size()); }
  const std::vector<Part>& parts() const { return parts_; }
  /// Rows of balls come last, from this one on.
  Index first_ball() const { return rows_; }
  std::vector<Vector>& balls() { return balls_; }
  const std::vector<Vector>& balls() const { return balls_; }
  Index numbers() const;

  void apply(VectorIn x, VectorOut out) const;
  void add_transpose(VectorIn y, VectorOut out) const;

 private:
  Index variables_ = 0, rows_ = 0;
  std::vector<Part> parts_;
  std::vector<Vector> balls_;
};

}  // namespace fcbio::interior
