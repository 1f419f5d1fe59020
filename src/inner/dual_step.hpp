// The step of a loss's dual in a primal-dual method: row by row, with a step length s_i of its own,
//     r_i  <-  argmax of  r u_i - phi_i*(r) - (r - r_i)^2 / (2 s_i).
#pragma once

#include <string>

#include "fcbio/term.hpp"

namespace fcbio {

class DualStep {
 public:
  /// Empty: the loss of the term is one whose step is known; otherwise why not, in words.
  static std::string misfit(const Term& term);

  explicit DualStep(const Loss& loss) : shape_(loss.shape()) {}
  /// `lengths` times `factor` are the s_i.
  void apply(VectorIn u, VectorIn lengths, double factor, VectorOut r) const;
  /// Duals to begin with: nearest to 0.
  void start(VectorOut r) const;

 private:
  LossShape shape_;
};

}  // namespace fcbio
