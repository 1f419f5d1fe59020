#include "interior/face.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/pivoted_qr.hpp"

namespace fcbio::interior {
namespace {

constexpr Index kMostFaceNumbers = 1 << 20;  // of all equations, zeros included: more costs more than the solve
constexpr double kIndependent = 1e-10;       // what is left of a row of length 1 that counts
// Corrections of a point on a face: each takes away all but 1e-6 or so of what misses, of which residuals in extended
// precision know every digit.
constexpr int kCorrections = 4;
constexpr double kMostMissing = 1e-9;  // of the sizes involved, by which a point on a face may miss it
constexpr int kCancellations = 2;      // the second takes away what rounding left of the first

}  // namespace

bool Face::add(const Rows& rows, Index i, double value) {
  Vector row = Vector::Zero(values_.size());
  rows.visit_row(i, [&](Index j, double a) { row[j] += a; });
  equations_.push_back({std::move(row), value});
  return static_cast<Index>(equations_.size()) * values_.size() <= kMostFaceNumbers;
}

/// The equations, times their factors, as columns; only variables that are not fixed.
Eigen::MatrixXd Face::free_columns(const Vector& factors) const {
  std::vector<Index> free;
  for (Index j = 0; j < values_.size(); ++j)
    if (!is_fixed(j)) free.push_back(j);
  Eigen::MatrixXd columns(static_cast<Index>(free.size()), static_cast<Index>(equations_.size()));
  for (Index k = 0; k < columns.cols(); ++k)
    columns.col(k) = factors[k] * equations_[static_cast<std::size_t>(k)].row(free);
  return columns;
}

Vector Face::inverse_lengths() const {
  return Vector::NullaryExpr(static_cast<Index>(equations_.size()), [this](Index k) {
    const double length = equations_[static_cast<std::size_t>(k)].row.norm();
    return length > 0.0 ? 1.0 / length : 0.0;
  });
}

std::vector<Index> Face::independent() const {
  std::vector<Index> needed;
  const Eigen::MatrixXd columns = free_columns(inverse_lengths());
  if (columns.size() == 0 || columns.lpNorm<Eigen::Infinity>() <= kIndependent) return needed;
  const PivotedQr<double> factors(columns);
  for (Index k = 0; k < std::min(columns.rows(), columns.cols()); ++k)
    if (std::abs(factors.diagonal(k)) > kIndependent) needed.push_back(factors.pivot(k));
  return needed;
}

bool Face::project(Vector& x) const {
  std::vector<Index> free;
  for (Index j = 0; j < x.size(); ++j) {
    if (is_fixed(j))
      x[j] = values_[j];
    else
      free.push_back(j);
  }
  const std::vector<Index> needed = independent();
  const Vector factors = inverse_lengths();
  const auto count = static_cast<Index>(needed.size());
  Eigen::MatrixXd columns(static_cast<Index>(free.size()), count);
  for (Index k = 0; k < count; ++k) {
    const Index at = needed[static_cast<std::size_t>(k)];
    columns.col(k) = factors[at] * equations_[static_cast<std::size_t>(at)].row(free);
  }
  const auto missing = [&](Index at) {
    const Equation& equation = equations_[static_cast<std::size_t>(at)];
    long double left = equation.value;
    for (Index j = 0; j < x.size(); ++j)
      left -= static_cast<long double>(equation.row[j]) * static_cast<long double>(x[j]);
    return static_cast<double>(left) * factors[at];
  };
  if (count > 0) {
    // The nearest solution of R'Q'x = r: x = Q R^{-T} r.
    const PivotedQr<double> qr(columns);
    const Eigen::MatrixXd basis = qr.basis(count);
    for (int k = 0; k < kCorrections; ++k) {
      Vector right = Vector::NullaryExpr(
          count, [&](Index i) { return missing(needed[static_cast<std::size_t>(qr.pivot(i))]); });
      qr.solve_transposed(count, right);
      const Vector step = basis * right;
      for (std::size_t i = 0; i < free.size(); ++i) x[free[i]] += step[static_cast<Index>(i)];
    }
  }
  if (!x.allFinite()) return false;
  const double most = kMostMissing * (1.0 + (x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0));
  for (Index k = 0; k < static_cast<Index>(equations_.size()); ++k)
    if (std::abs(missing(k)) > most) return false;
  return true;
}

void Face::cancel(Vector& weights, const Vector& sizes) const {
  const Eigen::MatrixXd scaled = free_columns(sizes);
  if (scaled.size() == 0) return;
  const Eigen::MatrixXd plain = free_columns(Vector::Ones(weights.size()));
  const MinimumNormSolver factors(scaled);
  for (int k = 0; k < kCancellations; ++k)
    weights -= sizes.cwiseProduct(factors.solve(Vector(plain * weights)));
}

}  // namespace fcbio::interior
