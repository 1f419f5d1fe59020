// Several vector operations in one sweep.  A vector of a large problem does not fit into the first cache, so a
// method that takes a difference, two inner products and two norms one after the other waits for memory each time;
// here every vector is read once.  On the calling thread, no allocation; the bits depend on the numbers and the
// length only, not on alignment, processor or compiler.  All vectors of a call have the same length.
#pragma once

#include "fcbio/types.hpp"

namespace fcbio {

/// out <- a p + b q.  `out` may be p or q.
void blend(double a, VectorIn p, double b, VectorIn q, VectorOut out);

/// Whether no number is infinite or NaN.
bool all_finite(VectorIn p);

/// y - a p - b q
struct Descent {
  double a = 0.0, b = 0.0;
};

struct DifferenceSums {
  double squared = 0.0;  ///< <p - s q, p - s q>
  double along = 0.0;    ///< <p - s q, q>
};
DifferenceSums difference_sums(VectorIn p, double s, VectorIn q);

/// What a step from y to next did, m = next - y.
struct StepSums {
  double squared = 0.0;           ///< <m, m>
  double start_squared = 0.0;     ///< <y, y>
  double along_p = 0.0;           ///< <p, m>
  double along_q = 0.0;           ///< <q, m>
  double along_difference = 0.0;  ///< <p - s q, m>
  double carried = 0.0;           ///< <m, next - x>
  double from_centre = 0.0;       ///< <next - c, next - c>
  bool is_descent = true;         ///< next[j] = y[j] - a p[j] - b q[j] for every j, as descend() computes it
};

/// The vectors that go with y.
struct StepVectors {
  Eigen::Ref<const Vector> y, p, q, x, c;
};
/// next <- y - a p - b q, and all the sums.
StepSums descend(const StepVectors& at, Descent by, double s, VectorOut next);
/// The same sums for a given next.
StepSums step_sums(const StepVectors& at, Descent by, double s, VectorIn next);

}  // namespace fcbio
