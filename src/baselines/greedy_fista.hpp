// Greedy FISTA (Liang, Luo, Schoenlieb, SIAM J. Sci. Comput. 2022, algorithm 4.3): the accelerated gradient method
// with constant momentum a, a step longer than 1/L and restarts, as the codes of PB-APG and Bisec-BiO use it.
// For  min over Z of phi,  phi L-smooth (a prox may take the place of the projection),  h0 = 1/L,  h = 1.3 h0:
//
//     x+ = P_Z( y - h phi'(y) ),     y+ = x+ + a (x+ - x),      a = 1,  or (sqrt L - sqrt mu) / (sqrt L + sqrt mu)
//     <y - x+, x+ - x> >= 0      :   y+ = x+                    the momentum points uphill: restart
//     |x+ - x| < tolerance       :   done
//     |x+ - x| > S |x1 - x0|     :   h = max(h0, 0.96 h)        the long step is given up where it diverges
//
// Guarantee: with h = 1/L reached, that of restarted schemes (convergence; fast in practice, no better rate
// proved).
//
// Contracts.  begin() starts a run; step() may be called while !converged().  No step allocates once begin() has
// run.  gradient(y, out) writes phi'(y) into out; projection(h, x) maps x in place: P_Z, or the prox of h times
// the rest of the objective.  Both are called exactly once per step.
#pragma once

#include <algorithm>
#include <cmath>

#include "fcbio/types.hpp"

namespace fcbio {

struct GreedyFistaRules {
  double tolerance = 1e-10;                                            ///< on |x+ - x|
  std::int64_t iterations = std::numeric_limits<std::int64_t>::max();  ///< of one run
  double safeguard = 1.0;                                              ///< S: 1 in PB-APG, 1.2 in Bisec-BiO
  double first_step = 1.3;                                             ///< h L at the beginning
  double shrink = 0.96;
};

class GreedyFista {
 public:
  /// Starts a run at x, in Z or not: all later points are projections.  mu > 0: the constant momentum of a
  /// mu-strongly convex objective.
  void begin(VectorIn x, double smoothness, const GreedyFistaRules& rules, double mu = 0.0) {
    rules_ = rules;
    x_ = y_ = before_ = direction_ = x;
    shortest_ = 1.0 / smoothness;
    step_ = rules.first_step * shortest_;
    const double root = std::sqrt(mu), root_l = std::sqrt(smoothness);
    momentum_ = (root_l - root) / (root_l + root);
    first_move_ = move_ = -1.0;
    taken_ = 0;
  }

  const Vector& x() const { return x_; }
  std::int64_t steps() const { return taken_; }  ///< of this run
  double move() const { return move_; }          ///< |x+ - x| of the last step; < 0: none yet
  double step_length() const { return step_; }   ///< h
  /// The rule on |x+ - x| is met.
  bool converged() const { return taken_ > 0 && move_ < rules_.tolerance; }
  /// Met, or the run's own iterations are used up.
  bool ended() const { return converged() || taken_ >= rules_.iterations; }

  template <class Gradient, class Projection>
  void step(Gradient&& gradient, Projection&& projection) {
    before_ = x_;
    gradient(static_cast<const Vector&>(y_), direction_);
    x_ = y_ - step_ * direction_;
    projection(step_, x_);
    const bool uphill = (y_ - x_).dot(x_ - before_) >= 0.0;
    if (uphill)
      y_ = x_;
    else
      y_ = x_ + momentum_ * (x_ - before_);
    move_ = (x_ - before_).norm();
    if (++taken_ == 1) first_move_ = move_;
    if (move_ > rules_.safeguard * first_move_) step_ = std::max(shortest_, rules_.shrink * step_);
  }

 private:
  GreedyFistaRules rules_;
  Vector x_, y_, before_, direction_;
  double shortest_ = 1.0, step_ = 1.0, momentum_ = 1.0;
  double first_move_ = -1.0, move_ = -1.0;
  std::int64_t taken_ = 0;
};

}  // namespace fcbio
