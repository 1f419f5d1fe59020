// A convex set known by lambdas, for C++ programs.
#pragma once

#include <functional>
#include <string>

#include "fcbio/set.hpp"

namespace fcbio {

/// The caller vouches for everything here, and a result says so ("proved if the set 'NAME' ..."); check_set()
/// (check.hpp) tests it.  The lambdas may be called from several threads at once.
struct UserSet {
  std::string name = "user";
  Index dimension = 0;
  /// x <- the nearest point of the set.
  std::function<void(VectorOut x)> project;
  /// Optional: max over the set of <direction, z>.  May be too high, never too low: every proof rests on it.
  /// Without it, and without minimize_linear, proofs use the enclosing ball, which makes them weak.
  std::function<double(VectorIn direction)> support = {};
  /// Optional: vertex <- a point of the set with the least <direction, z>.
  std::function<void(VectorIn direction, VectorOut vertex)> minimize_linear = {};
  /// A ball that contains the set; an empty centre is 0.
  Vector centre = {};
  double radius = 0.0;
  /// Optional: 0 for a member, else at least the distance to the set.  Without it: the length of the step that
  /// `project` makes.
  std::function<double(VectorIn x)> violation = {};
};

/// Refuses what makes no sense with InvalidArgument.
FCBIO_EXPORT ConvexSetPtr user_set(UserSet set);

}  // namespace fcbio
