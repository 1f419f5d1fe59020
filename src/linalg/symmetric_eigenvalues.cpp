#include "linalg/symmetric_eigenvalues.hpp"

#include <Eigen/Eigenvalues>

namespace fcbio {
namespace {

using Solver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

}  // namespace

Vector symmetric_eigenvalues(const Eigen::MatrixXd& matrix) {
  return Solver(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

Vector tridiagonal_eigenvalues(VectorIn diagonal, VectorIn below) {
  Solver solver;
  solver.computeFromTridiagonal(diagonal, below, Eigen::EigenvaluesOnly);
  return solver.eigenvalues();
}

}  // namespace fcbio
