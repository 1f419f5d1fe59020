#include "inner/projected_descent.hpp"

namespace fcbio {
namespace {

constexpr double kClearlyInside = 1.0 - 1e-9;  // of the squared radius: beyond any rounding of a norm
constexpr double kLeastRadius = 1e-140;

}  // namespace

StepSums ProjectedDescent::step(VectorIn y, VectorIn p, VectorIn q, VectorIn x, Descent by, double s,
                                VectorOut next) {
  const SetShape shape = oracle_.problem().domain().shape();
  const auto* ball = std::get_if<BallShape>(&shape);
  const Vector* centre = ball != nullptr ? ball->centre : nullptr;
  const StepVectors at = centre != nullptr ? StepVectors{y, p, q, x, *centre} : StepVectors{y, p, q, x, y};
  const StepSums free = descend(at, by, s, next);
  // The least radius keeps its square away from underflow.
  const bool inside = ball != nullptr ? ball->radius > kLeastRadius &&
                                            free.from_centre < kClearlyInside * ball->radius * ball->radius
                                      : std::holds_alternative<WholeSpaceShape>(shape);
  if (inside) {
    ++oracle_.monitor().work().projections;
    return free;
  }
  oracle_.project(next);
  return step_sums(at, by, s, next);
}

}  // namespace fcbio
