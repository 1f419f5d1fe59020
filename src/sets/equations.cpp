#include "sets/equations.hpp"

#include <numeric>

#include "linalg/pivoted_qr.hpp"

namespace fcbio::sets {
namespace {

constexpr double kFarFromParallel = 1e-6;        // |E| in double precision up to which no more is needed
constexpr Extended kDependent = 0x1p-58L;        // what is left of a row of norm 1 that counts as rounding
constexpr Extended kShortCoefficient = 0x1p8L;   // coefficients of exact dependences are multiples of 1/256
constexpr double kMostExtendedOperations = 3e8;  // of a factorisation in extended precision
constexpr double kMostNumbers = 0x1p24;          // of a dense matrix, zeros included

}  // namespace

Equations::Equations(EquationRows rows, const std::vector<bool>& fixed) : rows_(std::move(rows)) {
  if (empty()) return;
  CsrMatrix& csr = rows_.matrix;
  for (std::size_t i = 0; i < rows_.values.size(); ++i) {
    double largest = 0.0;
    for (auto k = static_cast<std::size_t>(csr.starts[i]); k < static_cast<std::size_t>(csr.starts[i + 1]); ++k)
      largest = std::max(largest, std::abs(csr.values[k]));
    const int exponent = largest > 0.0 ? -std::ilogb(largest) : 0;
    for (auto k = static_cast<std::size_t>(csr.starts[i]); k < static_cast<std::size_t>(csr.starts[i + 1]); ++k)
      csr.values[k] = std::ldexp(csr.values[k], exponent);
    rows_.values[i] = std::ldexp(rows_.values[i], exponent);
  }
  const auto dimension = static_cast<double>(csr.cols), count = static_cast<double>(csr.rows);
  if (dimension * count * count > kMostExtendedOperations)
    sparse_ = SparseEquations::make(csr, rows_.values, fixed);
  if (sparse_ || dimension * count > kMostNumbers) return;
  matrix_ = Matrix::Zero(csr.rows, csr.cols);
  for (Index i = 0; i < csr.rows; ++i)
    for (auto k = csr.starts[static_cast<std::size_t>(i)]; k < csr.starts[static_cast<std::size_t>(i) + 1]; ++k)
      matrix_(i, csr.columns[static_cast<std::size_t>(k)]) += csr.values[static_cast<std::size_t>(k)];
  kept_.resize(static_cast<std::size_t>(csr.rows));
  std::iota(kept_.begin(), kept_.end(), Index{0});
  if (invert_in_double(fixed) || dimension * count * count > kMostExtendedOperations) return;
  if (!find_inverse(fixed)) return;
  for (Index j = 0; j < inverse_.rows(); ++j)
    if (fixed[static_cast<std::size_t>(j)]) inverse_.row(j).setZero();  // but for rounding they are 0
  bound_inverse();
}

/// Enough for equations that are far from parallel, and quick for many of them.
bool Equations::invert_in_double(const std::vector<bool>& fixed) {
  Eigen::MatrixXd rows = matrix_.cast<double>();  // exact: the numbers are doubles
  for (Index j = 0; j < rows.cols(); ++j)
    if (fixed[static_cast<std::size_t>(j)]) rows.col(j).setZero();
  if (rows.rows() > rows.cols()) return false;
  Eigen::MatrixXd inverse = right_inverse(rows);
  for (Index j = 0; j < inverse.rows(); ++j)
    if (fixed[static_cast<std::size_t>(j)]) inverse.row(j).setZero();  // but for rounding they are 0
  Eigen::MatrixXd off = rows * inverse;
  off.diagonal().array() -= 1.0;
  const double sums =
      static_cast<double>(rows.cols() + 8) * kEpsilon;  // what sums of products may lose, relatively
  const double most = off.norm() * (1.0 + 1e-9) + sums * rows.norm() * inverse.norm();
  if (!(most < kFarFromParallel)) return false;
  inverse_ = inverse.cast<Extended>();
  factor_ = inverse.norm() * (1 + 1e-6L + 1000 * Extended{most});
  return true;
}

bool Equations::find_inverse(const std::vector<bool>& fixed) {
  const Index n = matrix_.cols(), count = matrix_.rows();
  Matrix free = matrix_.transpose();  // columns are equations
  for (Index j = 0; j < n; ++j)
    if (fixed[static_cast<std::size_t>(j)]) free.row(j).setZero();
  PivotedQr<Extended> factors(free);
  const Index rank = factors.rank(kDependent);
  if (rank == 0) return false;
  std::vector<Index> kept;
  for (Index k = 0; k < rank; ++k) kept.push_back(factors.pivot(k));

  if (rank < count) {
    const Matrix coefficients = factors.dependences(rank);
    for (Index k = rank; k < count; ++k)
      if (!depends_exactly(factors.pivot(k), kept, coefficients.col(k - rank))) return false;
    Matrix rows(rank, n);
    for (Index k = 0; k < rank; ++k) rows.row(k) = matrix_.row(kept[static_cast<std::size_t>(k)]);
    matrix_ = std::move(rows);
    kept_ = kept;
    std::iota(kept.begin(), kept.end(), Index{0});
  }
  // The rows of M_free in the order of the pivots are R'Q', so X = Q R^{-T} for them.
  const Matrix pivoted = factors.right_inverse(rank);
  inverse_.resize(n, rank);
  for (Index k = 0; k < rank; ++k) inverse_.col(kept[static_cast<std::size_t>(k)]) = pivoted.col(k);
  return true;
}

bool Equations::depends_exactly(Index row, const std::vector<Index>& kept, const Matrix& coefficients) const {
  std::vector<Extended> factors, numbers(kept.size() + 1);
  for (Index k = 0; k < coefficients.rows(); ++k)
    factors.push_back(std::round(coefficients(k, 0) * kShortCoefficient) / kShortCoefficient);
  factors.push_back(-1);
  const auto vanishes = [&](const auto& entry) {
    for (std::size_t k = 0; k < kept.size(); ++k) numbers[k] = entry(kept[k]);
    numbers.back() = entry(row);
    return vanishes_without_rounding(factors, numbers);
  };
  for (Index j = 0; j < matrix_.cols(); ++j)
    if (!vanishes([&](Index i) { return matrix_(i, j); })) return false;
  return vanishes([&](Index i) { return Extended{rows_.values[static_cast<std::size_t>(i)]}; });
}

void Equations::bound_inverse() {
  Extended square = 0;  // of |E|
  for (Index i = 0; i < matrix_.rows(); ++i) {
    for (Index k = 0; k < inverse_.cols(); ++k) {
      ExtendedSum entry;
      for (Index j = 0; j < matrix_.cols(); ++j) entry.add_product(matrix_(i, j), inverse_(j, k));
      if (i == k) entry.add(-1);
      const Extended most = std::abs(entry.value()) + entry.error();
      square += most * most;
    }
  }
  const Extended slack = 1 + 1e-9L;  // more than the sums of squares can lose
  const Extended off = std::sqrt(square) * slack;
  // Another X, found in another way, may have a larger E: where E is not small, no digit of the factor is safe.
  if (off < 0.5L) factor_ = inverse_.norm() * (1 + 1e-6L + std::min<Extended>(1, 1000 * off)) / (1 - off);
}

Extended Equations::residual(Index row, VectorIn x, Extended& error) const {
  const auto i = static_cast<std::size_t>(kept_[static_cast<std::size_t>(row)]);
  const CsrMatrix& csr = rows_.matrix;
  const auto begin = csr.starts[i], length = csr.starts[i + 1] - begin;
  return exact_residual(rows_.values[i], {csr.columns.data() + begin, static_cast<std::size_t>(length)},
                        {csr.values.data() + begin, static_cast<std::size_t>(length)}, x, error);
}

double Equations::distance(VectorIn x) const {
  if (empty()) return 0.0;
  if (holds_exactly(x)) return 0.0;
  if (sparse_) return sparse_->distance(x);
  if (matrix_.rows() == 0) return kInfinity;  // too many to be looked at
  Extended square = 0;
  for (Index i = 0; i < matrix_.rows(); ++i) {
    Extended error = 0;
    const Extended off = std::abs(residual(i, x, error)) + error;
    square += off * off;
  }
  return square == 0 ? 0.0 : rounded_up(factor_ * std::sqrt(square) * (1 + 1e-9L));
}

bool Equations::holds_exactly(VectorIn x) const {
  const CsrMatrix& csr = rows_.matrix;
  std::vector<Extended> factors, numbers;
  for (std::size_t i = 0; i < rows_.values.size(); ++i) {
    factors.assign(1, -1);
    numbers.assign(1, rows_.values[i]);
    for (auto k = static_cast<std::size_t>(csr.starts[i]); k < static_cast<std::size_t>(csr.starts[i + 1]); ++k) {
      factors.push_back(csr.values[k]);
      numbers.push_back(x[csr.columns[k]]);
    }
    if (!vanishes_without_rounding(factors, numbers)) return false;
  }
  return true;
}

void Equations::approach(VectorOut x) const {
  if (sparse_) sparse_->approach(x);
  if (inverse_.size() == 0) return;
  Eigen::Matrix<Extended, Eigen::Dynamic, 1> off(matrix_.rows());
  Extended error = 0;
  for (Index i = 0; i < matrix_.rows(); ++i) off[i] = residual(i, x, error);
  x = (x.cast<Extended>() + inverse_ * off).cast<double>();
}

void Equations::flatten(VectorOut d) const {
  if (sparse_) sparse_->flatten(d);
  if (inverse_.size() == 0) return;
  d -= (inverse_ * (matrix_ * d.cast<Extended>())).cast<double>();
}

}  // namespace fcbio::sets
