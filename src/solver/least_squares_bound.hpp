// The error bound of least squares, computed.  Let g = w/2 |Ax - b|^2, S = {A'Ax = A'b} its minimisers over R^n, s
// the smallest singular value of A that is not zero, and p the point of S nearest to x.  As x - p lies in the row
// space of A,
//
//     g(x) - min g = w/2 |A(x - p)|^2 >= (w s^2 / 2) |x - p|^2.
//
// If p lies in Z, then S meets Z, the minimisers X of g over Z are those of S in Z, p is one of them, and
//
//     (beta/2) dist(x, X)^2 <= g(x) - g*,    beta = w s^2,
//
// holds at this x.  If p does not lie in Z it may be false: a ball that touches S has a gap like dist^4.
//
// A must have full rank min(rows, n), clearly above rounding; then s^2 is the least eigenvalue of the smaller Gram
// matrix K.  It is proved, not estimated: a Cholesky factorisation of K - tI that runs to its end has
// L L' = K - tI + E with |E| <= c/(1-c) trace, c = (m+1) unit roundoffs, in any order of summation (Higham,
// Accuracy and Stability, theorems 10.3 and 10.7), so the least eigenvalue of K is at least t - |E|; the rounding
// of K itself and of the shift are taken off as well.
#pragma once

#include <optional>
#include <string>

#include "core/oracle.hpp"
#include "linalg/cholesky.hpp"

namespace fcbio {

class LeastSquaresBound {
 public:
  static constexpr Index kLargestSide = 2000;            // of the Gram matrix
  static constexpr Index kLargestData = Index{1} << 26;  // numbers of A, dense

  /// Why this cannot be done, in words that follow "found"; empty: it can.
  static std::string misfit(const Problem& problem);

  /// How much work goes into beta(): a rough one may be ten times too small, and never too large.
  enum class Effort { full, rough };
  /// For a problem without misfit.  Charges the Gram matrix and the factorisations to g.
  explicit LeastSquaresBound(Oracle& oracle, Effort effort = Effort::full);
  /// Whether a limit ended the work before it was done.
  bool interrupted() const { return interrupted_; }
  /// At most w s^2, proved; 0: A does not have full rank clearly above rounding, or a limit ended the work.
  double beta() const { return beta_; }

  /// The point of S nearest to x is within `error` of `point`.
  struct Nearest {
    Vector point;
    double error = kInfinity;
  };
  /// Needs beta() > 0 of the full effort.  Costs nearest_cost() passes.
  Nearest nearest(VectorIn x);
  static std::int64_t nearest_cost(const Problem& problem);

 private:
  static constexpr int kRounds = 2;  // the second repairs what rounding did in the first
  bool factor(double shift);
  double estimate(int iterations) const;

  Oracle& oracle_;
  const Function::Part& part_;
  const LinearMap& map_;
  bool wide_;   // rows <= n: K = AA', else A'A
  Index size_;  // of K
  double frobenius_;
  RowMajorMatrix gram_;
  Cholesky cholesky_;
  double least_ = 0.0;  // at most s^2
  double beta_ = 0.0;
  bool interrupted_ = false;
};

}  // namespace fcbio
