// Sets that hurt: far from 0, nearly empty, nearly degenerate.
#pragma once

#include <optional>
#include <string>

#include "data/problem.hpp"
#include "dice.hpp"

namespace fcbio::adversary {

struct Shape {
  data::Set set;
  Vector direction;    ///< one whose maximiser over the set is a hard point
  double size = 1.0;   ///< of the set
  double reach = 1.0;  ///< of its points
  std::string note;
};

data::Set ball(Vector center, double radius);
data::Set box(Vector lower, Vector upper);
data::Set halfspace(Vector coefficients, double value, double radius);
data::Set affine(RowMajorMatrix matrix, Vector values, double radius);
data::Set intersection(std::vector<data::Set> sets);
data::Set product(std::vector<data::Set> sets);

Shape plain_shape(Dice& dice);     ///< ball, box, simplex, l1 ball, nonnegative ball, halfspace, products
Shape affine_shape(Dice& dice);    ///< rows at angles down to 1e-13; single points; also cut by a far ball
Shape cap_shape(Dice& dice);       ///< rims down to 1e-7 of the radius
Shape lens_shape(Dice& dice);      ///< two balls that overlap, or hardly touch
Shape wedge_shape(Dice& dice);     ///< two halfspaces at half-angles down to 1e-6
Shape polytope_shape(Dice& dice);  ///< box, simplex or l1 ball with halfspaces or equations

}  // namespace fcbio::adversary
