// Exact line search on images: with M d known, phi(x + alpha d) and its derivative cost no pass, only the losses.
// An exact search makes a limited-memory quasi-Newton method behave like conjugate gradients.
#pragma once

#include "inner/engine.hpp"

namespace fcbio {

class LineSearch {
 public:
  explicit LineSearch(const Problem& problem);

  /// The alpha in (0, longest] that makes |phi'(alpha)| <= tolerance |phi'(0)|, or `longest` when phi still falls
  /// there.  `slope0` = phi'(0) < 0.  Returns 0 when no decrease is to be had.  `linear`: the slope of what phi has
  /// besides the functions, and is linear along the way.
  double search(Oracle& oracle, const Weights& weights, const Point& x, const Point& direction, double slope0,
                double first, double longest, double linear = 0.0);

 private:
  double slope(Oracle& oracle, const Weights& weights, const Point& x, const Point& direction, double alpha);
  Point trial_;
  bool needs_x_ = false;         // some term works on x itself
  std::int64_t trial_cost_ = 0;  // passes of a trial, for black-box functions
  PerLevel<PartVectors> duals_;
};

}  // namespace fcbio
