#include "functions/quadratic_checks.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <random>

#include "functions/check.hpp"

namespace fcbio::functions {
namespace {

constexpr double kSymmetryTolerance = 1e-12;
constexpr Index kAllEigenvalues = 500;
constexpr Index kCholesky = 2000;
constexpr Index kLanczosSteps = 80;
const std::string kWho = "quadratic";

void require_square(Index rows, Index cols) {
  if (rows != cols) refuse(kWho, "a square matrix", shape_text(rows, cols), "give Q with one row per variable");
}

// One view of both storages: visit(row, col, value) for every stored entry.
template <class Visit>
void for_each_entry(const RowMajorMatrix& q, Visit visit) {
  for (Index i = 0; i < q.rows(); ++i) {
    for (Index j = 0; j < q.cols(); ++j) visit(i, j, q(i, j));
  }
}
template <class Visit>
void for_each_entry(const CsrMatrix& q, Visit visit) {
  for (Index i = 0; i < q.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (auto k = static_cast<std::size_t>(q.starts[row]); k < static_cast<std::size_t>(q.starts[row + 1]); ++k) {
      visit(i, static_cast<Index>(q.columns[k]), q.values[k]);
    }
  }
}

double entry(const RowMajorMatrix& q, Index i, Index j) { return q(i, j); }
double entry(const CsrMatrix& q, Index i, Index j) {
  const auto row = static_cast<std::size_t>(i);
  const auto begin = q.columns.begin() + q.starts[row];
  const auto end = q.columns.begin() + q.starts[row + 1];
  const auto found = std::lower_bound(begin, end, static_cast<std::int32_t>(j));
  if (found == end || *found != j) return 0.0;
  return q.values[static_cast<std::size_t>(found - q.columns.begin())];
}

std::string place_text(Index i, Index j, double value) {
  std::string text = number_text(value);
  text.append(" at (").append(std::to_string(i)).append(", ").append(std::to_string(j)).append(")");
  return text;
}

/// Refuses what is not symmetric; true where it is symmetric to the bit.
template <class Matrix>
bool require_symmetric(const Matrix& q) {
  double largest = 0.0;
  for_each_entry(q, [&](Index, Index, double value) { largest = std::max(largest, std::abs(value)); });
  bool exact = true;
  for_each_entry(q, [&](Index i, Index j, double value) {
    const double mirror = entry(q, j, i);
    if (value == mirror) return;
    exact = false;
    if (std::abs(value - mirror) <= kSymmetryTolerance * largest) return;
    refuse(kWho, "a symmetric matrix", place_text(i, j, value) + " and " + place_text(j, i, mirror),
           "give (Q + Q')/2, which has the same quadratic form");
  });
  return exact;
}

[[noreturn]] void refuse_curvature(double curvature, const std::string& what) {
  refuse(kWho, "a positive semidefinite matrix",
         "the negative curvature " + number_text(curvature) + " (" + what + ")",
         "check the signs of Q: the function is not convex");
}

double decide_by_eigenvalues(const RowMajorMatrix& q) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(q, Eigen::EigenvaluesOnly);
  const Vector& eigenvalues = solver.eigenvalues();
  const double allowance = static_cast<double>(q.rows()) * kEpsilon * eigenvalues.cwiseAbs().maxCoeff();
  const double smallest = eigenvalues.minCoeff();
  if (!(smallest >= -allowance)) refuse_curvature(smallest, "its smallest eigenvalue");
  return std::max(0.0, smallest - allowance);
}

/// Every 2 x 2 diagonal block [a c; c b] with a stored c, and every diagonal entry by itself.
template <class Matrix>
void require_blocks(const Matrix& q, double allowance) {
  for_each_entry(q, [&](Index i, Index j, double value) {
    const double a = entry(q, i, i);
    const double b = entry(q, j, j);
    const double smallest = i == j ? value : 0.5 * (a + b) - std::hypot(0.5 * (a - b), value);
    if (!(smallest >= -allowance)) {
      refuse_curvature(smallest, "of the block of variables " + std::to_string(i) + " and " + std::to_string(j));
    }
  });
}

/// Smallest Ritz value of Q on the Krylov space of a seeded start.
double smallest_ritz_value(const LinearMap& map) {
  const Index n = map.cols();
  const Index steps = std::min(n, kLanczosSteps);
  Eigen::MatrixXd basis(n, steps);
  Vector diagonal = Vector::Zero(steps);
  Vector below = Vector::Zero(steps);
  Vector next(n);
  std::mt19937_64 generator(1);
  for (Index i = 0; i < n; ++i) next[i] = std::ldexp(static_cast<double>(generator() >> 11), -53) - 0.5;

  Index done = 0;
  double length = next.norm();
  double scale = 0.0;
  while (done < steps && length > 1e-12 * scale) {
    basis.col(done) = next / length;
    if (done > 0) below[done - 1] = length;
    map.apply(basis.col(done), next);
    diagonal[done] = basis.col(done).dot(next);
    ++done;
    for (int sweep = 0; sweep < 2; ++sweep) {
      next -= basis.leftCols(done) * (basis.leftCols(done).transpose() * next).eval();
    }
    length = next.norm();
    scale = std::max({scale, length, std::abs(diagonal[done - 1])});
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz;
  ritz.computeFromTridiagonal(diagonal.head(done), below.head(done - 1), Eigen::EigenvaluesOnly);
  return ritz.eigenvalues().minCoeff();
}

template <class Matrix>
double require_large_semidefinite(const Matrix& q, const LinearMap& map) {
  const double allowance = static_cast<double>(map.cols()) * kEpsilon * std::sqrt(map.norm_bound().squared);
  require_blocks(q, allowance);
  const double smallest = smallest_ritz_value(map);
  if (!(smallest >= -allowance)) refuse_curvature(smallest, "in a direction found by Lanczos steps");
  return 0.0;
}

}  // namespace

RowMajorMatrix checked_symmetric(RowMajorMatrix q) {
  require_square(q.rows(), q.cols());
  if (!require_symmetric(q)) q = (0.5 * (q + q.transpose())).eval();
  return q;
}

CsrMatrix checked_symmetric(CsrMatrix q) {
  require_square(q.rows, q.cols);
  if (require_symmetric(q)) return q;
  std::vector<Eigen::Triplet<double>> halves;
  halves.reserve(2 * q.values.size());
  for_each_entry(q, [&](Index i, Index j, double value) {
    halves.emplace_back(static_cast<int>(i), static_cast<int>(j), 0.5 * value);
    halves.emplace_back(static_cast<int>(j), static_cast<int>(i), 0.5 * value);
  });
  Eigen::SparseMatrix<double, Eigen::RowMajor> sum(q.rows, q.cols);
  sum.setFromTriplets(halves.begin(), halves.end());
  return to_csr(sum);
}

double require_semidefinite(const RowMajorMatrix& q, const LinearMap& map) {
  const Index n = q.rows();
  if (n <= kAllEigenvalues) return decide_by_eigenvalues(q);
  if (n > kCholesky) return require_large_semidefinite(q, map);
  Eigen::MatrixXd shifted = q;
  shifted.diagonal().array() += static_cast<double>(n) * kEpsilon * std::sqrt(map.norm_bound().squared);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(shifted);
  return factor.info() == Eigen::Success ? 0.0 : decide_by_eigenvalues(q);
}

double require_semidefinite(const CsrMatrix& q, const LinearMap& map) {
  if (q.rows > kCholesky) return require_large_semidefinite(q, map);
  RowMajorMatrix dense = RowMajorMatrix::Zero(q.rows, q.cols);
  for_each_entry(q, [&](Index i, Index j, double value) { dense(i, j) = value; });
  return require_semidefinite(dense, map);
}

}  // namespace fcbio::functions
