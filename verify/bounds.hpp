// Proofs of g* >= ... and f* >= ... from a witness.
#pragma once

#include <string>

#include "claims.hpp"
#include "data/problem.hpp"
#include "minorants.hpp"
#include "region.hpp"

namespace fcbio::verify {

/// The problem as the checker sees it.  Keeps pointers into the problem it was made from.
struct CheckedProblem {
  std::size_t dimension = 0;
  std::vector<TermView> upper;
  std::vector<TermView> lower;
  Region domain;
};

/// Refuses (std::invalid_argument) data whose sizes do not fit together.
CheckedProblem make_problem(const data::Problem& data);

/// Either a proved lower bound, already lowered by the checker's own rounding, or why there is none.
struct Proof {
  Real bound = -kRealInfinity;
  std::string failure;  ///< empty: proved
  bool proved() const { return failure.empty(); }
};

/// g* >= bound.
Proof prove_lower_level(const CheckedProblem& problem, const Claims& claims);
/// f* >= bound.
Proof prove_upper_level(const CheckedProblem& problem, const Claims& claims);

/// f(y) >= bound for every y of Z with g(y) <= tight_level.
Proof prove_value_function(const CheckedProblem& problem, const Claims& claims);

}  // namespace fcbio::verify
