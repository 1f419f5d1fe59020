// The start of a method that keeps the images of its points: the starting point with its images, within the
// limits.
#pragma once

#include "baselines/method_run.hpp"

namespace fcbio {

/// point <- x0 with the images of the levels asked for; false: a limit forbids it, and the method ends.
/// `values`: values of g that the method evaluates before its first step.
inline bool begin_with_images(MethodRun& run, Point& point, bool upper, bool lower, int values = 0) {
  const PassCost f = run.problem().upper().cost(), g = run.problem().lower().cost();
  if (!run.oracle().monitor().may_spend((upper ? f.image : 0) + (lower ? g.image : 0) + values * g.value))
    return false;
  point.x = run.start();
  if (upper) run.oracle().update_images(Level::upper, point);
  if (lower) run.oracle().update_images(Level::lower, point);
  return true;
}

}  // namespace fcbio
