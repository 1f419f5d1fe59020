#include "sets/equations.hpp"

#include <Eigen/QR>
#include <numeric>

namespace fcbio::sets {
namespace {

constexpr double kFarFromParallel = 1e-6;        // |E| in double precision up to which no more is needed
constexpr Extended kDependent = 0x1p-58L;        // what is left of a row of norm 1 that counts as rounding
constexpr Extended kShortCoefficient = 0x1p8L;   // coefficients of exact dependences are multiples of 1/256
constexpr double kMostExtendedOperations = 3e8;  // of a factorisation in extended precision
constexpr double kMostNumbers = 0x1p24;         // of a matrix, zeros included

/// a b without rounding, as the sum of four numbers: a double has 53 bits, its halves 27, products of halves 54.
void add_exact_product(double a, double b, ExtendedSum& sum) {
  const auto halves = [](double x) {
    const auto high = static_cast<double>(static_cast<float>(x));
    return std::pair<Extended, Extended>(high, x - high);
  };
  const auto [a1, a2] = halves(a);
  const auto [b1, b2] = halves(b);
  sum.add(a1 * b1);
  sum.add(a1 * b2);
  sum.add(a2 * b1);
  sum.add(a2 * b2);
}

/// A sum that knows whether it is exact.
class ExactSum {
 public:
  void add_product(Extended a, Extended b) {
    const Extended product = a * b;
    exact_ = exact_ && std::fma(a, b, -product) == 0;
    const Extended total = sum_ + product;
    const Extended kept = total - sum_;
    exact_ = exact_ && (sum_ - (total - kept)) + (product - kept) == 0;
    sum_ = total;
  }
  bool is_zero() const { return exact_ && sum_ == 0; }

 private:
  Extended sum_ = 0;
  bool exact_ = true;
};

}  // namespace

bool Equations::is_small(Index dimension, Index count) {
  return static_cast<double>(dimension) * static_cast<double>(count) <= kMostNumbers;
}

Equations::Equations(Index dimension, const std::vector<Conditions::Equation>& equations,
                     const std::vector<bool>& fixed) {
  if (!is_small(dimension, static_cast<Index>(equations.size()))) {
    values_.assign(1, kUnknown);  // not empty, and the factor stays infinite
    return;
  }
  matrix_ = Matrix::Zero(static_cast<Index>(equations.size()), dimension);
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const auto& [first, row, value] = equations[i];
    const double largest = row.cwiseAbs().maxCoeff();
    const int exponent = largest > 0.0 ? -std::ilogb(largest) : 0;
    for (Index j = 0; j < row.size(); ++j)
      matrix_(static_cast<Index>(i), first + j) = std::ldexp(row[j], exponent);
    values_.push_back(std::ldexp(value, exponent));
  }
  const double count = static_cast<double>(values_.size());
  if (empty() || invert_in_double(fixed) ||
      static_cast<double>(dimension) * count * count > kMostExtendedOperations)
    return;
  if (find_inverse(fixed)) bound_inverse();
}

/// Enough for equations that are far from parallel, and quick for many of them.
bool Equations::invert_in_double(const std::vector<bool>& fixed) {
  Eigen::MatrixXd rows = matrix_.cast<double>();  // exact: the numbers are doubles
  for (Index j = 0; j < rows.cols(); ++j)
    if (fixed[static_cast<std::size_t>(j)]) rows.col(j).setZero();
  if (rows.rows() > rows.cols()) return false;
  const Eigen::HouseholderQR<Eigen::MatrixXd> factors(rows.transpose());
  const Eigen::MatrixXd triangle = factors.matrixQR().topRows(rows.rows()).triangularView<Eigen::Upper>();
  const Eigen::MatrixXd basis = factors.householderQ() * Eigen::MatrixXd::Identity(rows.cols(), rows.rows());
  const Eigen::MatrixXd inverse = triangle.triangularView<Eigen::Upper>().solve(basis.transpose()).transpose();
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
  Eigen::ColPivHouseholderQR<Matrix> factors(free);
  factors.setThreshold(kDependent);
  const Index rank = factors.rank();
  if (rank == 0) return false;
  const Matrix basis = factors.householderQ() * Matrix::Identity(n, rank);
  const Matrix triangle = factors.matrixR().topLeftCorner(rank, rank).template triangularView<Eigen::Upper>();
  std::vector<Index> kept;
  for (Index k = 0; k < rank; ++k) kept.push_back(factors.colsPermutation().indices()[k]);

  if (rank < count) {
    const Matrix others = factors.matrixR().topRightCorner(rank, count - rank);
    const Matrix coefficients = triangle.template triangularView<Eigen::Upper>().solve(others);
    for (Index k = rank; k < count; ++k)
      if (!depends_exactly(factors.colsPermutation().indices()[k], kept, coefficients.col(k - rank))) return false;
    Matrix rows(rank, n);
    std::vector<double> values;
    for (Index k = 0; k < rank; ++k) {
      rows.row(k) = matrix_.row(kept[static_cast<std::size_t>(k)]);
      values.push_back(values_[static_cast<std::size_t>(kept[static_cast<std::size_t>(k)])]);
    }
    matrix_ = std::move(rows);
    values_ = std::move(values);
    std::iota(kept.begin(), kept.end(), Index{0});
  }
  // The rows of M_free in the order of the pivots are R'Q', so X = Q R^{-T} for them.
  const Matrix pivoted = triangle.template triangularView<Eigen::Upper>().solve(basis.transpose()).transpose();
  inverse_.resize(n, rank);
  for (Index k = 0; k < rank; ++k) inverse_.col(kept[static_cast<std::size_t>(k)]) = pivoted.col(k);
  return true;
}

bool Equations::depends_exactly(Index row, const std::vector<Index>& kept, const Matrix& coefficients) const {
  std::vector<Extended> rounded;
  for (Index k = 0; k < coefficients.rows(); ++k)
    rounded.push_back(std::round(coefficients(k, 0) * kShortCoefficient) / kShortCoefficient);
  const auto vanishes = [&](const auto& entry) {
    ExactSum sum;
    sum.add_product(-1, entry(row));
    for (std::size_t k = 0; k < kept.size(); ++k) sum.add_product(rounded[k], entry(kept[k]));
    return sum.is_zero();
  };
  for (Index j = 0; j < matrix_.cols(); ++j)
    if (!vanishes([&](Index i) { return matrix_(i, j); })) return false;
  return vanishes([&](Index i) { return Extended{values_[static_cast<std::size_t>(i)]}; });
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
  ExtendedSum sum;
  sum.add(values_[static_cast<std::size_t>(row)]);
  for (Index j = 0; j < x.size(); ++j) {
    const auto entry = static_cast<double>(matrix_(row, j));
    if (entry != 0.0) add_exact_product(-entry, x[j], sum);
  }
  // All summands are exact: what is lost is one rounding of the sum and the second-order rest.
  error = kExtendedEpsilon *
          (std::abs(sum.value()) + 8 * static_cast<Extended>(x.size() + 2) * kExtendedEpsilon * sum.size());
  return sum.value();
}

double Equations::distance(VectorIn x) const {
  if (empty()) return 0.0;
  if (matrix_.rows() == 0) return kInfinity;  // too many to be looked at
  Extended square = 0;
  for (Index i = 0; i < matrix_.rows(); ++i) {
    Extended error = 0;
    const Extended off = std::abs(residual(i, x, error)) + error;
    square += off * off;
  }
  return square == 0 ? 0.0 : rounded_up(factor_ * std::sqrt(square) * (1 + 1e-9L));
}

void Equations::approach(VectorOut x) const {
  if (inverse_.size() == 0) return;
  Eigen::Matrix<Extended, Eigen::Dynamic, 1> off(matrix_.rows());
  Extended error = 0;
  for (Index i = 0; i < matrix_.rows(); ++i) off[i] = residual(i, x, error);
  x = (x.cast<Extended>() + inverse_ * off).cast<double>();
}

void Equations::flatten(VectorOut d) const {
  if (inverse_.size() == 0) return;
  d -= (inverse_ * (matrix_ * d.cast<Extended>())).cast<double>();
}

}  // namespace fcbio::sets
