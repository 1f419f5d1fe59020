// Random Gaussian problems in 8 dimensions: nothing nasty.
#include "kinds.hpp"
#include "shapes.hpp"
#include "terms.hpp"

namespace fcbio::adversary {

HostileProblem make_sane(Dice& dice) {
  constexpr Index n = 8;
  HostileProblem problem;
  io::SetData& set = problem.data.domain;
  set.kind = dice.pick({"ball", "box", "simplex", "l1-ball"});
  set.dimension = n;
  if (set.kind == "box") {
    set.lower = Vector::Constant(n, -1.0);
    set.upper = Vector::Constant(n, 1.0);
  } else if (set.kind != "simplex") {
    set.center = Vector::Zero(n);
    set.radius = 2.0;
  }
  problem.data.dimension = n;
  problem.data.upper = {
      random_term(dice, dice.pick({"squared-norm", "linear", "logistic", "least-squares"}), n, 1.0, 1.0)};
  problem.data.lower = {random_term(
      dice, dice.pick({"least-squares", "logistic", "huber", "squared-hinge", "absolute", "hinge"}), n, 1.0, 1.0)};
  for (auto* terms : {&problem.data.upper, &problem.data.lower}) terms->front().weight = 1.0;
  problem.note =
      set.kind + ", " + problem.data.upper.front().function + " over " + problem.data.lower.front().function;
  return problem;
}

}  // namespace fcbio::adversary
