#include "linalg/symmetric_solve.hpp"

#include <Eigen/Cholesky>

namespace fcbio {

std::optional<Vector> solve_symmetric(const Eigen::MatrixXd& matrix, const Vector& right) {
  const Eigen::LDLT<Eigen::MatrixXd, Eigen::Lower> factors(matrix);
  if (factors.info() != Eigen::Success) return std::nullopt;
  return Vector(factors.solve(right));
}

}  // namespace fcbio
