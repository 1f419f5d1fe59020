#include "sets/membership.hpp"

#include <algorithm>

namespace fcbio::sets {
namespace {

constexpr int kTries = 12;               // the margin doubles from try to try
constexpr double kSameNumbers = 4096.0;  // units in the last place

std::vector<bool> fixed_coordinates(Index dimension, const Conditions& conditions) {
  std::vector<bool> fixed(static_cast<std::size_t>(dimension), false);
  for (const Conditions::Sides& sides : conditions.sides)
    for (Index j = 0; j < sides.size; ++j)
      if (sides.fixes(j)) fixed[static_cast<std::size_t>(sides.first + j)] = true;
  return fixed;
}

Extended room_below(const Conditions::Plane& plane, VectorIn x) {
  ExtendedSum left;
  left.add(plane.value);
  ExtendedSum square;
  for (Index j = 0; j < plane.normal->size(); ++j) {
    const Extended a = (*plane.normal)[j];
    left.add_product(-a, x[plane.first + j]);
    square.add(a * a);
  }
  const Extended length = std::sqrt(square.value());
  const Extended least = left.at_least();
  return least / (length * (1 + (least > 0 ? kAllowance : -kAllowance)));
}

Extended room_in(const Conditions::Round& ball, VectorIn x) {
  return Extended{ball.radius} - norm_at_most(x.segment(ball.first, ball.size), ball.centre, ball.size);
}

Extended room_in_l1(const Conditions::Round& ball, VectorIn x) {
  ExtendedSum left;
  left.add(ball.radius);
  for (Index j = 0; j < ball.size; ++j)
    left.add(-std::abs(Extended{x[ball.first + j]} - (ball.centre != nullptr ? Extended{(*ball.centre)[j]} : 0)));
  const Extended least = left.at_least();
  // For less than nothing the distance to the ball is what counts, and it is at most the excess itself.
  return least > 0 ? least / (std::sqrt(static_cast<Extended>(ball.size)) * (1 + kAllowance)) : least;
}

Extended room_between(const Conditions::Sides& sides, VectorIn x) {
  Extended least = kExtendedInfinity;
  for (Index j = 0; j < sides.size; ++j) {
    const Extended at = x[sides.first + j];
    const Extended room = std::min(at - sides.lower_side(j), sides.upper_side(j) - at);
    if (!sides.fixes(j) || room < 0) least = std::min(least, room > 0 ? room * (1 - kAllowance) : room);
  }
  return least;
}

}  // namespace

Membership::Membership(Index dimension, Conditions conditions)
    : conditions_(std::move(conditions)),
      fixed_(fixed_coordinates(dimension, conditions_)),
      equations_(dimension, conditions_.equations, fixed_) {}

double Membership::room(VectorIn x) const {
  Extended least = kExtendedInfinity;
  for (const auto& sides : conditions_.sides) least = std::min(least, room_between(sides, x));
  for (const auto& plane : conditions_.planes) least = std::min(least, room_below(plane, x));
  for (const auto& ball : conditions_.balls) least = std::min(least, room_in(ball, x));
  for (const auto& ball : conditions_.l1_balls) least = std::min(least, room_in_l1(ball, x));
  return rounded_down(least);
}

double Membership::distance(VectorIn x) const {
  const double to_solutions = equations_.distance(x);
  return room(x) >= to_solutions ? to_solutions : kInfinity;
}

double Membership::settle(VectorOut x, const Vector& interior) const {
  double reached = distance(x);
  if (reached < kInfinity || interior.size() == 0 || !(x.allFinite())) return reached;
  const double deep = room(interior);
  const Vector given = x;
  double margin = 2.0 * kEpsilon * given.norm();
  for (int k = 0; k < kTries && reached == kInfinity; ++k, margin *= 2.0) {
    const double wanted = 2.0 * equations_.distance(given) + margin;
    if (!(deep > wanted)) break;
    const double here = std::min(room(given), wanted);
    const double share = std::min(1.0, (wanted - here) / (deep - here));
    x = given + share * (interior - given);
    for (Index j = 0; j < x.size(); ++j)
      if (fixed_[static_cast<std::size_t>(j)]) x[j] = interior[j];
    reached = distance(x);
  }
  if (reached == kInfinity && (interior - given).norm() <= kSameNumbers * kEpsilon * given.norm()) {
    // A set hardly larger than the distance of two doubles: its interior point is as good.
    x = interior;
    reached = distance(x);
  }
  if (reached == kInfinity) x = given;
  return reached;
}

std::unique_ptr<Membership> membership_of(const ConvexSet& set) {
  Conditions conditions;
  if (!set.describe(conditions, 0)) return nullptr;
  return std::make_unique<Membership>(set.dimension(), std::move(conditions));
}

}  // namespace fcbio::sets
