// min 1/2 v'Gv - h'v over v >= 0 for a small positive semidefinite G with unit diagonal: the dual of projecting on
// a polyhedron, in the dimension of a bundle.
//
// Active set method of Lawson and Hanson: v > 0 on a set P where G_PP v_P = h_P; the largest violated multiplier
// h_j - (Gv)_j > 0 enters, numbers that would turn negative leave.  A tiny ridge keeps the Cholesky factor of G_PP
// alive for cuts that depend on each other, duplicates among them.  Any v >= 0 serves a proof, so the tolerance is
// a matter of speed.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "linalg/archive.hpp"

namespace fcbio {

class NonnegativeQuadratic {
 public:
  explicit NonnegativeQuadratic(Index capacity);

  /// Solves with the leading size x size block of `gram` and the leading entries of `linear` (h).  `v` holds a
  /// nonnegative start and receives the solution.  `same_gram`: numbers of `gram` that the last call could see
  /// have not changed, so that its factor can be gone on with.  No allocation.
  void solve(const Eigen::MatrixXd& gram, const Vector& linear, Index size, Vector& v, bool same_gram = false);

  /// P of the last solve.
  Index active() const { return active_; }
  Index active_at(Index position) const { return order_[static_cast<std::size_t>(position)]; }
  /// out (leading active() entries, in the order of active_at) <- G_PP^-1 right.
  void solve_active(const Vector& right, Vector& out) const;

  void archive(Archive& archive) { archive(active_, order_, is_active_, factor_); }

 private:
  void enter(const Eigen::MatrixXd& gram, Index index);
  void leave(Index position);
  /// Moves v towards the solution on P, dropping what would turn negative, until it is reached.
  void settle(const Vector& linear, Vector& v);

  Index active_ = 0;
  std::vector<Index> order_;     // P, in the order in which it entered
  std::vector<char> is_active_;  // by index
  Eigen::MatrixXd factor_;       // Cholesky: row i of L is column i here, so that rows are contiguous
  Vector solution_, right_, residual_;
};

}  // namespace fcbio
