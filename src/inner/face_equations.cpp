#include "inner/face_equations.hpp"

#include <Eigen/QR>
#include <cmath>

#include "sets/equations.hpp"

namespace fcbio {
namespace {

constexpr Index kMostFaceNumbers = 1 << 20;  // of all equations, zeros included: more costs more than the solve
constexpr double kIndependent = 1e-10;       // what is left of a row of length 1 that counts
constexpr int kApproaches = 3;
constexpr int kCancellations = 2;  // the second takes away what rounding left of the first

sets::EquationRows in_rows(Index n, const std::vector<sets::Conditions::Equation>& equations,
                           const std::vector<std::size_t>& chosen) {
  sets::EquationRows rows(n);
  for (const std::size_t k : chosen) {
    const sets::Conditions::Equation& equation = equations[k];
    for (Index j = 0; j < equation.row.size(); ++j) {
      if (equation.row[j] == 0.0) continue;
      rows.matrix.columns.push_back(static_cast<std::int32_t>(j));
      rows.matrix.values.push_back(equation.row[j]);
    }
    rows.close(equation.value);
  }
  return rows;
}

}  // namespace

bool FaceEquations::add(const interior::Rows& rows, Index i, double value) {
  Vector row = Vector::Zero(values_.size());
  rows.visit_row(i, [&](Index j, double a) { row[j] += a; });
  equations_.push_back({0, std::move(row), value});
  return static_cast<Index>(equations_.size()) * values_.size() <= kMostFaceNumbers;
}

/// The equations, times their factors, as columns; only variables that are not fixed.
Eigen::MatrixXd FaceEquations::free_columns(const Vector& factors) const {
  std::vector<Index> free;
  for (Index j = 0; j < values_.size(); ++j)
    if (!is_fixed(j)) free.push_back(j);
  Eigen::MatrixXd columns(static_cast<Index>(free.size()), static_cast<Index>(equations_.size()));
  for (Index k = 0; k < columns.cols(); ++k)
    for (Index i = 0; i < columns.rows(); ++i)
      columns(i, k) =
          factors[k] * equations_[static_cast<std::size_t>(k)].row[free[static_cast<std::size_t>(i)]];
  return columns;
}

std::vector<std::size_t> FaceEquations::independent() const {
  std::vector<std::size_t> needed;
  if (equations_.empty()) return needed;
  Vector lengths(static_cast<Index>(equations_.size()));
  for (std::size_t k = 0; k < equations_.size(); ++k) {
    const double length = equations_[k].row.norm();
    lengths[static_cast<Index>(k)] = length > 0.0 ? 1.0 / length : 0.0;
  }
  const Eigen::MatrixXd columns = free_columns(lengths);
  if (columns.size() == 0 || columns.lpNorm<Eigen::Infinity>() <= kIndependent) return needed;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(columns);
  for (Index k = 0; k < std::min(columns.rows(), columns.cols()); ++k)
    if (std::abs(factors.matrixQR()(k, k)) > kIndependent)
      needed.push_back(static_cast<std::size_t>(factors.colsPermutation().indices()[k]));
  return needed;
}

bool FaceEquations::project(Vector& x) const {
  for (Index j = 0; j < x.size(); ++j)
    if (is_fixed(j)) x[j] = values_[j];
  const std::vector<std::size_t> needed = independent();
  if (needed.empty()) return true;
  const sets::Equations equations(in_rows(x.size(), equations_, needed), fixed_);
  if (!(equations.distance(x) < kInfinity)) return false;
  for (int k = 0; k < kApproaches; ++k) equations.approach(x);
  return x.allFinite();
}

void FaceEquations::cancel(Vector& weights, const Vector& sizes) const {
  const Eigen::MatrixXd scaled = free_columns(sizes);
  if (scaled.size() == 0) return;
  const Eigen::MatrixXd plain = free_columns(Vector::Ones(weights.size()));
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors(scaled);
  for (int k = 0; k < kCancellations; ++k)
    weights -= sizes.cwiseProduct(factors.solve(Vector(plain * weights)));
}

}  // namespace fcbio
