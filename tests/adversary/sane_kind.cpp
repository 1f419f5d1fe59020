// Random Gaussian problems in 8 dimensions: nothing nasty.
#include <fmt/format.h>

#include "kinds.hpp"
#include "shapes.hpp"
#include "terms.hpp"

namespace fcbio::adversary {

HostileProblem make_sane(Dice& dice) {
  constexpr Index n = 8;
  HostileProblem problem;
  data::Set& set = problem.data.domain;
  set.kind = dice.pick<data::SetKind>({data::Ball{2.0, Vector::Zero(n)},
                                       data::Box{Vector::Constant(n, -1.0), Vector::Constant(n, 1.0)},
                                       data::Simplex{}, data::L1Ball{2.0, Vector::Zero(n)}});
  set.dimension = n;
  problem.data.dimension = n;
  problem.data.upper = {random_term(
      dice,
      dice.pick<data::FunctionKind>({data::SquaredNorm{}, data::Linear{}, data::Logistic{}, data::LeastSquares{}}),
      n, 1.0, 1.0)};
  problem.data.lower = {
      random_term(dice,
                  dice.pick<data::FunctionKind>({data::LeastSquares{}, data::Logistic{}, data::Huber{},
                                                 data::SquaredHinge{}, data::Absolute{}, data::Hinge{}}),
                  n, 1.0, 1.0)};
  for (auto* terms : {&problem.data.upper, &problem.data.lower}) terms->front().weight = 1.0;
  problem.note = fmt::format("{}, {} over {}", data::name_of(set), data::name_of(problem.data.upper.front()),
                             data::name_of(problem.data.lower.front()));
  return problem;
}

}  // namespace fcbio::adversary
