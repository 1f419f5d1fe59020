// Newton's method with a factorisation, for  min over Z of phi = a f + mu g  on the whole space, a ball, a box or the
// nonnegative part of a ball: the quadratic model of phi is minimised over Z exactly, then an exact line search on
// images.  For data with few rows or few columns: by rows the Gram matrix is made once; by columns V'DV is made for
// every point at which a curvature changed, at the price that the numbers stored ask for.  A step costs a few
// factorisations at the speed of products of matrices, and neither knows the condition of the data.  A quadratic phi
// without active bound takes one step; otherwise convergence is quadratic.  For data of any size whose singular values
// decay fast there is a model of low rank (engine low-rank, see newton_low_rank.cpp), whose steps contract by as much as
// the rank leaves out.
//
// The ball by its multiplier nu:  |z(nu)| = radius, by Newton's method on 1/|z(nu)|, which is concave and
// increasing: from the left it goes up to the root, from the right it jumps to the left.  Each nu is a
// factorisation, so the last one is the first tried, and a length that is off by a hair is scaled instead.  Under
// bounds 1/|z(nu)| is so piece by piece, and a bracket keeps the search honest.
//
// Bounds.  At x with images u and direction p the dual  r = l'(u) + l''(u) o (V p), moved into the domain of l*, is
// better than l'(u):  V'r = phi'(x) + H p  is the slope of the model at x + p, where no direction into Z descends, so
// that the gap of the minorant is of the order of what the model misses, and not of |phi'(x)| times the size of Z.
// Every r of the domain is valid.  It costs a transposed product of each level, once Newton's decrement is small, and
// the gradient at the new point waits until the next step asks for it.  Where all losses are quadratic r is the
// derivative at the new point, and the tangent there serves.
//
// Black boxes that tell products with their Hessians: these are assembled by n products, by columns.
//
// Passes: the Gram matrix, min(rows, n), or V'DV (see newton_by_columns.cpp); a factorisation, its operations / (2
// stored numbers), charged to g; by rows one transposed product for the direction; one product and one transposed
// product for the step itself; one transposed product for the dual.
#pragma once

#include <string>

#include "inner/line_search.hpp"
#include "inner/newton_system.hpp"

namespace fcbio {

class NewtonEngine final : public Engine {
 public:
  /// What the model of phi is.
  enum class Form { exact, low_rank };

  /// Empty: the engine can take the problem; otherwise why not, in words.  Costs nothing.
  static std::string misfit(const Problem& problem, Form form = Form::exact);

  explicit NewtonEngine(Oracle& oracle, Form form = Form::exact);
  std::string_view name() const override { return form_ == Form::exact ? "newton" : "low-rank"; }
  std::int64_t patience() const override { return 3; }
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override;
  void archive(Archive& archive) override;

  /// What a solve is expected to cost, from start to end, in passes: the Gram matrices and a number of steps that
  /// was found by experience, kQuadraticSteps where all losses are quadratic and kOtherSteps where not; by columns
  /// kTallSteps, for which V'DV is made kTallSquares times.  On the sphere of a ball a step asks for several multipliers,
  /// each of which is a factorisation; in a nonnegative ball there are kBendFactor times as many steps.
  std::int64_t expected_cost(bool on_sphere = false) const;
  static constexpr int kQuadraticSteps = 4, kOtherSteps = 20, kTallSteps = 7, kTallSquares = 3, kLowRankSteps = 5,
                       kSphereFactors = 8, kBendFactor = 4;
  /// Whether steps from x are expected to end on the sphere of the domain.
  bool is_near_sphere(const Vector& x) const;
  /// How many times as long as a product a pass takes, roughly.
  double slowness() const;
  /// A model of low rank knows its cost after a look at the data, which costs so many passes.  False: the monitor
  /// stopped it.
  std::int64_t probe_cost() const { return system_->probe_cost(); }
  bool probe() { return system_->probe(oracle_); }
  /// Stored numbers of the data.
  Index numbers() const { return rows_.numbers(); }
  /// Whether V'DV is made again as curvatures change: the data are tall (or have bounds), and some loss is not
  /// quadratic.
  bool remakes_curvature() const;
  bool has_bounds() const { return region_.bounds.any(); }
  /// Whether all losses are quadratic, as far as the engine sees.
  bool is_quadratic() const { return looks_quadratic({1.0, 1.0}); }
  /// The multiplier of the ball in the last step.
  double multiplier() const { return nu_; }

 private:
  enum class Solved { yes, no, stopped };
  /// What the model is minimised over.
  struct Region {
    double radius = kInfinity;  // of the domain, or of the ball in which a solution is known to lie
    bool is_ball = false;       // the domain itself ends there
    NewtonBounds bounds;
  };
  static Region region_of(const Problem& problem, Vector& centre);

  bool linearize(const Weights& weights, Iterate& at);
  Solved solve_in_ball(std::int64_t reserve);
  Solved direction(const Weights& weights, const Iterate& at);
  double longest(const Vector& x) const;
  std::int64_t search_cost(const Weights& weights) const;
  std::int64_t linearization_cost(const Weights& weights) const;
  std::int64_t dual_cost(const Weights& weights) const;
  bool looks_quadratic(const Weights& weights) const;
  bool corrects(const Weights& weights) const;
  void correct_duals(const Weights& weights, const Iterate& at);

  std::unique_ptr<NewtonSystem> make_system() const;

  Form form_;
  NewtonRows rows_;
  Vector centre_;
  Region region_;
  std::unique_ptr<NewtonSystem> system_;
  LineSearch search_;
  TangentBound tangent_;
  Point direction_;
  Vector gradient_, slope_, minimiser_, residual_;
  double nu_ = 0.0;
  double shrink_ = 1.0;           // of z(nu), to lie in the ball
  double decrement_ = kInfinity;  // of the last step: what it descended by, to first order

  /// A minorant of each level: duals, their slopes and constants.
  struct Minorant {
    bool known = false;
    PartVectors duals;
    Vector slope;
    double constant = 0.0;
    void archive(Archive& archive) { archive(known, duals, slope, constant); }
  };
  PerLevel<Minorant> corrected_;
};

}  // namespace fcbio
