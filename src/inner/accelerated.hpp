// Generalized accelerated gradient method for min over Z of psi(t, .)  (the paper's Algorithm 3, Nesterov's
// 2.3.12):
//     x_{k+1} = gradient mapping at y_k,  y_{k+1} = x_{k+1} + beta_k (x_{k+1} - x_k).
// Guarantee with alpha_0 = 1:  psi(x_K) - psi* <= 2 L |x_0 - x*|^2 / (K+1)^2, and the average of the
// linearisations with the same weights is a minorant whose minimum over Z is as close:  psi(x_K) - LB <= 2 L D^2 /
// (K+1)^2. One step costs one product and one transposed product per level, the values at x included.
#pragma once

#include "inner/gradient_mapping.hpp"
#include "inner/inner_solver.hpp"
#include "inner/momentum.hpp"

namespace fcbio {

struct AcceleratedOptions {
  double alpha0 = 1.0;
  double mapping_tolerance = 0.0;
  double smoothness_floor = 1e-12;  ///< linear objectives have smoothness 0; any positive number is an upper bound
  bool momentum = true;             ///< false leaves the plain gradient mapping: the rate tests must fail then
};

class AcceleratedSolver final : public InnerSolver {
 public:
  /// Upper bounds of the smoothness of f and g.  They are checked at every step by the descent inequality and
  /// raised when it fails.
  AcceleratedSolver(Oracle& oracle, double upper_smoothness, double lower_smoothness, AcceleratedOptions options);

  RunEnd run(const Target& target, Point& x, std::int64_t budget, Judge& judge) override;
  std::optional<std::int64_t> theory_budget(const Target& target, double tolerance) const override;

 private:
  double smoothness(const Target& target) const;
  bool step(const Target& target, double& smoothness);

  PerLevel<double> smoothness_;
  AcceleratedOptions options_;
  GradientMapping mapping_;
  PerLevel<Linearization> at_y_;
  Point y_, next_;
  double lambda_ = 0.0, f_ = 0.0, g_ = 0.0;  // of the step just made
};

}  // namespace fcbio
