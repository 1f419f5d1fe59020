// How far f(x) may lie below f*, for the checker (docs/certificates.md, "Absolute claims").
//
// Told constants:     f(x) - f* >= -M (alpha (g(x) - g*) / beta)^(1/alpha), for x in Z.
// Computed constants: g = w/2 |Ax - b|^2.  Let p be the point nearest to x of S = {A'Az = A'b}, the minimisers of
// g over R^n.  If p lies in Z, it minimises g over Z, so f* <= f(p).  The checker finds p to within an error and
// uses that directly; beta = w s^2, s the smallest singular value of A, is what bounds the error.
#pragma once

#include <Eigen/Core>

#include "bounds.hpp"

namespace fcbio::verify {

/// M (alpha gap / beta)^(1/alpha); 0 for a gap <= 0.
Real holder_deficit(const ClaimedErrorBound& bound, Real gap);

/// A lower bound of the distance from the point to what is outside the region; infinite in a whole space,
/// -infinite for the kinds of sets where it is not known.
Real depth_in(const Region& region, std::span<const Real> point);

/// The one least-squares term of g.
class LeastSquares {
 public:
  /// Why g is nothing that this can judge, in words; empty: it is.
  static std::string misfit(const std::vector<TermView>& lower);
  explicit LeastSquares(const std::vector<TermView>& lower);

  /// Whether beta <= weight * s^2 and A has full rank, proved by a Cholesky factorisation.
  bool proves(double beta) const;

  /// The point of S nearest to x is within `error` of `point`.
  struct Nearest {
    RealVector point;
    Real error = kRealInfinity;
  };
  /// For a beta that proves() accepted.
  Nearest nearest(std::span<const Real> x, double beta) const;

 private:
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  const TermView& view_;
  bool wide_;      // rows <= n
  Matrix gram_;    // AA' or A'A, the smaller one
  Real lost_ = 0;  // at most this is lost to rounding in gram_ and in a factorisation of it, in norm
};

}  // namespace fcbio::verify
