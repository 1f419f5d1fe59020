#include "linalg/pivoted_qr.hpp"

#include <Eigen/QR>

namespace fcbio {
namespace {

/// Q R^{-T}
template <class Matrix>
Matrix times_inverse_transposed(const Matrix& basis, const Matrix& triangle) {
  return triangle.template triangularView<Eigen::Upper>().solve(basis.transpose()).transpose();
}

}  // namespace

template <class Real>
struct PivotedQr<Real>::Factors {
  Eigen::ColPivHouseholderQR<Matrix> qr;
};

template <class Real>
PivotedQr<Real>::PivotedQr(const Matrix& columns)
    : factors_(new Factors{Eigen::ColPivHouseholderQR<Matrix>(columns)}) {}

template <class Real>
PivotedQr<Real>::~PivotedQr() = default;

template <class Real>
Index PivotedQr<Real>::rank(Real threshold) {
  return factors_->qr.setThreshold(threshold).rank();
}

template <class Real>
Index PivotedQr<Real>::pivot(Index k) const {
  return factors_->qr.colsPermutation().indices()[k];
}

template <class Real>
Real PivotedQr<Real>::diagonal(Index k) const {
  return factors_->qr.matrixQR()(k, k);
}

template <class Real>
auto PivotedQr<Real>::basis(Index rank) const -> Matrix {
  const auto& qr = factors_->qr;
  return qr.householderQ() * Matrix::Identity(qr.rows(), rank);
}

template <class Real>
auto PivotedQr<Real>::triangle(Index rank) const -> Matrix {
  return factors_->qr.matrixR().topLeftCorner(rank, rank).template triangularView<Eigen::Upper>();
}

template <class Real>
auto PivotedQr<Real>::dependences(Index rank) const -> Matrix {
  const auto& qr = factors_->qr;
  const Matrix others = qr.matrixR().topRightCorner(rank, qr.cols() - rank);
  return triangle(rank).template triangularView<Eigen::Upper>().solve(others);
}

template <class Real>
auto PivotedQr<Real>::right_inverse(Index rank) const -> Matrix {
  return times_inverse_transposed<Matrix>(basis(rank), triangle(rank));
}

template <class Real>
void PivotedQr<Real>::solve_transposed(Index rank, Column& x) const {
  const auto& triangle = factors_->qr.matrixR().topLeftCorner(rank, rank);
  triangle.template triangularView<Eigen::Upper>().transpose().solveInPlace(x);
}

template class PivotedQr<double>;
template class PivotedQr<long double>;

struct MinimumNormSolver::Factors {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> of;
};

MinimumNormSolver::MinimumNormSolver(const Eigen::MatrixXd& a)
    : factors_(std::make_unique<Factors>(Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(a))) {}
MinimumNormSolver::~MinimumNormSolver() = default;
Vector MinimumNormSolver::solve(const Vector& b) const { return factors_->of.solve(b); }

Eigen::MatrixXd right_inverse(const Eigen::MatrixXd& rows) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> factors(rows.transpose());
  const Eigen::MatrixXd triangle = factors.matrixQR().topRows(rows.rows()).triangularView<Eigen::Upper>();
  const Eigen::MatrixXd basis = factors.householderQ() * Eigen::MatrixXd::Identity(rows.cols(), rows.rows());
  return times_inverse_transposed(basis, triangle);
}

}  // namespace fcbio
