// A set of any kind around a given point of small numbers, with the normals of the set at that point.
#pragma once

#include <functional>
#include <string>

#include "data/problem.hpp"
#include "dice.hpp"
#include "exact.hpp"

namespace fcbio::adversary {

/// Point and set, all numbers multiples of `unit`.
struct PlantedSet {
  data::Set set;
  ExactVector point;
  /// An element of the normal cone of the set at the point: <normal, x - point> <= 0 on the set.
  std::function<ExactVector(Dice&)> normal;
  std::string note;
};

/// Throws NotADouble where the numbers do not fit.
PlantedSet plant_set(Dice& dice, Index n, double unit);

}  // namespace fcbio::adversary
