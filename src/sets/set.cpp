// What a set that knows nothing better about itself answers.
#include "fcbio/set.hpp"

#include <algorithm>
#include <cmath>

#include "sets/membership.hpp"

namespace fcbio {

double ConvexSet::prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch& scratch) const {
  witness = SetWitness{};
  const double unit = 2.0 * kEpsilon * static_cast<double>(dimension() + 16);
  const double bound = linear_lower_bound(direction, scratch);
  const double norm = direction.norm();
  return norm == 0.0 ? bound : bound - unit * (norm * reach() + std::abs(bound));
}

/// For sets that need no witness: each condition accounts for its part.
void ConvexSet::take_duals(sets::ConditionDuals& duals, VectorOut share, SetWitness& witness) const {
  witness = SetWitness{};
  sets::Conditions own;
  describe(own, 0);
  const auto add = [&](Index first, const Vector& part) {
    if (part.size() > 0) share.segment(first, part.size()) += part;
  };
  for (const auto& plane : own.planes)
    share.segment(plane.first, plane.normal->size()) -= duals.next_plane() * *plane.normal;
  for (const auto& block : own.rows) {
    const auto multipliers = duals.next_rows(block.matrix.count());
    for (Index i = 0; i < multipliers.size(); ++i)
      block.matrix.each(i, [&](Index j, double a) { share[block.first + j] += multipliers[i] * a; });
  }
  for (const auto& ball : own.balls) add(ball.first, duals.next_ball());
  for (const auto& ball : own.l1_balls) add(ball.first, duals.next_l1_ball());
  for (const auto& sides : own.sides) add(sides.first, duals.next_sides());
  for (const auto& equation : own.equations)
    share.segment(equation.first, equation.row.size()) += duals.next_equation() * equation.row;
}

double ConvexSet::reach() const {
  Vector centre = Vector::Zero(dimension());
  const std::optional<double> radius = enclosing_ball(centre);
  return radius ? (centre.norm() + *radius) * (1.0 + 1e-12) : kInfinity;
}

std::optional<double> ConvexSet::depth(VectorIn x) const {
  const auto membership = sets::membership_of(*this);
  if (!membership || !membership->equations().empty()) return std::nullopt;
  const std::vector<bool>& fixed = membership->fixed();
  if (std::find(fixed.begin(), fixed.end(), true) != fixed.end()) return std::nullopt;
  return membership->room(x);
}

bool ConvexSet::describe(sets::Conditions&, Index) const { return false; }

bool ConvexSet::interior_point(VectorOut) const { return false; }
const interior::Tight* ConvexSet::tight() const { return nullptr; }

double ConvexSet::settle(VectorOut x) const {
  const auto membership = sets::membership_of(*this);
  if (!membership) return violation(x);  // the caller's word
  Vector interior(dimension());
  if (!interior_point(interior)) interior.resize(0);
  return membership->settle(x, interior);
}

}  // namespace fcbio
