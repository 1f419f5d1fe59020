// Quasi-Newton for functions with kinks, on wide data: to a few digits in few passes.
//
// Kinks of losses are rounded off (smoothed_problem.hpp) by an amount that falls with the gap; l1 norms are kept: with
// x - c in an orthant they are linear, so a step goes, like that of OWL-QN (Andrew and Gao 2007), from the quasi-Newton
// direction of the smooth part for the pseudo-gradient
//     q_j = s_j + w sign(x_j - c_j),   or where x_j = c_j the s_j softly thresholded by w,
// to the end of that direction, pulled back into the orthant (where x_j = c_j: that of -q) and into Z.  Along the way
// there the l1 norm is linear and everything else known by its images: the line search is exact and free.  One product
// and one transposed product per level and step.
//
// Bounds: the duals of the smoothed losses lie in the domains of the true ones (row_bound.hpp).  When what was rounded
// off, phi - phi_b, is more than a share of the gap, or steps no longer help, the smoothing becomes less.
#pragma once

#include <string>

#include "inner/line_search.hpp"
#include "inner/quasi_newton.hpp"
#include "inner/row_bound.hpp"
#include "inner/smoothed_problem.hpp"

namespace fcbio {

class SmoothedEngine final : public Engine {
 public:
  /// Of the values at the beginning that may be rounded off, at first.
  static constexpr double kFirstShare = 0.15;

  /// Empty: the engine can take the problem; otherwise why not, in words.
  static std::string misfit(const Problem& problem);
  /// Whether steps are made for the set.  In others they are projected, which costs the speed of the method.
  static bool steps_within(const ConvexSet& set);

  explicit SmoothedEngine(Oracle& oracle);
  std::string_view name() const override { return "smoothed"; }
  double first_multiplier_share() const override { return 0.5; }
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override;
  double operations() const override { return model_.operations() + rows_.operations(); }
  void archive(Archive& archive) override;

  /// The best bound of the present inner problem, that the functions know by themselves included.
  double low() const { return rows_.low(); }
  /// Duals at the last point where they were offered, for another engine to begin with.
  const RowDuals& duals() const { return duals_; }

 private:
  bool linearize(const Weights& weights);
  void set_share(const Weights& weights, double share);
  void pseudo_gradient(const Weights& weights);
  bool direction(const Weights& weights);
  bool proximal_direction(const Weights& weights);
  void set_direction(const Weights& weights);
  double longest_step() const;
  double search(const Weights& weights);
  std::int64_t end_cost(const Weights& weights) const;  // of a step, once its direction has its images
  void show(const Weights& weights, Iterate& at);
  void offer_duals(const Weights& weights);
  double work() const;

  SmoothedProblem smoothed_;
  Oracle soft_;  // of the smoothed problem
  L1Part l1_;
  RowBound rows_;
  QuasiNewton model_;
  LineSearch search_;
  Iterate inner_;  // in the smoothed problem
  Point direction_;
  PerLevel<Linearization> before_;
  RowDuals duals_;
  Vector gradient_, pseudo_, target_;
  PerLevel<double> most_{kUnknown, kUnknown};  // the largest values that inner problems began with
  double share_ = kFirstShare;                 // of them that may be rounded off
  double l1_slope_ = 0.0, descent_ = 0.0;      // along the direction: of the l1 norm, of all
  double drift_ = 0.0;
  bool upper_in_use_ = false, offered_ = false;
  int steps_ = 0, steps_at_check_ = 0, steps_at_smoothing_ = 0;
  Index numbers_ = 1;           // stored numbers of the data
  double next_offer_at_ = 0.0;  // in multiplications
};

}  // namespace fcbio
