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

double ConvexSet::settle(VectorOut x) const {
  const auto membership = sets::membership_of(*this);
  if (!membership) return violation(x);  // the caller's word
  Vector interior(dimension());
  if (!interior_point(interior)) interior.resize(0);
  return membership->settle(x, interior);
}

}  // namespace fcbio
