// What every published method shares, so that a method's file holds its update and nothing else: counted
// evaluations at any point, constants, limits, observers, the point that would be returned now, and the end.
//
// A method is a loop
//     while (run.may_step(1, 1)) {            // this iteration evaluates f once and g once
//       ... run.gradient(Level::upper, x) ... run.project(x) ...
//       run.step_done(x);                     // x is what the method would return now
//     }
//     return run.finish();
// Iterations of a lower-level phase are steps too.  A gradient with numbers that are not finite stops the monitor:
// step_done() then keeps the point of the step before, and may_step() is false; likewise where a limit cut a
// projection short.
#pragma once

#include "core/oracle.hpp"
#include "inner/l1_part.hpp"

namespace fcbio {

/// Where L comes from: a bound that holds, or the eigenvalue as nearly as it was found.
enum class SmoothnessKind : std::uint8_t { safe, exact };

class MethodRun {
 public:
  /// `iterations`: the method's own budget.
  MethodRun(const Problem& problem, const Accuracy& accuracy, std::int64_t iterations, SmoothnessKind smoothness,
            Monitor& monitor);

  const Problem& problem() const { return problem_; }
  const Accuracy& accuracy() const { return accuracy_; }
  Index dimension() const { return problem_.dimension(); }
  const Vector& start() const { return problem_.start(); }              // x0, a point of Z
  const Vector& given_start() const { return problem_.given_start(); }  ///< as it was given, in Z or not
  std::int64_t budget() const { return iterations_; }                   ///< steps the method may make in all
  Oracle& oracle() { return oracle_; }
  bool stopped() const { return monitor_.stopped(); }

  // Constants, charged the first time.  Never 0: a linear function gets an L so small that a gradient step crosses
  // the domain.
  double smoothness(Level level);  ///< L of the smooth part (all but l1 norms)
  double lipschitz(Level level);   ///< C on Z

  // Evaluations at a point of the caller's, in Z or not.  One call charges image, value and gradient; the
  // references stay valid until the next evaluation of the same level.
  const Linearization& linearize(Level level, VectorIn x);
  const Vector& gradient(Level level, VectorIn x) { return linearize(level, x).gradient; }
  /// Of the smooth part alone: the l1 norms are left to prox().
  const Vector& smooth_gradient(Level level, VectorIn x);
  double value(Level level, VectorIn x);  ///< image and value

  void project(VectorOut x) { oracle_.project(x); }
  /// x <- argmin over Z of 1/2 |z - x|^2 + step * (l1 norms of  upper_weight f + lower_weight g).
  void prox(double step, double upper_weight, double lower_weight, VectorOut x);

  /// Whether an iteration with so many evaluations per level may begin: limits, interrupt and own budget.
  bool may_step(int upper_evaluations, int lower_evaluations);
  bool may_step_with_passes(std::int64_t passes);
  void step_done(VectorIn output, std::string_view phase = "step", std::int64_t round = 0);
  std::int64_t evaluation_cost(Level level) const;  ///< passes of linearize()

  /// The last output, its values, and what can be proved about it by one linearisation of g at it; neither the
  /// work nor the seconds of this judgement are charged to the method.
  /// `rule_satisfied`: a stopping rule of the method ended it, not its budget.
  Result finish(bool rule_satisfied = false);

 private:
  const Problem& problem_;
  const Accuracy accuracy_;
  const std::int64_t iterations_;
  const SmoothnessKind kind_;
  Monitor& monitor_;
  Oracle oracle_;
  L1Part l1_;
  PerLevel<std::optional<double>> smoothness_, lipschitz_;
  Point at_;  // where a level was evaluated last
  PerLevel<Linearization> linearizations_;
  Vector output_;
};

}  // namespace fcbio
