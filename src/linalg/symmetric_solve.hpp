// Dense symmetric matrices.  A facade: Eigen's factorisations take seconds to compile.
#pragma once

#include <optional>

#include "fcbio/types.hpp"

namespace fcbio {

/// x with matrix x = right, of which the lower triangle is read (L D L' with pivots); empty: it has no factors.
std::optional<Vector> solve_symmetric(const Eigen::MatrixXd& matrix, const Vector& right);

/// The lower triangle of `matrix` <- L with L L' = matrix; whether it has such factors, to rounding.  Real: double or long
/// double.
template <class Real>
bool factor_positive_definite(Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>& matrix);

extern template bool factor_positive_definite(Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>& matrix);
extern template bool factor_positive_definite(Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>& matrix);

}  // namespace fcbio
