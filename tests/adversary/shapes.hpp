// Sets that hurt: far from 0, nearly empty, nearly degenerate.
#pragma once

#include <optional>
#include <string>

#include "dice.hpp"
#include "io/problem_data.hpp"

namespace fcbio::adversary {

struct Shape {
  io::SetData set;
  Vector direction;    ///< one whose maximiser over the set is a hard point
  double size = 1.0;   ///< of the set
  double reach = 1.0;  ///< of its points
  std::string note;
};

io::SetData ball(Vector center, double radius);
io::SetData box(Vector lower, Vector upper);
io::SetData halfspace(Vector coefficients, double value, double radius);
io::SetData affine(RowMajorMatrix matrix, Vector values, double radius);
io::SetData whole(const char* kind, std::vector<io::SetData> sets);  ///< an intersection or a product

Shape plain_shape(Dice& dice);     ///< ball, box, simplex, l1 ball, nonnegative ball, halfspace, products
Shape affine_shape(Dice& dice);    ///< rows at angles down to 1e-13; single points; also cut by a far ball
Shape cap_shape(Dice& dice);       ///< rims down to 1e-7 of the radius
Shape lens_shape(Dice& dice);      ///< two balls that overlap, or hardly touch
Shape wedge_shape(Dice& dice);     ///< two halfspaces at half-angles down to 1e-6
Shape polytope_shape(Dice& dice);  ///< box, simplex or l1 ball with halfspaces or equations

}  // namespace fcbio::adversary
