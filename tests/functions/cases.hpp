// Every loss and every term once, with obvious long double twins: what the tests of this room walk over.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fcbio/function.hpp"

namespace fcbio::test {

using Real = long double;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Random = std::mt19937_64;

Vector gaussian(Random& random, Index n, double scale = 1.0);
/// Entries of either sign with magnitudes from 10^-range to 10^range.
Vector wild(Random& random, Index n, double range);
Vector signs(Random& random, Index n);

struct LossCase {
  std::string name;
  LossPtr loss;
  std::function<Real(const RealVector& u)> value;      ///< by the formula of loss.hpp
  std::function<Real(const RealVector& r)> conjugate;  ///< r feasible exactly
  std::function<bool(double u, Index i)> near_kink;    ///< within 1e-3 of a point where phi is not smooth
  bool on_simplex = false;                             ///< the duals are weights with sum 1
  bool has_hessian = false;
};
/// All nine losses on m rows; targets of the given magnitude range (0: standard normal).
std::vector<LossCase> loss_cases(Index m, std::uint64_t seed, double range = 0.0);

/// constant + <slope, x>
struct Minorant {
  Real constant = 0;
  RealVector slope;
};
struct TermCase {
  std::string name;
  TermPtr term;
  std::function<Real(const RealVector& x)> value;
  std::function<Minorant(const Vector& d)> minorant;  ///< of a repaired dual, without the exact curvature
  bool smooth = true;                                 ///< differentiable everywhere
  bool has_hessian = true;
};
/// All nine losses over dense and sparse maps, and all the other terms, in n variables.
std::vector<TermCase> term_cases(Index m, Index n, std::uint64_t seed, double range = 0.0);

CsrMatrix csr_of(const RowMajorMatrix& matrix);
/// B'B for a random k x n matrix B.
RowMajorMatrix random_semidefinite(Random& random, Index n, Index k, double range = 0.0);

/// A point, its image, and room for a dual: what a Term works on.
struct Evaluation {
  Vector x, u, d;
  Evaluation(const Term& term, Vector point);
  double value(const Term& term) const { return term.value(x, u); }
  Vector gradient(const Term& term);
};

}  // namespace fcbio::test
