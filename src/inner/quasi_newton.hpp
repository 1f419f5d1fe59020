// Limited-memory BFGS for phi = a f + mu g.  Curvature pairs are kept per level (s, y_f, y_g), so that they
// survive a change of mu: y = a y_f + mu y_g.  With S and Y the pairs as columns, W = [sigma S'; Y'], two forms of
// the same matrix:
//   - the inverse (Byrd, Nocedal, Schnabel 1994), R the upper triangle of S'Y, D its diagonal, gamma = 1/sigma,
//       B^{-1} = gamma I + [S, gamma Y] [ R^{-T} (D + gamma Y'Y) R^{-1}, -R^{-T}; -R^{-1}, 0 ] [S'; gamma Y'],
//     for steps that meet no constraint: two triangular solves in m numbers;
//   - the compact form B = sigma I - W' K^{-1} W for steps that do: with h = nu v + r and N = (sigma + nu) K - W
//   W'
//       (B + nu I)^{-1} h = ( h + W' N^{-1} W h ) / (sigma + nu).
// Either way a step reads S and Y once to project on them, the inner products of a new pair included, and once to
// combine them.
//
// sigma = s'y / s's of the newest pair.  The usual choice y'y / s'y is safer where steps are tried as they come;
// here the model is minimised over Z and the step searched for exactly, and the smaller curvature needs 1.2 times
// (ball) to 3.6 times (box) fewer passes on the problems of the suite.
#pragma once

#include <vector>

#include "inner/engine.hpp"
#include "inner/small_lu.hpp"
#include "linalg/pair_sweeps.hpp"

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
  /// The same with s = length * direction and the gradients themselves.
  void add(const Weights& weights, double length, VectorIn direction, const GradientChange& upper,
           const GradientChange& lower);

  /// Usable pairs for the present weights; without any, B = sigma I.
  Index usable() const { return static_cast<Index>(used_.size()); }
  double sigma() const { return sigma_; }
  void set_sigma(double sigma) { sigma_ = sigma; }

  /// out <- scale B^{-1} r.
  void solve(VectorIn r, VectorOut out, double scale = 1.0);
  /// out <- d with v + d the minimiser of <r, d> + 1/2 d'Bd over |v + d| <= radius, |v| <= radius.
  void solve_in_ball(VectorIn r, VectorIn v, double radius, VectorOut out);

  /// What multiply() and the solves on free coordinates need; call it after the last change of pairs or weights.
  void build_compact();
  void multiply(VectorIn v, VectorOut out);  // out <- B v
  /// out <- argmin of 1/2 z'(B + nu I)z - <r, z> over z that vanish outside the coordinates `free` (listed in ascending
  /// order). prepare_free() once per list and nu.
  void prepare_free(const std::vector<Index>& free, double nu = 0.0);
  void solve_free(const std::vector<Index>& free, VectorIn r, VectorOut out);

  /// Multiplications done until now.
  double operations() const { return operations_; }

  void archive(Archive& archive);

 private:
  void count(double operations) { operations_ += operations; }
  void make_room();  // at the first pair: many problems are solved before there is one
  Index next_slot();
  void select();
  void update_products(bool newest_too);  // S'S, S'Y, Y'Y
  void store_products(Index slot);
  void gather(const Vector& on_steps, const Vector& on_changes,
              VectorOut on_pairs) const;                                             // slots to used_, times sigma
  void project(const double* s, const double* y, const double* r, const double* v);  // by_steps_, by_changes_
  void project(const double* r, const double* v);  // on_r_, on_v_ <- W r, W v (v may be null)
  // out <- p_weight p + q_weight q + scale W' coefficients
  void combine_pairs(double scale, VectorIn coefficients, double p_weight, VectorIn p, double q_weight, VectorIn q,
                     VectorOut out);
  void factorize_shifted(double shift);  // lu_ <- (sigma + shift) K - W W'

  Index n_, memory_;
  double free_sigma_ = 1.0;  // of the last prepare_free()
  double sigma_ = 1.0;
  Eigen::MatrixXd steps_, upper_changes_, lower_changes_, changes_;  // n x memory: s, y_f, y_g, y
  Vector s_y_, s_s_, y_y_;                                           // of each pair with itself
  std::vector<Index> order_;                                         // slots, oldest first
  std::vector<Index> used_;                                          // those with s'y clearly positive
  Eigen::MatrixXd ss_, sy_, yy_;                                     // memory x memory, where known_ says so
  std::vector<bool> known_;
  std::array<Vector, 4> by_steps_, by_changes_;  // one number per slot: with s, y, r, v

  Eigen::MatrixXd kernel_, wide_products_;  // K and W W' in the order of used_, top left
  SmallLu lu_, kernel_lu_;
  bool kernel_is_factorized_ = false;
  double last_nu_ = 0.0;  // of the ball
  double operations_ = 0.0;
  Vector on_r_, on_v_, right_, solution_, on_z_, inverse_z_;
  Eigen::MatrixXd free_wide_;  // W on the free coordinates, transposed, top left; made at the first use
};

}  // namespace fcbio
