// min over l <= x + d <= u of  1/2 d'(H + a I)d + <force, d>,  by the interior-point method of Mehrotra (1992): a
// factorisation of H and a diagonal for each of some fifteen steps, whatever the condition.  (Active sets do not end on
// images: where H is next to singular, Newton steps in a face are longer than the box by many orders, and each of them
// crosses hundreds of bounds.)
#pragma once

#include <vector>

#include "core/oracle.hpp"

namespace fcbio {

/// Bounds of every coordinate of a point; empty vectors: none.
struct NewtonBounds {
  Vector lower, upper;
  bool any() const { return lower.size() > 0; }
};

/// H >= 0, as the method wants to use it.
class BoxMetric {
 public:
  virtual ~BoxMetric() = default;
  virtual void multiply(const Vector& d, Vector& out) const = 0;  ///< out <- H d
  virtual double multiply_operations() const = 0;
  virtual double trace() const = 0;
  /// Factors H + diag(diagonal) in the coordinates `free`, and charges `factor_cost` passes at most, which include those
  /// of three solve()s.  False: not positive definite (to rounding), or stopped.
  virtual bool factor(Oracle& oracle, const Vector& diagonal, const std::vector<Index>& free) = 0;
  virtual std::int64_t factor_cost() const = 0;
  /// x <- (H + diag)^{-1} x in the coordinates of the last factor(); others are not read, and are 0 afterwards.
  virtual void solve(Vector& x) = 0;
};

class BoxModel {
 public:
  /// Factorisations that a model takes as a rule.
  static constexpr int kUsualRounds = 14;

  explicit BoxModel(const NewtonBounds& bounds) : bounds_(bounds) {}

  /// d <- the minimiser.  Asks for each factorisation after the first, and `reserve` passes.  False: not positive
  /// definite (to rounding), or stopped.
  bool minimise(Oracle& oracle, BoxMetric& metric, const Vector& x, double a, const Vector& force,
                std::int64_t reserve, Vector& d);

 private:
  /// One side of the bounds: room to them, multipliers, and their steps.  An open side has room without end.
  struct Side {
    Vector room, multiplier, aim, step;
    void resize(Index n) {
      for (Vector* v : {&room, &multiplier, &aim, &step}) v->setZero(n);
    }
    double pressure(Index j) const { return multiplier[j] / room[j]; }  // 0 on an open side
  };

  double low(Index j) const { return bounds_.lower[j] - (*x_)[j]; }
  double high(Index j) const { return bounds_.upper[j] - (*x_)[j]; }
  void start_inside(double unit, Vector& d);
  double measure(const Vector& d);
  void solve_for(BoxMetric& metric, double target, bool corrected);
  double longest(const Side& side, double sign) const;
  double longest_dual() const;
  void clip(Vector& d) const;

  NewtonBounds bounds_;
  const Vector* x_ = nullptr;
  Vector slope_, step_, diagonal_;
  Side below_, above_;
  std::vector<Index> free_;  // coordinates that have room between their bounds
};

}  // namespace fcbio
