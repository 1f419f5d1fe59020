#include "solver/set_depth.hpp"

#include <algorithm>

#include "sets/membership.hpp"

namespace fcbio {
namespace {

/// Null: the set has equations, or does not tell what it is made of.
std::unique_ptr<sets::Membership> full_dimensional(const ConvexSet& set) {
  auto membership = sets::membership_of(set);
  if (!membership || !membership->equations().empty()) return nullptr;
  const std::vector<bool>& fixed = membership->fixed();
  return std::find(fixed.begin(), fixed.end(), true) == fixed.end() ? std::move(membership) : nullptr;
}

}  // namespace

bool depth_is_known(const ConvexSet& set) { return full_dimensional(set) != nullptr; }

std::optional<double> depth_in(const ConvexSet& set, VectorIn point) {
  const auto membership = full_dimensional(set);
  if (!membership) return std::nullopt;
  const double room = membership->room(point);
  const SetShape shape = set.shape();
  const auto* space = std::get_if<WholeSpaceShape>(&shape);
  if (space == nullptr || !space->radius) return room;
  constexpr double kSafety = 1e-9;
  const double used = (point - *space->start).norm();
  return *space->radius - used - kSafety * (*space->radius + used);
}

}  // namespace fcbio
