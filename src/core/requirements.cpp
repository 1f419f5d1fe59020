#include "core/requirements.hpp"

#include <fmt/format.h>

namespace fcbio {
namespace {

// Which term of a level lacks a property; empty: none.
template <class Lacks>
std::string missing(const Problem& problem, Lacks lacks, std::string_view property) {
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts())
      if (part.weight > 0.0 && lacks(*part.term))
        return fmt::format("the {} function is not {} (term '{}')", level == Level::upper ? "upper" : "lower",
                           property, part.term->name());
  return {};
}

}  // namespace

std::string not_smooth(const Problem& problem) {
  return missing(
      problem, [](const Term& term) { return !term.smooth(); }, "smooth");
}

std::string not_differentiable(const Problem& problem) {
  return missing(
      problem, [](const Term& term) { return !term.differentiable(); }, "differentiable");
}

std::string not_lipschitz(const Problem& problem) {
  Vector centre = problem.start();
  const std::optional<double> radius = problem.domain().enclosing_ball(centre);
  return missing(
      problem, [&](const Term& term) { return !term.lipschitz(centre, radius.value_or(kInfinity)).value; },
      radius ? "Lipschitz on the domain" : "Lipschitz on the domain, which is unbounded");
}

}  // namespace fcbio
