#include "inner/projected_descent.hpp"

#include "core/overloaded.hpp"

namespace fcbio {
namespace {

constexpr double kClearlyInside = 1.0 - 1e-9;  // of the squared radius: beyond any rounding of a norm
constexpr double kLeastRadius = 1e-140;        // keeps its square away from underflow

}  // namespace

StepSums ProjectedDescent::step(VectorIn y, VectorIn p, VectorIn q, VectorIn x, Descent by, double s,
                                VectorOut next) {
  // A step whose squared distance from the centre is below `free_within` stays in Z without being projected.
  struct Freedom {
    const Vector* centre;  // null: any point will do
    double free_within;
  };
  const Freedom none{nullptr, 0.0};
  const Freedom freedom =
      std::visit(Overloaded{
                     [&](const BallShape& ball) {
                       const bool tiny = !(ball.radius > kLeastRadius);
                       return Freedom{ball.centre, tiny ? 0.0 : kClearlyInside * ball.radius * ball.radius};
                     },
                     [](const WholeSpaceShape&) {
                       return Freedom{nullptr, kInfinity};
                     },
                     [&](const BoxShape&) { return none; },
                     [&](const SimplexShape&) { return none; },
                     [&](const L1BallShape&) { return none; },
                     [&](const PolyhedronShape&) { return none; },
                     [&](const NonnegativeBallShape&) { return none; },
                     [&](std::monostate) { return none; },
                 },
                 oracle_.problem().domain().shape());
  const StepVectors at =
      freedom.centre != nullptr ? StepVectors{y, p, q, x, *freedom.centre} : StepVectors{y, p, q, x, y};
  const StepSums free = descend(at, by, s, next);
  if (freedom.free_within == kInfinity || free.from_centre < freedom.free_within) {
    ++oracle_.monitor().work().projections;
    return free;
  }
  oracle_.project(next);
  return step_sums(at, by, s, next);
}

}  // namespace fcbio
