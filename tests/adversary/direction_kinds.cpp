// g is a falling function of one direction <c, x>, so its minimisers over Z are the maximisers of <c, x>; where
// there is only one, z, the truth is g* = g(z) and f* = f(z) for whatever f.
#include "kinds.hpp"
#include "maximizer.hpp"
#include "shapes.hpp"
#include "terms.hpp"
#include "values.hpp"

namespace fcbio::adversary {
namespace {

/// What was asked for relative to how much the functions vary over Z, or the default.
void set_accuracy(Dice& dice, HostileProblem& problem, const ExactVector& solution, const ExactVector& other) {
  const auto spread = [&](const std::vector<data::Term>& terms) {
    const double difference = std::abs(nearest_double(value(terms, solution) - value(terms, other)));
    const double size = std::abs(nearest_double(value(terms, solution)));
    return std::min(std::max({difference, 1e-9 * size, 1e-200}), 1e100);
  };
  Accuracy& accuracy = problem.data.accuracy;
  if (dice.chance(0.3)) return;  // 1e-6
  const double relative = dice.pick({1e-3, 1e-6, 1e-6, 1e-9});
  accuracy.upper = relative * spread(problem.data.upper);
  accuracy.lower = relative * spread(problem.data.lower);
}

HostileProblem make_with(Dice& dice, Shape (*make_shape)(Dice&)) {
  for (;;) {
    const Shape shape = make_shape(dice);
    const Vector c = dice.power_of_ten(-6, 4) / std::max(1.0, shape.direction.norm()) * shape.direction;
    const ExactVector direction = exact(c);
    const auto solution = only_maximizer(shape.set, direction);
    if (!solution) continue;
    HostileProblem problem;
    problem.note = shape.note;
    problem.data.dimension = c.size();
    problem.data.domain = shape.set;
    problem.data.lower = falling_terms(dice, c, dot(direction, *solution));
    const double data_scale = dice.chance(0.5) ? 1.0 / shape.reach : dice.power_of_ten(-6, 4) / shape.size;
    problem.data.upper = random_terms(dice, c.size(), data_scale, shape.reach);
    if (dice.chance(0.4)) {  // f pulls along the face, or against g
      const Vector pull = dice.chance(0.5) ? Vector(dice.sign() * c) : dice.normals(c.size(), 1.0 / shape.size);
      problem.data.upper = {data::Term{data::Linear{pull}}};
    }
    problem.truth.lower = value(problem.data.lower, *solution);
    problem.truth.upper = value(problem.data.upper, *solution);
    ExactVector opposite = direction;
    for (Exact& entry : opposite) entry = -entry;
    set_accuracy(dice, problem, *solution, only_maximizer(shape.set, opposite).value_or(*solution));
    return problem;
  }
}

}  // namespace

HostileProblem make_plain(Dice& dice) { return make_with(dice, plain_shape); }
HostileProblem make_affine(Dice& dice) { return make_with(dice, affine_shape); }
HostileProblem make_cap(Dice& dice) { return make_with(dice, cap_shape); }
HostileProblem make_lens(Dice& dice) { return make_with(dice, lens_shape); }
HostileProblem make_wedge(Dice& dice) { return make_with(dice, wedge_shape); }
HostileProblem make_polytope(Dice& dice) { return make_with(dice, polytope_shape); }

}  // namespace fcbio::adversary
