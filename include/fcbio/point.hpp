// A point that carries its images under the data of both levels.  Images are linear, so combinations of points
// combine them: extrapolation, averaging and line searches cost no pass.
#pragma once

#include "fcbio/per_level.hpp"
#include "fcbio/problem.hpp"

namespace fcbio {

struct FCBIO_EXPORT Point {
  Vector x;
  PerLevel<PartVectors> images;  ///< one per part (empty where the part needs none)

  Point() = default;
  explicit Point(const Problem& problem);  ///< zero, sized; images are not yet those of x

  const PartVectors& images_of(Level level) const { return images[level]; }
  PartVectors& images_of(Level level) { return images[level]; }
  /// *this <- a p + b q.  No allocation; *this may be p or q.
  void set_combination(double a, const Point& p, double b, const Point& q);
};

}  // namespace fcbio
