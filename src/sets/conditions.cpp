#include "sets/conditions.hpp"

namespace fcbio::sets {

ConditionDuals ConditionDuals::of_rows(const Conditions& conditions, VectorIn row_duals) {
  ConditionDuals duals;
  const auto planes = static_cast<Index>(conditions.planes.size());
  const auto equations = static_cast<Index>(conditions.equations.size());
  duals.planes = (-row_duals.head(planes)).cwiseMax(0.0);  // a plane is a row with an upper side
  duals.rows = row_duals.segment(planes, row_duals.size() - planes - equations);
  duals.equations = row_duals.tail(equations);
  duals.balls.resize(conditions.balls.size());
  duals.l1_balls.resize(conditions.l1_balls.size());
  duals.sides.resize(conditions.sides.size());
  return duals;
}

}  // namespace fcbio::sets
