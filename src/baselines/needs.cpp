#include "baselines/needs.hpp"

#include <fmt/format.h>

#include "inner/l1_part.hpp"

namespace fcbio {
namespace {

std::string_view word(Level level) { return level == Level::upper ? "upper" : "lower"; }

std::string not_smooth_term(const Problem& problem, Level level, bool l1_allowed) {
  for (const Function::Part& part : problem.function(level).parts()) {
    const bool l1 = l1_allowed && part.term->l1_centre() != nullptr;
    if (part.weight > 0.0 && !l1 && !part.term->smooth())
      return fmt::format("the {} function is not smooth{} (term '{}')", word(level),
                         l1_allowed ? ", nor an l1 norm" : "", part.term->name());
  }
  return {};
}

bool has_l1(const Problem& problem, Level level) {
  for (const Function::Part& part : problem.function(level).parts())
    if (part.weight > 0.0 && part.term->l1_centre() != nullptr) return true;
  return false;
}

}  // namespace

std::string level_not_smooth(const Problem& problem, Level level) {
  return not_smooth_term(problem, level, false);
}

std::string level_not_composite(const Problem& problem, Level level) {
  if (std::string why = not_smooth_term(problem, level, true); !why.empty()) return why;
  if (!has_l1(problem, level)) return {};
  const std::string why = L1Part::misfit(problem);
  return why.empty() ? why : "no prox is known for " + why;
}

std::string not_composite(const Problem& problem) {
  std::string why = level_not_composite(problem, Level::upper);
  return why.empty() ? level_not_composite(problem, Level::lower) : why;
}

std::string not_strongly_convex_upper(const Problem& problem) {
  if (problem.upper().strong_convexity() > 0.0) return {};
  return "the upper function is not known to be strongly convex";
}

std::string unbounded_domain(const Problem& problem) {
  return problem.domain().diameter() ? "" : "the domain is unbounded and no radius was told";
}

std::string no_linear_minimum(const Problem& problem) {
  Vector vertex = Vector::Zero(problem.dimension());
  if (problem.domain().minimize_linear(Vector::Ones(problem.dimension()), vertex)) return {};
  return fmt::format("linear functions cannot be minimised over the domain '{}'", problem.domain().name());
}

}  // namespace fcbio
