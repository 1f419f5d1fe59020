// A problem made to hurt, with its answer.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "data/problem.hpp"
#include "exact.hpp"

namespace fcbio::adversary {

/// What is known exactly.  An empty number is not known, and nothing is judged by it.
struct Truth {
  std::optional<Exact> lower;  ///< g*
  std::optional<Exact> upper;  ///< f*
  /// min f over the points of Z with g <= level; null: not known.
  std::function<Exact(const Exact& level)> value_function;
  /// No point is within 1e-6 of Z's size of all of its members: nothing may be certified.
  bool empty = false;
};

struct HostileProblem {
  std::string kind;
  std::string note;  ///< which shape or variant, for the reader of a failure
  data::Problem data;
  Truth truth;
};

}  // namespace fcbio::adversary
