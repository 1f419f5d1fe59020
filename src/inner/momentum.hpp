// Nesterov's momentum weights: alpha_{k+1}^2 = (1 - alpha_{k+1}) alpha_k^2, beta_k = alpha_k (1 - alpha_k) /
// (alpha_k^2 + alpha_{k+1}).  alpha_0 = 1 is the rigorous start (psi(x_K) - psi* <= 2 L D^2 / (K+1)^2);
// the paper starts with 1/2.
#pragma once

#include <cmath>

#include "linalg/archive.hpp"

namespace fcbio {

class Momentum {
 public:
  explicit Momentum(double alpha0) : alpha_(alpha0) {}
  double alpha() const { return alpha_; }
  /// beta_k; moves on to alpha_{k+1}.
  double advance() {
    const double squared = alpha_ * alpha_;
    // The positive root of a^2 + squared a - squared, written without cancellation.
    const double next = 2.0 * squared / (squared + std::sqrt(squared * squared + 4.0 * squared));
    const double beta = alpha_ * (1.0 - alpha_) / (squared + next);
    alpha_ = next;
    return beta;
  }
  void archive(Archive& archive) { archive(alpha_); }

 private:
  double alpha_;
};

}  // namespace fcbio
