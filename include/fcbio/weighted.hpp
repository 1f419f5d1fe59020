// Functions whose summands carry weights w_i >= 0: losses with one for each row of the data, norms with one for each
// coordinate (0 for an intercept that is not to be penalised).
#pragma once

#include "fcbio/function.hpp"

namespace fcbio {

/// sum w_i phi_i(u_i) for a loss sum phi_i(u_i) of loss.hpp.  Refuses max-affine, log-sum-exp and losses written
/// elsewhere, which are not such sums.
FCBIO_EXPORT LossPtr weighted_loss(const LossPtr& loss, Vector weights);
/// 1/2 sum w_j (x_j - c_j)^2
FCBIO_EXPORT Function weighted_squared_norm(Vector centre, Vector weights);
/// sum w_j |x_j - c_j|
FCBIO_EXPORT Function weighted_l1_norm(Vector centre, Vector weights);

}  // namespace fcbio
