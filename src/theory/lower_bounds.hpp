// Lower bounds on the work of zero-respecting methods, and the problems that show them: Theorems 5.1 (smooth) and
// 5.2 (Lipschitz) of the FC-BiO paper, with eps_f = eps_g, on the ball of radius D about 0.
//
//   smooth      after T gradients  value - optimum >= 3 L D^2 / (32 (T+1)^2),  shown by the chain with q = 2T+1;
//   Lipschitz   after T gradients  value - optimum >= C D / (2 (1 + sqrt(T+1))), shown by the chain with q = T+1.
//
// One level is the chain, the other is 0.  (The paper scales its smooth chain by D, which puts the minimiser at
// distance about D sqrt(q/3); here it is scaled so that the minimiser lies in the ball, as the theorem needs.  In
// the Lipschitz case q = T gives the bound for fewer than T queries; one more coordinate gives it for T.)
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fcbio/problem.hpp"
#include "theory/hard_instances.hpp"

namespace fcbio::theory {

/// What is proved to be left after `queries` >= 0 gradients of the chain on bound_instance(.., queries).
/// L = C = 1, radius D.
double error_after(Family family, double radius, std::int64_t queries);

/// The least number of gradients that no zero-respecting method can do without for this accuracy:
/// error_after(N - 1) > accuracy >= error_after(N).  0: the start may be that good already.
std::int64_t least_queries(Family family, double radius, double accuracy);

struct BoundInstance {
  Problem problem;
  double upper_optimum = 0.0;                     // f*
  double lower_optimum = 0.0;                     // g*
  std::shared_ptr<const std::int64_t> gradients;  ///< of the chain, asked for so far
};

/// `chain` is the level that is hard; the instance resists `queries` >= 0 gradients.  L = 1 or C = 1.
BoundInstance bound_instance(Family family, Level chain, double radius, std::int64_t queries);

/// Slope of log(counts) against log(accuracies) by least squares; at least two points.
double fitted_exponent(const std::vector<double>& accuracies, const std::vector<double>& counts);

}  // namespace fcbio::theory
