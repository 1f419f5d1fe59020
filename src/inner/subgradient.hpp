// Subgradient method for min over Z of psi(t, .) (the paper's Algorithm 2):
//     x_{k+1} = P_Z( x_k - eta s_k ),  s_k in the subdifferential of psi(t, .) at x_k: that of f where
//     f(x_k) - t >= s (g(x_k) - g^), that of s g otherwise;   answer: the average of x_0 .. x_{K-1}.
// With eta = D / (C sqrt K): psi(average) - psi* <= D C / sqrt K.  The average of the linearisations is a minorant
// with the same guarantee.  Without a fixed K the steps are D / (C sqrt(k+1)) and the averages weighted by them.
#pragma once

#include "inner/inner_solver.hpp"

namespace fcbio {

struct SubgradientOptions {
  double eta = 0.0;      ///< fixed step; 0: from the constants
  bool anytime = false;  ///< steps that need no horizon
};

class SubgradientSolver final : public InnerSolver {
 public:
  /// Upper bounds of the Lipschitz constants of f and g over Z.
  SubgradientSolver(Oracle& oracle, double upper_lipschitz, double lower_lipschitz, SubgradientOptions options);

  RunEnd run(const Target& target, Point& x, std::int64_t budget, Judge& judge) override;
  std::optional<std::int64_t> theory_budget(const Target& target, double tolerance) const override;

 private:
  double lipschitz(const Target& target) const;
  double step_length(const Target& target, std::int64_t k, std::int64_t budget) const;

  PerLevel<double> lipschitz_;
  SubgradientOptions options_;
  PerLevel<Linearization> at_x_;
  Point average_;
};

}  // namespace fcbio
