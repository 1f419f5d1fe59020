#include "linalg/symmetric_solve.hpp"

#include <Eigen/Cholesky>

namespace fcbio {

std::optional<Vector> solve_symmetric(const Eigen::MatrixXd& matrix, const Vector& right) {
  const Eigen::LDLT<Eigen::MatrixXd, Eigen::Lower> factors(matrix);
  if (factors.info() != Eigen::Success) return std::nullopt;
  return Vector(factors.solve(right));
}

template <class Real>
bool factor_positive_definite(Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>& matrix) {
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  return Eigen::LLT<Eigen::Ref<Matrix>>(matrix).info() == Eigen::Success;
}

template bool factor_positive_definite(Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>& matrix);
template bool factor_positive_definite(Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>& matrix);

}  // namespace fcbio
