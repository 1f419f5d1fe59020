// On the segment from a point that is feasible (g <= c) to one that is not but has a lower f, the feasible point
// nearest to the outer end.  g is convex along it, so where the chord meets c it is at most c: a secant that is
// safeguarded by bisections.  Images combine, so where values cost no pass the whole search costs none.
#pragma once

#include "core/oracle.hpp"

namespace fcbio {

class FeasibleSegment {
 public:
  explicit FeasibleSegment(Oracle& oracle);

  struct End {
    const Point& point;  ///< with images of both levels
    double lower;        ///< g there
  };
  struct Rules {
    int most_trials;
    double shortest;           ///< of the bracket, as a share of the segment
    double near = -kInfinity;  ///< a g that misses c by no more than this is near enough
    double origin = 0.0;  ///< what g is measured from in the secant: c itself, where g is large and close to c
  };
  struct Found {
    Point& point;  ///< may be swapped with another of the same problem
    double upper, lower;
  };
  /// Empty: there is none beyond the inner end, or values are not free and no search is made.
  std::optional<Found> search(const End& inside, const End& outside, double most_lower, const Rules& rules);

 private:
  double lower_between(const End& inside, const End& outside, double share);

  Oracle& oracle_;
  const bool is_free_;
  bool lower_needs_x_ = false;  // some term of g is evaluated from x itself
  Point between_;
};

}  // namespace fcbio
