// Accelerated variance reduction (loopless Katyusha: Allen-Zhu 2017; Kovalev, Horvath, Richtarik 2020) for
// min over Z of phi = h + q, h a sum over rows of data (inner/finite_sum.hpp), q quadratic with Hessian kappa I, on
//     phi_lambda = phi + lambda/2 |. - x0|^2,   x0 the point of the last begin().
// With sigma = kappa + lambda, p = b/(epoch m), K = L + 2 S/b, theta = min{1/2, sqrt(sigma/(p K))}, alpha = 1/(theta K):
//     x  = theta z + 1/2 w + (1/2 - theta) y
//     v  = h'(w) + mean over b draws of (h_i'(x) - h_i'(w)) / chance_i
//     z+ = argmin over u in Z of <v, u> + q(u) + lambda/2 |u - x0|^2 + 1/(2 alpha) |u - z|^2,   y+ = x + theta (z+ - z)
//     with chance p:  w = y+, and h'(w) is computed, which also gives the certificate: the tangent of phi at w.
// The regularisation is divided by 4, and the method starts again at w, whenever the gap of phi_lambda that is proved
// at w is at most half of the gap of phi: then lambda is what stands in the way.  docs/theory.md has the theorem: chance
// decides how long it takes, never what is claimed.
//
// One step of the engine goes on until w changes, or as many components were drawn as that takes on average; then the point is as before.
#pragma once

#include <optional>

#include "inner/finite_sum.hpp"

namespace fcbio {

struct VarianceReducedOptions {
  std::int64_t seed = 0;
  std::int64_t batch = 0;  ///< b; 0: by cost
  double epoch = 0.5;      ///< b/(m p): components drawn between two full gradients, on average, in units of m
  bool momentum = true;    ///< false leaves plain variance reduction: the rate test must fail then
};

class VarianceReducedEngine final : public Engine {
 public:
  VarianceReducedEngine(Oracle& oracle, const VarianceReducedOptions& options);

  static std::string misfit(const Problem& problem);

  std::string_view name() const override { return "variance-reduced"; }
  double first_multiplier_share() const override { return 0.5; }
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override;
  void archive(Archive& archive) override;

 private:
  void plan(const Weights& weights);
  void start_at(const Iterate& at);
  void prepare_steps(const Weights& weights, const Iterate& at);
  bool inner_step(const Weights& weights, const Iterate& at);
  bool take_snapshot(const Weights& weights, Iterate& at);
  void weaken_regularization(const Weights& weights, const Iterate& at);

  VarianceReducedOptions options_;
  std::optional<FiniteSum> sum_;  // made at the first begin()
  FiniteSum::Constants constants_;
  FiniteSum::Batch batch_;
  bool drawn_ = false;  // batch_ waits for the next step
  std::mt19937_64 random_;

  double regularization_ = 0.0;    // lambda
  double smoothness_share_ = 1.0;  // of the estimated L: grows while there is no progress
  double modulus_ = 0.0;           // K
  double snapshot_chance_ = 0.0;   // p
  double theta_ = 0.0, alpha_ = 0.0;
  double epoch_passes_ = 0.0;  // of the components in one step of the engine, at most

  double least_gap_ = kInfinity;  // of phi_lambda, since the last change of lambda or of K
  int idle_ = 0;                  // snapshots since then

  Vector anchor_;     // x0
  Vector y_, z_, x_;  // and w is the iterate
  Vector base_;       // kappa w + lambda x0 - phi'(w)
  Vector next_, gradient_, point_, slope_;
  TangentBound tangent_;
};

}  // namespace fcbio
