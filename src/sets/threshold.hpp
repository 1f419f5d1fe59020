// The threshold behind the projections on the simplex and on the l1 ball.
//
// Given numbers y_i with largest y_max and total > 0, find the tau with  sum over i of max(y_i - tau, 0) = total.
// Newton's method on that convex, decreasing, piecewise linear function (Michelot 1986):
//     tau <- tau + (sum over {y_i > tau} of (y_i - tau) - total) / #{y_i > tau}
// From a start on the left of the solution tau grows and the active set shrinks, so it ends after finitely many
// steps (a handful in practice), without sorting and without memory.
//
// Only differences to y_max matter, so all is done with y_i - y_max <= 0: then -total <= tau < 0 whatever the size
// of y, and nothing is lost where y is huge beside total.
#pragma once

#include <algorithm>

#include "fcbio/types.hpp"

namespace fcbio::sets {

struct Threshold {
  double largest = 0.0;  ///< y_max
  double tau = 0.0;      ///< relative to y_max
  /// max(y_i - tau, 0)
  double excess(double y) const { return std::max((y - largest) - tau, 0.0); }
};

/// `value(i)`, i = 0 .. n-1, is y_i.  Needs n >= 1 and total > 0.
template <class Value>
Threshold find_threshold(Index n, double total, const Value& value) {
  Threshold found;
  found.largest = value(0);
  for (Index i = 1; i < n; ++i) found.largest = std::max(found.largest, value(i));
  found.tau = -total;
  Index active_before = n + 1;
  while (true) {
    double sum = 0.0;  // of numbers >= 0: the last step removes the rounding errors of the ones before it
    Index active = 0;
    for (Index i = 0; i < n; ++i) {
      const double excess = (value(i) - found.largest) - found.tau;
      if (!(excess > 0.0)) continue;
      sum += excess;
      ++active;
    }
    if (active == 0) return found;  // only where total / n underflows
    found.tau += (sum - total) / static_cast<double>(active);
    if (active >= active_before) return found;  // an active set that no longer shrinks is the last one
    active_before = active;
  }
}

}  // namespace fcbio::sets
