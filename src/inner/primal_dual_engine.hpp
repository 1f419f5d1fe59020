// A primal-dual hybrid gradient method for  min over Z of phi = a f + mu g  as a saddle point: losses by their duals,
//     min over x in Z, max over r  of  sum_i w_i ( <r_i, M_i x> - phi_i*(r_i) ) + p(x) + w |x - c|_1,
// p the linear functions and squared norms.  One step T, with t_j and s_i the step lengths of columns and rows:
//     x+ = argmin over Z of  <sum w_i M_i'r_i, .> + p + w |. - c|_1 + 1/2 |. - x|^2 in the metric 1/t,
//     r+ = the step of the duals (dual_step.hpp) from r along M (2 x+ - x).
// One product and one transposed product per level; no line search, no smoothing, no factorisation.
//
// Reflected Halpern iteration with restarts (Lu and Yang 2024): z_{k+1} = b (2 T z_k - z_k) + (1 - b) z_0, b = (k+1)/(k+2),
// begun again from T z where the residual |T z - z| has fallen enough, where it grows, or where a run is long; then the
// balance of primal and dual steps is taken from the ways that both went.
//
// Step lengths: t_j = eta / (omega sum_i sqrt(w_i) |M_i|_j), s_i = eta omega / (sqrt(w_i) |row i|), in sums of absolute
// values (Pock and Chambolle 2011), for which eta = 1 is safe; where Z is not a box all columns get the shortest t.
// eta grows from restart to restart, and what the steps themselves show,
//     2 |<r+ - r, M (x+ - x)>|  <=  |(x+ - x, r+ - r)|^2 in the metric,
// limits it: the direction of the largest singular value is often not visited.
//
// Bounds: every T z has duals in their domains (row_bound.hpp).
#pragma once

#include <string>
#include <vector>

#include "inner/dual_step.hpp"
#include "inner/row_bound.hpp"

namespace fcbio {

class PrimalDualEngine final : public Engine {
 public:
  /// Empty: the engine can take the problem; otherwise why not, in words.
  static std::string misfit(const Problem& problem);

  explicit PrimalDualEngine(Oracle& oracle);
  std::string_view name() const override { return "primal-dual"; }
  double first_multiplier_share() const override { return 0.5; }
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override;
  double operations() const override { return bounds_.operations(); }
  void archive(Archive& archive) override;

  /// Duals to go on from, in place of the engine's own; for the next begin().
  void adopt(const RowDuals& duals);

 private:
  struct Piece {
    Level level;
    std::size_t part;
    const Function::Part* source;
    DualStep dual_step;
    Vector column_sums, row_sums;  // of absolute values
    Vector lengths = {};           // of rows, for eta = omega = 1
    Vector extrapolated = {};      // M (2 x+ - x)
  };
  struct State {
    Point point;
    RowDuals rows;
    explicit State(const Problem& problem) : point(problem), rows(problem) {}
    void archive(Archive& archive) { archive(point, rows); }
  };

  void set_lengths(const Weights& weights);
  void slopes(const Weights& weights, State& state);
  void apply(const Weights& weights);
  double measure(const Weights& weights);
  void balance(const Weights& weights);
  /// |from - to|, in the metric without eta and omega: of x and of the duals; from 0 where `from` is null.
  struct Ways {
    double primal, dual;
  };
  Ways ways(const Weights& weights, const State* from, const State& to) const;
  const Vector& image(const State& state, const Piece& piece) const;

  L1Part l1_;
  RowBound bounds_;
  std::vector<Piece> pieces_;
  State now_, next_, anchor_;  // z, T z, z_0
  Vector column_lengths_, slope_, own_slope_;
  bool separable_;          // Z is a box: columns have step lengths of their own
  double curvature_ = 0.0;  // of p
  double eta_ = 1.0, omega_ = 1.0;
  bool has_balance_ = false;
  int run_ = 0;  // steps since the restart
  std::int64_t steps_ = 0, steps_at_offer_ = 0;
  double first_residual_ = 0.0, last_residual_ = 0.0, steepest_ = 0.0;
  bool restarted_ = false, at_rest_ = false;
};

}  // namespace fcbio
