#include "functions/quadratic_checks.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "fcbio/eigen_sparse.hpp"
#include "functions/check.hpp"
#include "functions/least_eigenvalue.hpp"
#include "linalg/symmetric_eigenvalues.hpp"

namespace fcbio::functions {
namespace {

constexpr double kSymmetryTolerance = 1e-12;
constexpr Index kAllEigenvalues = 500;
constexpr Index kLargestFactored = 2000;
constexpr Index kExtended = 500;  // factorised in long double
constexpr Index kLanczosSteps = 80;
constexpr double kMargin = 4.0;  // over what a proof needs: the checker makes its own and shall not need more
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

[[noreturn]] void refuse_unproved(Index n) {
  refuse(
      kWho, "a matrix whose convexity can be proved",
      std::to_string(n) + " variables and a row in which the diagonal entry is below the sum of the others' sizes",
      "beyond " + std::to_string(kLargestFactored) +
          " variables give a diagonally dominant Q, or its factor A as least-squares data: 1/2 |Ax|^2");
}

/// A diagonal entry below 0, or one that is 0 beside an entry that is not: both are exact.
template <class Matrix>
void require_diagonal(const Matrix& q) {
  for_each_entry(q, [&](Index i, Index j, double value) {
    if (i == j && value < 0.0) refuse_curvature(value, "the diagonal entry of variable " + std::to_string(i));
    if (i != j && value != 0.0 && entry(q, i, i) == 0.0)
      refuse_curvature(0.5 * entry(q, j, j) - std::hypot(0.5 * entry(q, j, j), value),
                       "of the block of variables " + std::to_string(i) + " and " + std::to_string(j));
  });
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
  return tridiagonal_eigenvalues(diagonal.head(done), below.head(done - 1)).minCoeff();
}

/// What is more than rounding: n eps trace(Q).
double tolerance(Index n, double trace) { return static_cast<double>(n) * kEpsilon * trace; }

/// Names negative curvature where samples of Q show it.
template <class Matrix>
void refuse_visible_curvature(const Matrix& q, const LinearMap& map) {
  const double allowance = static_cast<double>(map.cols()) * kEpsilon * std::sqrt(map.norm_bound().squared);
  require_blocks(q, allowance);
  const double smallest = smallest_ritz_value(map);
  if (!(smallest >= -allowance)) refuse_curvature(smallest, "in a direction found by Lanczos steps");
}

/// Gershgorin's circles: the least eigenvalue is at least min over i of q_ii - sum over j != i of |q_ij|.  The
/// sums are formed with the errors of every addition kept, so that rows of small integers are exact.
template <class Matrix>
double gershgorin_bound(const Matrix& q, Index n) {
  Vector sums = Vector::Zero(n), lost = Vector::Zero(n);
  for_each_entry(q, [&](Index i, Index j, double value) {
    const double term = i == j ? value : -std::abs(value);
    if (term == 0.0) return;
    const double total = sums[i] + term, shown = total - sums[i];
    const double error = (sums[i] - (total - shown)) + (term - shown);  // exact (Knuth)
    sums[i] = total;
    lost[i] += error;
    if (error != 0.0) lost[i] -= kEpsilon * (std::abs(lost[i]) + std::abs(error));  // their sum rounds too
  });
  double bound = kInfinity;
  for (Index i = 0; i < n; ++i) {
    const double row = sums[i] + lost[i];
    bound = std::min(bound, lost[i] == 0.0 ? sums[i] : std::nextafter(row, -kInfinity));
  }
  return bound;
}

/// Too large to factorise.
template <class Matrix>
Curvature prove_by_circles(const Matrix& q, const LinearMap& map, Index n, double trace) {
  const double least = gershgorin_bound(q, n);
  if (least >= 0.0) return {least, 0.0};
  if (-least <= tolerance(n, trace)) return {0.0, kMargin * -least};
  refuse_visible_curvature(q, map);
  refuse_unproved(n);
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

Curvature prove_semidefinite(const RowMajorMatrix& q, const LinearMap& map) {
  const Index n = q.rows();
  require_diagonal(q);
  const double trace = q.trace();
  Curvature curvature;
  if (n <= kAllEigenvalues) {
    const Vector eigenvalues = symmetric_eigenvalues(q);
    const double allowance = static_cast<double>(n) * kEpsilon * eigenvalues.cwiseAbs().maxCoeff();
    if (!(eigenvalues.minCoeff() >= -allowance))
      refuse_curvature(eigenvalues.minCoeff(), "its smallest eigenvalue");
    curvature.strong_convexity = std::max(0.0, eigenvalues.minCoeff() - allowance);
  }
  if (const double least = gershgorin_bound(q, n); least >= 0.0) {
    curvature.strong_convexity = std::max(curvature.strong_convexity, least);
    return curvature;
  }
  if (n > kLargestFactored) return prove_by_circles(q, map, n, trace);
  // In double the proof itself needs a few times n eps trace(Q).
  const std::optional<double> least = n <= kExtended
                                          ? least_eigenvalue_bound<long double>(q, tolerance(n, trace))
                                          : least_eigenvalue_bound<double>(q, 16.0 * tolerance(n + 2, trace));
  if (!least) {
    if (n > kAllEigenvalues) refuse_visible_curvature(q, map);
    const double smallest = symmetric_eigenvalues(q).minCoeff();
    refuse_curvature(smallest, "its smallest eigenvalue");
  }
  curvature.concavity = kMargin * std::max(0.0, -*least);
  return curvature;
}

Curvature prove_semidefinite(const CsrMatrix& q, const LinearMap& map) {
  require_diagonal(q);
  if (q.rows > kLargestFactored) {
    double trace = 0.0;
    for (Index i = 0; i < q.rows; ++i) trace += entry(q, i, i);
    return prove_by_circles(q, map, q.rows, trace);
  }
  RowMajorMatrix dense = RowMajorMatrix::Zero(q.rows, q.cols);
  for_each_entry(q, [&](Index i, Index j, double value) { dense(i, j) = value; });
  return prove_semidefinite(dense, map);
}

}  // namespace fcbio::functions
