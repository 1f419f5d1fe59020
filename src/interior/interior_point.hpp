// A primal-dual interior-point method (Mehrotra's predictor and corrector) for a Program (program.hpp).
//
// Limits and losses are two sides of one thing.  Each row has a number v strictly between `low` and `high` with
// multipliers p, q > 0 of its two sides, and a second number w that v is conjugate to:
//     w = q - p + bend v,       p (v - low) = tau,       q (high - v) = tau,       tau -> 0,
//     limits:  v = u, w = y          losses:  v = y, w = u - kink.
// Linearised, with S = bend + p/(v - low) + q/(high - v) and h the part of q - p that does not depend on dv,
//     w + dw = bend v + h + S dv,
// which gives each row its equation  (A dx)_i - T_i (y + dy)_i = r_i  with T = 1/S for limits and T = S for losses.
// What is left is the system of kkt.hpp for dx and the new y.
//
// Duals of losses are strictly inside their domains at every step, so every step carries a lower bound; points are in
// the region at every step if the first one was, but for balls: their slacks are numbers of their own, so that steps along
// a sphere are as long as others.
#pragma once

#include "interior/kkt.hpp"

namespace fcbio::interior {

class InteriorPoint {
 public:
  /// The program must outlive this; its numbers (not its structure) may be changed before start().
  explicit InteriorPoint(const Program& program);
  /// Whether the factorisation is small enough to be done.
  bool fits() const { return kkt_.fits(); }

  /// From x, moved strictly inside sides and balls where it is not.
  void start(VectorIn x);
  enum class Step { taken, stuck, stopped };
  Step step(Watch* watch);

  const Vector& x() const { return x_; }
  /// y of block `block`: for limits the multiplier of the row (>= 0: its high side), for losses a dual strictly inside
  /// its domain.
  const Vector& dual(std::size_t block) const { return states_[block].y; }
  const Vector& image(std::size_t block) const { return states_[block].u; }
  double ball_multiplier(std::size_t ball) const { return balls_[ball].multiplier; }
  /// Of the sides of the variables.
  const Vector& lower_multipliers() const { return box_.p; }
  const Vector& upper_multipliers() const { return box_.q; }
  /// Sum of all products of slacks and multipliers: the part of the gap that is not yet closed.
  double complementarity() const;
  /// Largest violation of limits at x (0 if the start was inside).
  double infeasibility() const;
  /// The largest a <= 1 such that from + a (x - from) is in all balls, for a point `from` in them: x itself comes into them
  /// in the end only.
  double share_inside_balls(VectorIn from) const;
  /// Norm of the slope of the Lagrangian in x, multipliers of sides and balls included: 0 at a solution.
  double stationarity() const;

  double factor_operations() const { return kkt_.operations(); }
  bool is_sparse() const { return kkt_.is_sparse(); }
  std::int64_t take_products() { return kkt_.take_products(); }
  /// See Kkt::change_form.
  bool change_form() { return kkt_.change_form(); }

  void archive(Archive& archive) {
    archive(kkt_, x_, box_, states_, balls_, count_, curved_, short_steps_, first_tau_, first_slope_);
  }

 private:
  struct Sides {  // of the variables, or the two sides of a block
    Vector p, q;  // multipliers; 0 where the side is open
    Vector dv, dp, dq, dp_before, dq_before, dv_before;
    void archive(Archive& archive) { archive(p, q); }
  };
  struct State {
    Vector u, v, y;
    Sides sides;
    Vector du, dy, t, r;
    bool has_equations = false;
    void archive(Archive& archive) { archive(u, v, y, sides, du, dy, t, r, has_equations); }
  };
  struct BallState {
    double slack = 0.0, multiplier = 0.0;
    double dslack = 0.0, dmultiplier = 0.0, correction = 0.0, bend = 0.0;
    void archive(Archive& archive) { archive(slack, multiplier); }
  };

  struct Lengths {
    double primal = 1.0, dual = 1.0;
  };
  bool is_fixed(Index j) const { return program_.lower[j] == program_.upper[j]; }
  void start_block(std::size_t k);
  double missing_slack(std::size_t ball) const;  // (R^2 - |x - c|^2) / 2 - slack: 0 at a solution
  double first_tau() const;
  double logistic_gap() const;  // sum of Fenchel-Young gaps
  double least_tau() const;
  Vector slope() const;  // of the smooth part and of all blocks, without the sides of x
  bool direction(double tau, bool corrected);
  void set_diagonals();
  Lengths longest() const;
  double complementarity_after(const Lengths& lengths) const;
  void move(const Lengths& lengths);

  const Program& program_;
  Kkt kkt_;
  Vector x_, dx_;
  Sides box_;
  std::vector<State> states_;
  std::vector<BallState> balls_;
  Vector d_, t_, right_x_, right_y_;
  double count_ = 0.0;   // of finite sides
  bool curved_ = false;  // then one length serves both sides
  int short_steps_ = 0;
  double first_tau_ = 0.0, first_slope_ = 0.0;
};

}  // namespace fcbio::interior
