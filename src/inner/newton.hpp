// Newton's method with a factorisation, for  min over Z of phi = a f + mu g  on the whole space or a ball: the
// quadratic model of phi is minimised over Z exactly, then an exact line search on images.  For data with few rows
// or few columns: the Gram matrix of the smaller side is made once, a step costs a few factorisations at the speed
// of products of matrices, and neither knows the condition of the data.  A quadratic phi without active bound
// takes one step; otherwise convergence is quadratic.
//
// The ball by its multiplier nu:  |z(nu)| = radius, by Newton's method on 1/|z(nu)|, which is concave and
// increasing: from the left it goes up to the root, from the right it jumps to the left.  Each nu is a
// factorisation, so the last one is the first tried, and a length that is off by a hair is scaled instead.
//
// Passes: the Gram matrix, min(rows, n); a factorisation, its operations / (2 stored numbers), charged to g; by
// rows one transposed product for the direction; one product and one transposed product for the step itself.
#pragma once

#include <string>

#include "inner/line_search.hpp"
#include "inner/newton_system.hpp"

namespace fcbio {

class NewtonEngine final : public Engine {
 public:
  /// Empty: the engine can take the problem; otherwise why not, in words.  Costs nothing.
  static std::string misfit(const Problem& problem);

  explicit NewtonEngine(Oracle& oracle);
  std::string_view name() const override { return "newton"; }
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override {
    return tangent_.at(oracle_, weights, at);
  }

  /// What a solve is expected to cost, from start to end, in passes: the Gram matrices and a number of steps that
  /// was found by experience, kQuadraticSteps where all losses are quadratic and kOtherSteps where not.
  std::int64_t expected_cost() const;
  static constexpr int kQuadraticSteps = 4, kOtherSteps = 15;
  /// The multiplier of the ball in the last step.
  double multiplier() const { return nu_; }

 private:
  enum class Solved { yes, no, stopped };
  Solved solve_in_ball(std::int64_t reserve);
  Solved direction(const Weights& weights, const Iterate& at);
  double longest(const Vector& x) const;
  std::int64_t search_cost(const Weights& weights) const;

  NewtonRows rows_;
  std::unique_ptr<NewtonSystem> system_;
  LineSearch search_;
  TangentBound tangent_;
  Point direction_;
  Vector gradient_, centre_;
  double radius_ = kInfinity;  // of the domain, or of the ball in which a solution is known to lie
  bool bounded_ = false;       // the domain is that ball
  double nu_ = 0.0;
  double shrink_ = 1.0;  // of z(nu), to lie in the ball
};

}  // namespace fcbio
