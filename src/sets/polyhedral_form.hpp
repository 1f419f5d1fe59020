// Conditions that are rows and sides alone, as one polyhedron: what engines that know polyhedra take an intersection
// for.
#pragma once

#include <optional>
#include <variant>

#include "sets/conditions.hpp"

namespace fcbio::sets {

struct PolyhedralForm {
  std::variant<RowMajorMatrix, CsrMatrix>
      matrix;  ///< planes, rows, equations, in this order; sparse where that pays
  Vector row_lower, row_upper, lower, upper;
};

/// Empty: there is an l1 ball, or a ball that does not contain all points between the sides.
std::optional<PolyhedralForm> polyhedral_form(const Conditions& conditions, Index n);

}  // namespace fcbio::sets
