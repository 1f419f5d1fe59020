//   ball               R - |p - c|
//   box                min over j of p_j - l_j and u_j - p_j
//   l1 ball            (R - |p - c|_1) / sqrt(n), as |z|_1 <= sqrt(n) |z|
//   nonnegative ball   min of R - |p| and all p_j
// All relative errors here are below kSafety for any vector that fits into memory.
#include "fcbio/set_depth.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio {
namespace {

constexpr double kSafety = 1e-9;  // of the larger of the two numbers that are subtracted
constexpr std::string_view kNonnegativeBall = "nonnegative-ball";

double room(double within, double used) { return within - used - kSafety * (std::abs(within) + std::abs(used)); }

double depth_in_box(const BoxShape& box, VectorIn point) {
  double least = kInfinity;
  for (Index j = 0; j < point.size(); ++j) {
    if (std::isfinite((*box.lower)[j])) least = std::min(least, room(point[j], (*box.lower)[j]));
    if (std::isfinite((*box.upper)[j])) least = std::min(least, room((*box.upper)[j], point[j]));
  }
  return least;
}

double depth_in_nonnegative_ball(const ConvexSet& set, VectorIn point) {
  // The vertex for -e_1 is radius * e_1: the only way to ask such a set for its radius.
  Vector direction = Vector::Zero(point.size()), vertex = direction;
  direction[0] = -1.0;
  set.minimize_linear(direction, vertex);
  return std::min(room(vertex[0], point.norm()), point.minCoeff());
}

}  // namespace

bool depth_is_known(const ConvexSet& set) {
  const SetShape shape = set.shape();
  return std::holds_alternative<BallShape>(shape) || std::holds_alternative<BoxShape>(shape) ||
         std::holds_alternative<L1BallShape>(shape) || std::holds_alternative<WholeSpaceShape>(shape) ||
         set.name() == kNonnegativeBall;
}

std::optional<double> depth_in(const ConvexSet& set, VectorIn point) {
  const SetShape shape = set.shape();
  if (const auto* ball = std::get_if<BallShape>(&shape)) return room(ball->radius, (point - *ball->centre).norm());
  if (const auto* box = std::get_if<BoxShape>(&shape)) return depth_in_box(*box, point);
  if (const auto* l1 = std::get_if<L1BallShape>(&shape)) {
    const double left = room(l1->radius, (point - *l1->centre).lpNorm<1>());
    return left > 0.0 ? left * (1.0 - kSafety) / std::sqrt(static_cast<double>(point.size())) : left;
  }
  if (const auto* space = std::get_if<WholeSpaceShape>(&shape))
    return space->radius ? room(*space->radius, (point - *space->start).norm()) : kInfinity;
  if (set.name() == kNonnegativeBall) return depth_in_nonnegative_ball(set, point);
  return std::nullopt;
}

}  // namespace fcbio
