// Limited-memory BFGS for phi = a f + mu g.  Curvature pairs are kept per level (s, y_f, y_g), so that they
// survive a change of mu: y = a y_f + mu y_g.  Two forms of the same matrix B:
//   - its inverse by the two-loop recursion (4 m n multiplications), for steps that meet no constraint;
//   - the compact form B = sigma I - W' K^{-1} W, W = [sigma S'; Y'] with 2m rows, for steps that do: then
//     (B + nu I)^{-1} r = ( r + W' ((sigma + nu) K - W W')^{-1} W r ) / (sigma + nu).
//     The inner products it needs are computed when it is asked for, once per pair.
// sigma = s'y / s's of the newest pair.  The usual choice y'y / s'y is safer where steps are tried as they come;
// here the model is minimised over Z and the step searched for exactly, and the smaller curvature needs 1.2 times
// (ball) to 4 times (box, simplex) fewer steps.
#pragma once

#include <vector>

#include "inner/engine.hpp"
#include "inner/small_lu.hpp"

namespace fcbio {

class QuasiNewton {
 public:
  QuasiNewton(Index n, Index memory);

  void clear();
  Index pairs() const { return static_cast<Index>(order_.size()); }
  Index memory() const { return memory_; }
  /// The pairs seen with other weights.
  void combine(const Weights& weights);
  /// A step s along which the gradients of f and g changed by y_f and y_g (zero for a level not in use).
  void add(const Weights& weights, VectorIn s, VectorIn y_upper, VectorIn y_lower);

  /// Usable pairs for the present weights; without any, B = sigma I.
  Index usable() const { return static_cast<Index>(used_.size()); }
  double sigma() const { return sigma_; }
  void set_sigma(double sigma) { sigma_ = sigma; }

  /// out <- B^{-1} r.
  void solve(VectorIn r, VectorOut out);

  /// The compact form; call build_compact() after the last change of pairs or weights.
  void build_compact();
  void multiply(VectorIn v, VectorOut out);  // out <- B v
  /// out <- argmin of 1/2 z'Bz - <r, z> over |z| <= radius.
  void solve_in_ball(VectorIn r, double radius, VectorOut out);
  /// out <- argmin of 1/2 z'Bz - <r, z> over z that vanish outside the coordinates `free` (listed in ascending
  /// order). prepare_free() once per list.
  void prepare_free(const std::vector<Index>& free);
  void solve_free(const std::vector<Index>& free, VectorIn r, VectorOut out);

 private:
  Index next_slot();
  void select();
  void update_inner_products();
  void project_on_pairs(VectorIn r);                  // narrow_ <- W r
  void add_pairs(double scale, VectorOut out) const;  // out += scale W' solution_
  void solve_shifted(double shift);  // solution_ <- ((sigma + shift) K - W W')^{-1} narrow_; lu_ is that matrix

  Index n_, memory_;
  double sigma_ = 1.0;
  Eigen::MatrixXd steps_, upper_changes_, lower_changes_, changes_;  // n x memory: s, y_f, y_g, y
  Vector s_y_, s_s_, y_y_;                                           // of each pair with itself
  std::vector<Index> order_;                                         // slots, oldest first
  std::vector<Index> used_;                                          // those with s'y > 0
  Vector alpha_;

  Eigen::MatrixXd ss_, sy_, yy_;  // memory x memory, where in_products_ says so
  std::vector<bool> in_products_;
  Vector slot_products_;
  Eigen::MatrixXd kernel_, wide_products_;  // K and W W' in the order of used_, top left
  SmallLu lu_, kernel_lu_;
  Vector narrow_, solution_, wide_z_, inverse_z_;
  Eigen::MatrixXd free_wide_;  // W on the free coordinates, transposed, top left; made at the first use
};

}  // namespace fcbio
