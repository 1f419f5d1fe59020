// The system of kkt.hpp by a sparse factor.  Some unknowns are eliminated at once, each by its own diagonal entry: the
// rows (then the rest is as by columns), or the variables (by rows).  Left in the system, which is quasi-definite and
// factored as L D L', are the others, and of those that could go the few with so many numbers that they would fill it:
// dense rows by columns, dense columns by rows, equations by columns, free variables by rows, balls.
#pragma once

#include "interior/kkt.hpp"
#include "linalg/sparse_ordering.hpp"

namespace fcbio::interior {

/// Which unknowns are eliminated at once, in which order the others, and at what price.
struct SparsePlan {
  SparsePlan(const Program& program, const Stack& stack, bool by_rows);
  /// Finds the order.  False: there is none that fits into memory, or the products alone cost more than `most`.
  bool analyse(double most);

  bool by_rows;
  /// Of each variable and row its vertex in the system that is left, or -1: eliminated at once.
  std::vector<std::int32_t> variables, rows;
  std::vector<bool> late;  ///< of the vertices
  Cliques cliques;
  SparseOrdering ordering;
  double operations = 0.0;  ///< before the analysis those of the products with what is eliminated at once only
};

std::unique_ptr<KktForm> sparse_form(const Program& program, const Stack& stack, const SparsePlan& plan);

/// Variables that have something on the diagonal whatever happens: a side, a curvature, an identity block or a ball.
std::vector<bool> has_diagonal(const Program& program);

}  // namespace fcbio::interior
