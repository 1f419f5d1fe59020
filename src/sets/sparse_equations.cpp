#include "sets/sparse_equations.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fcbio::sets {
namespace {

constexpr double kMostFactorNumbers = 0x1p25;
constexpr double kMostFactorOperations = 1e10;
constexpr double kMostPairs = 0x1p25;
constexpr std::size_t kMostDependent = 64;  // each takes a solution with the factor, and a look at all numbers
constexpr Extended kShortCoefficients = 0x1p8L;  // see equations.cpp
constexpr int kInverseIterations = 12;
constexpr double kFirstShare = 0.25, kNextShare = 0.25;  // of the estimate of the least eigenvalue, that is tried
constexpr int kShiftTries = 8;

/// a b without rounding, as the sum of four numbers: a double has 53 bits, its halves 27, products of halves 54.
void add_product_exactly(double a, double b, ExtendedSum& sum) {
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

}  // namespace

Extended exact_residual(double value, std::span<const std::int32_t> columns, std::span<const double> numbers,
                        VectorIn x, Extended& error) {
  ExtendedSum sum;
  sum.add(value);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (numbers[k] != 0.0) add_product_exactly(-numbers[k], x[columns[k]], sum);
  // All summands are exact: what is lost is one rounding of the sum and the second-order rest.
  error = kExtendedEpsilon *
          (std::abs(sum.value()) + 8 * static_cast<Extended>(columns.size() + 2) * kExtendedEpsilon * sum.size());
  return sum.value();
}

bool vanishes_without_rounding(std::span<const Extended> factors, std::span<const Extended> numbers) {
  Extended sum = 0;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const Extended product = factors[k] * numbers[k], total = sum + product, kept = total - sum;
    if (std::fma(factors[k], numbers[k], -product) != 0 || (sum - (total - kept)) + (product - kept) != 0)
      return false;
    sum = total;
  }
  return sum == 0;
}

std::optional<SparseEquations> SparseEquations::make(CsrMatrix rows, std::vector<double> values,
                                                     const std::vector<bool>& fixed) {
  Cliques cliques;
  cliques.vertices = rows.rows;
  std::vector<std::vector<std::int32_t>> by_column(static_cast<std::size_t>(rows.cols));
  for (Index i = 0; i < rows.rows; ++i)
    for (auto k = rows.starts[static_cast<std::size_t>(i)]; k < rows.starts[static_cast<std::size_t>(i) + 1];
         ++k) {
      const auto column = static_cast<std::size_t>(rows.columns[static_cast<std::size_t>(k)]);
      if (!fixed[column]) by_column[column].push_back(static_cast<std::int32_t>(i));
    }
  double pairs = 0.0;
  for (const std::vector<std::int32_t>& members : by_column) {
    cliques.members.insert(cliques.members.end(), members.begin(), members.end());
    cliques.close();
    pairs += static_cast<double>(members.size()) * static_cast<double>(members.size());
  }
  if (pairs > kMostPairs) return std::nullopt;
  const std::optional<SparseOrdering> ordering = order_sparse(cliques, {});
  if (!ordering || ordering->numbers > kMostFactorNumbers || ordering->operations > kMostFactorOperations)
    return std::nullopt;
  SparseEquations made(std::move(rows), std::move(values), fixed, cliques, *ordering);
  if (!made.factor(0.0, true) || !made.drop_dependent_rows() || !made.prove_least_eigenvalue())
    return std::nullopt;
  return made;
}

SparseEquations::SparseEquations(CsrMatrix rows, std::vector<double> values, const std::vector<bool>& fixed,
                                 const Cliques& cliques, const SparseOrdering& ordering)
    : rows_(std::move(rows)),
      values_(std::move(values)),
      fixed_(fixed),
      dropped_(static_cast<std::size_t>(rows_.rows), false),
      column_starts_(cliques.starts),
      column_rows_(cliques.members),
      column_numbers_(cliques.members.size()),
      ldl_(cliques, ordering),
      row_at_(ordering.order) {
  std::vector<std::int64_t> next(column_starts_.begin(), column_starts_.end() - 1);
  for (Index i = 0; i < rows_.rows; ++i)
    for (std::size_t k = 0; k < columns(i).size(); ++k) {
      const auto column = static_cast<std::size_t>(columns(i)[k]);
      if (!fixed_[column]) column_numbers_[static_cast<std::size_t>(next[column]++)] = numbers(i)[k];
    }
}

std::span<const std::int32_t> SparseEquations::columns(Index row) const {
  const auto i = static_cast<std::size_t>(row);
  return {rows_.columns.data() + rows_.starts[i], static_cast<std::size_t>(rows_.starts[i + 1] - rows_.starts[i])};
}

std::span<const double> SparseEquations::numbers(Index row) const {
  const auto i = static_cast<std::size_t>(row);
  return {rows_.values.data() + rows_.starts[i], static_cast<std::size_t>(rows_.starts[i + 1] - rows_.starts[i])};
}

/// Of K - shift I; rows that were dropped have a 1 on the diagonal, and nothing else.
bool SparseEquations::factor(double shift, bool may_vanish) {
  const std::vector<SparseLdl::Pivot> pivots(row_at_.size(), {.negative = false, .may_vanish = may_vanish});
  const auto fill = [&](const SupernodeBlock& block) {
    double operations = 0.0;
    for (std::int32_t place = block.begin; place < block.end; ++place) {
      const Index row = row_at_[static_cast<std::size_t>(place)];
      if (dropped_[static_cast<std::size_t>(row)]) {
        block.at(place, place) = 1.0;
        continue;
      }
      for (std::size_t k = 0; k < columns(row).size(); ++k) {
        const auto column = static_cast<std::size_t>(columns(row)[k]);
        if (fixed_[column]) continue;
        for (auto l = static_cast<std::size_t>(column_starts_[column]);
             l < static_cast<std::size_t>(column_starts_[column + 1]); ++l) {
          const std::int32_t other = ldl_.place(column_rows_[l]);
          if (other >= place && !dropped_[static_cast<std::size_t>(column_rows_[l])])
            block.at(other, place) += numbers(row)[k] * column_numbers_[l];
          operations += 2.0;
        }
      }
      block.at(place, place) -= shift;
    }
    return operations;
  };
  return ldl_.factor(pivots, fill, nullptr);
}

void SparseEquations::solve(Vector& y) const {
  Vector right(y.size());
  for (Index k = 0; k < y.size(); ++k) right[k] = y[row_at_[static_cast<std::size_t>(k)]];
  ldl_.solve(right);
  for (Index k = 0; k < y.size(); ++k) {
    const auto row = static_cast<std::size_t>(row_at_[static_cast<std::size_t>(k)]);
    y[static_cast<Index>(row)] = dropped_[row] ? 0.0 : right[k];
  }
}

void SparseEquations::pull(const Vector& y, VectorOut x) const {
  for (Index i = 0; i < rows_.rows; ++i) {
    if (y[i] == 0.0) continue;
    for (std::size_t k = 0; k < columns(i).size(); ++k)
      if (!fixed_[static_cast<std::size_t>(columns(i)[k])]) x[columns(i)[k]] += numbers(i)[k] * y[i];
  }
}

/// A row whose pivot vanished is a combination of the others, c = K^{-1} (M row) of them.  Rounded to short numbers these
/// must give the row, fixed coordinates included, and its value without any rounding.
bool SparseEquations::drop_dependent_rows() {
  std::vector<Index> found;
  for (std::size_t k = 0; k < row_at_.size(); ++k)
    if (ldl_.vanished(static_cast<std::int32_t>(k))) found.push_back(row_at_[k]);
  if (found.size() > kMostDependent) return false;
  for (const Index row : found) dropped_[static_cast<std::size_t>(row)] = true;
  for (const Index row : found) {
    Vector coefficients = Vector::Zero(rows_.rows);
    for (std::size_t k = 0; k < columns(row).size(); ++k) {
      const auto column = static_cast<std::size_t>(columns(row)[k]);
      if (fixed_[column]) continue;
      for (auto l = static_cast<std::size_t>(column_starts_[column]);
           l < static_cast<std::size_t>(column_starts_[column + 1]); ++l)
        coefficients[column_rows_[l]] += numbers(row)[k] * column_numbers_[l];
    }
    solve(coefficients);
    std::vector<std::vector<std::pair<Extended, Extended>>> sums(static_cast<std::size_t>(rows_.cols) + 1);
    for (Index i = 0; i < rows_.rows; ++i) {
      const Extended factor =
          i == row ? -1 : std::round(Extended{coefficients[i]} * kShortCoefficients) / kShortCoefficients;
      if (factor == 0) continue;
      for (std::size_t k = 0; k < columns(i).size(); ++k)
        sums[static_cast<std::size_t>(columns(i)[k])].emplace_back(factor, numbers(i)[k]);
      sums.back().emplace_back(factor, values_[static_cast<std::size_t>(i)]);
    }
    std::vector<Extended> factors, entries;
    for (const auto& sum : sums) {
      factors.clear();
      entries.clear();
      for (const auto& [factor, entry] : sum) {
        factors.push_back(factor);
        entries.push_back(entry);
      }
      if (!vanishes_without_rounding(factors, entries)) return false;
    }
  }
  return true;
}

bool SparseEquations::prove_least_eigenvalue() {
  // From above: 1/|K^{-1} y| for unit vectors y that turn towards the least eigenvector.
  Vector y = Vector::NullaryExpr(rows_.rows, [](Index i) { return 1.0 + 0.5 * std::sin(static_cast<double>(i)); });
  double estimate = kInfinity;
  for (int round = 0; round < kInverseIterations; ++round) {
    for (Index i = 0; i < y.size(); ++i)
      if (dropped_[static_cast<std::size_t>(i)]) y[i] = 0.0;
    const double norm = y.norm();
    if (!(norm > 0.0) || !std::isfinite(norm)) return false;
    y /= norm;
    solve(y);
    estimate = std::min(estimate, 1.0 / y.norm());
  }
  double trace = 0.0;
  std::size_t longest = 0;
  for (Index i = 0; i < rows_.rows; ++i) {
    longest = std::max(longest, columns(i).size());
    for (const double number : numbers(i)) trace += number * number;
  }
  // What the entries of K, and then the factorisation, may be off by (docs/certificates.md, section 5), twice over.
  const double lost =
      2.0 * kEpsilon * (static_cast<double>(longest) + static_cast<double>(ldl_.longest_row()) + 16.0) * trace;
  double shift = kFirstShare * estimate;
  for (int k = 0; k < kShiftTries && shift > 2.0 * lost; ++k, shift *= kNextShare)
    if (factor(shift, false)) {
      least_ = Extended{shift} - lost;
      return factor(0.0, false);
    }
  return false;
}

double SparseEquations::distance(VectorIn x) const {
  Extended square = 0;
  for (Index i = 0; i < rows_.rows; ++i) {
    if (dropped_[static_cast<std::size_t>(i)]) continue;
    Extended error = 0;
    const Extended off =
        std::abs(exact_residual(values_[static_cast<std::size_t>(i)], columns(i), numbers(i), x, error)) + error;
    square += off * off;
  }
  return square == 0 ? 0.0 : rounded_up(std::sqrt(square / least_) * (1 + 1e-9L));
}

void SparseEquations::approach(VectorOut x) const {
  Vector y(rows_.rows);
  Extended error = 0;
  for (Index i = 0; i < rows_.rows; ++i)
    y[i] = static_cast<double>(
        exact_residual(values_[static_cast<std::size_t>(i)], columns(i), numbers(i), x, error));
  solve(y);
  pull(y, x);
}

void SparseEquations::flatten(VectorOut d) const {
  Vector y(rows_.rows);
  for (Index i = 0; i < rows_.rows; ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < columns(i).size(); ++k) sum -= numbers(i)[k] * d[columns(i)[k]];
    y[i] = sum;
  }
  solve(y);
  pull(y, d);
}

}  // namespace fcbio::sets
