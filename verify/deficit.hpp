// Proofs of f(x) - f* >= -deficit, by a told or a computed error bound of g (error_bound.hpp).
#pragma once

#include "bounds.hpp"
#include "checker.hpp"

namespace fcbio::verify {

/// Either a proved number with f(x) - f* >= -deficit, or why there is none.
struct Deficit {
  Real deficit = kRealInfinity;
  std::string failure;  ///< empty: proved
  bool proved() const { return failure.empty(); }
};

/// `told`: the error bound of the problem file; `lower`: what proves g* >= bound.  The claims it rests on
/// (constants, and where the nearest minimiser lies) become lines of the report.  x must be a point of the
/// problem.
Deficit prove_deficit(const CheckedProblem& problem, const Claims& claims, const std::optional<HolderBound>& told,
                      const Proof& lower, std::vector<Line>& lines);

}  // namespace fcbio::verify
