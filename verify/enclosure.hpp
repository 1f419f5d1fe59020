// Where the solutions are, for a set without end and without a told radius (docs/certificates.md, section 4).
#pragma once

#include "bounds.hpp"

namespace fcbio::verify {

/// No solution is further than this from 0, in a whole space from the start; or why that is not proved.
struct Enclosure {
  Real radius = kRealInfinity;
  std::string failure;  ///< empty: proved
  bool proved() const { return failure.empty(); }
};
Enclosure prove_enclosure(const CheckedProblem& problem, const ClaimedRegion& claimed);

/// From now on the region counts as lying in that ball.
void restrict_to(Region& region, Real radius);

}  // namespace fcbio::verify
