// What published methods ask of a problem, each as words for a refusal; empty: the problem has it.
#pragma once

#include <string>

#include "fcbio/problem.hpp"

namespace fcbio {

std::string level_not_smooth(const Problem& problem, Level level);
/// Smooth functions plus l1 norms whose prox over Z is known (inner/l1_part.hpp).
std::string not_composite(const Problem& problem);
/// The same for one level, the other one being anything.
std::string level_not_composite(const Problem& problem, Level level);
std::string not_strongly_convex_upper(const Problem& problem);
std::string unbounded_domain(const Problem& problem);
/// Needs a minimiser of linear functions over Z.
std::string no_linear_minimum(const Problem& problem);

/// The first property that is missing.
template <class... Checks>
std::string first_missing(const Problem& problem, Checks... checks) {
  std::string why;
  static_cast<void>(((why = checks(problem), why.empty()) && ...));
  return why;
}

}  // namespace fcbio
