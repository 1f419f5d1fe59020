// Dense symmetric equations.  A facade: Eigen's factorisation takes seconds to compile.
#pragma once

#include <optional>

#include "fcbio/types.hpp"

namespace fcbio {

/// x with matrix x = right, of which the lower triangle is read (L D L' with pivots); empty: it has no factors.
std::optional<Vector> solve_symmetric(const Eigen::MatrixXd& matrix, const Vector& right);

}  // namespace fcbio
