// One gradient step onto Z,  next = P_Z(y - a p - b q),  and what it did, in as few sweeps over the vectors as the
// set allows: where Z is the whole space, or a ball that the step clearly does not leave, the projection is the
// identity and everything happens in one; otherwise it is done and looked at.
#pragma once

#include "core/oracle.hpp"
#include "linalg/sweeps.hpp"

namespace fcbio {

class ProjectedDescent {
 public:
  explicit ProjectedDescent(Oracle& oracle) : oracle_(oracle) {}

  /// p and q: the gradients, twice the same where there is one; x: for `carried`.  Counted as a projection.
  StepSums step(VectorIn y, VectorIn p, VectorIn q, VectorIn x, Descent by, double s, VectorOut next);

 private:
  Oracle& oracle_;
};

}  // namespace fcbio
