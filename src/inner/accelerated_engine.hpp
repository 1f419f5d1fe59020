// Accelerated gradient method with backtracking and restart, for  min over Z of phi = a f + mu g,  smooth but for
// l1 norms (inner/l1_part.hpp).  With phi = s + h, h the l1 part, and weights a_k, A_{k+1} = A_k + a_k,
// L_k a_k^2 = A_{k+1}, theta = a_k / A_{k+1}:
//     y = (1 - theta) x + theta z,   x+ = argmin over Z of <s'(y), .> + L_k/2 |. - y|^2 + h,
//     z+ = x + (x+ - x) / theta,
// where L_k is raised until  s(x+) <= s(y) + <s'(y), x+ - y> + L_k/2 |x+ - y|^2.  Then for every u in Z
//     A_K phi(x_K)  <=  sum a_k [ s(y_k) + <s'(y_k), u - y_k> + h(u) ] + 1/2 |u - z_0|^2,
// so the average of the linearisations is a minorant whose minimum over Z is within D^2 / (2 A_K) <= 2 L D^2 / K^2
// of phi(x_K): the certificate has the rate of the method.  The conjugates make it tighter (core/minorant.hpp).
// Whenever <y - x+, x+ - x> > 0, which tells that momentum carries uphill without comparing values (O'Donoghue and
// Candes), momentum and average start again at x+; the best bound for the present weights is kept.
//
// One step costs one product and one transposed product per level in use, and as many again for each L_k that was
// too small (only a product in the first step after a restart, where y does not depend on L_k).
#pragma once

#include <string>

#include "core/stall_watch.hpp"
#include "inner/engine.hpp"
#include "inner/l1_part.hpp"
#include "inner/projected_descent.hpp"

namespace fcbio {

struct AcceleratedEngineOptions {
  bool momentum = true;  ///< false leaves the plain gradient step: the rate test must fail then
  bool restart = true;
};

class AcceleratedEngine final : public Engine {
 public:
  explicit AcceleratedEngine(Oracle& oracle, AcceleratedEngineOptions options = {});

  /// Empty: the engine can take the problem; otherwise why not, in words.  Costs nothing.
  static std::string misfit(const Problem& problem);

  std::string_view name() const override { return "accelerated"; }
  double first_multiplier_share() const override { return 0.5; }
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override;
  void archive(Archive& archive) override;

 private:
  /// What a trial step says about L: the least L for which its inequality holds.
  struct Trial {
    double modulus = 0.0;
    bool above_rounding = true;
    bool accepted = false;
  };

  void combine(const Weights& weights, double p_weight, const Point& p, double q_weight, const Point& q,
               Point& out) const;
  bool linearize_at_y(const Weights& weights, const Iterate& at);
  bool try_step(const Weights& weights, double modulus, const Iterate& at);
  Trial judge(const Weights& weights, double modulus);
  double first_modulus(const Weights& weights);
  void evaluate_bound(const Weights& weights, PerLevel<MinorantAverage>& averages);

  AcceleratedEngineOptions options_;
  L1Part l1_;
  ProjectedDescent descent_;
  Point y_, previous_, next_, moved_;  // previous_: the x before; moved_ = next_ - y_, made where it is needed
  PerLevel<Linearization> at_y_;
  StepSums moved_sums_;  // of next_ - y_
  PerLevel<double> next_values_;
  PerLevel<PartVectors> dual_scratch_;

  double weight_sum_ = 0.0;         // A
  double carry_ = 0.0;              // (z - x)/(x - previous), of the last step
  double modulus_ = 0.0;            // L
  double largest_modulus_ = 0.0;    // that an inequality above rounding asked for
  PerLevel<double> level_modulus_;  // likewise per level, over all weights; 0: not known
  bool restart_due_ = false, fixed_point_ = false;

  PerLevel<MinorantAverage> averages_, best_averages_;
  PerLevel<PartVectors> best_duals_;
  PerLevel<bool> best_used_;
  double best_low_ = -kInfinity;
  int steps_ = 0, steps_at_check_ = -1;
  StallWatch watch_;
  Vector slope_, point_, residual_, dual_;
};

}  // namespace fcbio
