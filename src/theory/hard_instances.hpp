// Problems on which f cannot be found: Theorems 4.1 (smooth) and 4.2 (Lipschitz) of the FC-BiO paper.
//
//   q = 2T,   f(x) = 1/2 sum_{j > T} x_j^2,   g = the smooth chain with L = 1, R = 1/sqrt(q), or the Lipschitz
//   chain with C = R = 1,   Z = the unit ball about x_0   (all of it shifted by x_0).
//
// A zero-respecting method that has asked for T gradients of g has moved in the first T coordinates only, so that
// f(x) = f(x_0) = 0 at every point it looked at; yet f* = (T+1)/(24 (2T+1)) >= 1/48, or f* = 1/4.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fcbio/problem.hpp"
#include "theory/query_watch.hpp"

namespace fcbio::theory {

enum class Family : std::uint8_t { smooth, lipschitz };

/// f and g are black boxes: a method sees values and (sub)gradients, nothing else.
struct HardInstance {
  std::shared_ptr<QueryWatch> watch;
  Problem problem;
  Vector solution;                   // x*
  double upper_optimum = 0.0;        // f*
  double lower_optimum = 0.0;        // g*
  double guaranteed_distance = 0.0;  ///< f* - f(x_0) is at least this, for every T: 1/48 or 1/4
  /// What T gradients leave of g - g*, at least: 1/(16 (T+1) (2T+1)) or 1/(2 (1 + sqrt(2T))).
  double lower_gap_left = 0.0;
  std::function<double(VectorIn)> lower_value;  ///< g, unwatched: looking at a point is not a query
};

/// T >= 1.  `start` has 2T coordinates, and f, g are watched up to T gradients of g.
HardInstance hard_instance(Family family, std::int64_t queries, const Vector& start);
/// From 0.
HardInstance hard_instance(Family family, std::int64_t queries);

}  // namespace fcbio::theory
