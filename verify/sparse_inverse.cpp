#include "sparse_inverse.hpp"

#include <algorithm>
#include <set>

namespace fcbio::verify {
namespace {

constexpr Real kUnitOfReal = std::numeric_limits<Real>::epsilon();
constexpr Real kVanishes = 0x1p-50L;         // of a diagonal entry: what is left of it is rounding
constexpr std::size_t kMostFill = 1u << 24;  // numbers of the factor
constexpr Real kMostWork = 1e10L;            // products of a factorisation
constexpr std::size_t kMostDropped = 64;
constexpr int kPowerSteps = 12;

}  // namespace

SparseInverse::SparseInverse(SparseRows rows, RealVector values, std::vector<bool> fixed)
    : rows_(std::move(rows)),
      values_(std::move(values)),
      fixed_(std::move(fixed)),
      dropped_(rows_.count(), false) {
  for (std::size_t i = 0; i < rows_.count(); ++i) {  // by a power of two, so that it stays what it is
    Real largest = 0;
    for (std::size_t k = rows_.starts[i]; k < rows_.starts[i + 1]; ++k)
      largest = std::max(largest, std::abs(rows_.numbers[k]));
    if (largest == 0) return;
    const int exponent = -std::ilogb(largest);
    for (std::size_t k = rows_.starts[i]; k < rows_.starts[i + 1]; ++k)
      rows_.numbers[k] = std::ldexp(rows_.numbers[k], exponent);
    values_[i] = std::ldexp(values_[i], exponent);
  }
  list_columns();
  if (find_order() && factor(0, true) && dropped_rows_depend_exactly()) prove_least_eigenvalue();
}

void SparseInverse::list_columns() {
  columns_.resize(fixed_.size());
  for (std::size_t i = 0; i < rows_.count(); ++i)
    for (std::size_t k = rows_.starts[i]; k < rows_.starts[i + 1]; ++k)
      if (!fixed_[rows_.columns[k]]) columns_[rows_.columns[k]].emplace_back(i, rows_.numbers[k]);
}

/// Rows with the fewest neighbours first; those of a row that is eliminated become neighbours of each other.
bool SparseInverse::find_order() {
  const std::size_t count = rows_.count();
  std::vector<std::set<std::size_t>> neighbours(count);
  std::size_t pairs = 0;
  for (const Line& column : columns_) {
    pairs += column.size() * column.size();
    if (pairs > kMostFill) return false;
    for (const auto& [i, a] : column)
      for (const auto& [k, b] : column)
        if (i != k) neighbours[i].insert(k);
  }
  std::set<std::pair<std::size_t, std::size_t>> queue;
  for (std::size_t i = 0; i < count; ++i) queue.emplace(neighbours[i].size(), i);
  place_.assign(count, 0);
  std::size_t fill = 0;
  Real work = 0;
  while (!queue.empty()) {
    const std::size_t row = queue.begin()->second;
    queue.erase(queue.begin());
    place_[row] = order_.size();
    order_.push_back(row);
    const std::vector<std::size_t> around(neighbours[row].begin(), neighbours[row].end());
    fill += around.size() + 1;
    work += static_cast<Real>(around.size()) * static_cast<Real>(around.size());
    if (fill > kMostFill || work > kMostWork) return false;
    for (const std::size_t i : around) {
      queue.erase({neighbours[i].size(), i});
      neighbours[i].erase(row);
      for (const std::size_t k : around)
        if (k != i) neighbours[i].insert(k);
      queue.emplace(neighbours[i].size(), i);
    }
    structure_.push_back(around);
    neighbours[row].clear();
  }
  for (std::vector<std::size_t>& below : structure_) {
    for (std::size_t& row : below) row = place_[row];
    std::sort(below.begin(), below.end());
  }
  return true;
}

/// K - shift I = L L', column after column, each after what the earlier ones take from it; of rows that were dropped only
/// a 1 on the diagonal is left.
bool SparseInverse::factor(Real shift, bool may_drop) {
  const std::size_t count = order_.size();
  lower_.assign(count, {});
  diagonal_.assign(count, 0);
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> taking(count);  // column, and where it has gone to
  RealVector work(count, 0);
  for (std::size_t j = 0; j < count; ++j) {
    const std::size_t row = order_[j];
    if (!dropped_[row]) {
      for (std::size_t k = rows_.starts[row]; k < rows_.starts[row + 1]; ++k)
        for (const auto& [other, number] : columns_[rows_.columns[k]])
          if (place_[other] >= j && !dropped_[other]) work[place_[other]] += rows_.numbers[k] * number;
    }
    const Real whole = work[j];
    work[j] -= shift;
    for (const auto& [column, at] : taking[j]) {
      const Real factor = lower_[column][at];
      for (std::size_t k = at; k < structure_[column].size(); ++k)
        work[structure_[column][k]] -= factor * lower_[column][k];
      if (at + 1 < structure_[column].size()) taking[structure_[column][at + 1]].emplace_back(column, at + 1);
    }
    taking[j].clear();
    if (!dropped_[row] && may_drop && !(work[j] > kVanishes * whole)) dropped_[row] = true;
    if (!dropped_[row] && !(work[j] > 0 && std::isfinite(work[j]))) return false;
    diagonal_[j] = dropped_[row] ? 1 : std::sqrt(work[j]);
    work[j] = 0;
    for (const std::size_t below : structure_[j]) {
      lower_[j].push_back(dropped_[row] || dropped_[order_[below]] ? 0 : work[below] / diagonal_[j]);
      work[below] = 0;
    }
    if (!structure_[j].empty()) taking[structure_[j].front()].emplace_back(j, 0);
  }
  return true;
}

RealVector SparseInverse::solve(RealVector right) const {
  RealVector x(order_.size());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = dropped_[order_[j]] ? 0 : right[order_[j]];
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] /= diagonal_[j];
    for (std::size_t k = 0; k < structure_[j].size(); ++k) x[structure_[j][k]] -= lower_[j][k] * x[j];
  }
  for (std::size_t j = x.size(); j-- > 0;) {
    for (std::size_t k = 0; k < structure_[j].size(); ++k) x[j] -= lower_[j][k] * x[structure_[j][k]];
    x[j] /= diagonal_[j];
  }
  for (std::size_t j = 0; j < x.size(); ++j) right[order_[j]] = dropped_[order_[j]] ? 0 : x[j];
  return right;
}

/// A row that was dropped is a combination of the others with coefficients K^{-1} M row.  Rounded to short numbers they
/// must give the row, fixed coordinates included, and its value without any rounding.
bool SparseInverse::dropped_rows_depend_exactly() {
  const auto count = static_cast<std::size_t>(std::count(dropped_.begin(), dropped_.end(), true));
  if (count == 0) return true;
  if (count > kMostDropped || !factor(0, false)) return false;  // a row may be dropped after it was used
  for (std::size_t row = 0; row < rows_.count(); ++row) {
    if (!dropped_[row]) continue;
    RealVector factors(rows_.count(), 0);
    for (std::size_t k = rows_.starts[row]; k < rows_.starts[row + 1]; ++k)
      for (const auto& [other, number] : columns_[rows_.columns[k]]) factors[other] += rows_.numbers[k] * number;
    factors = solve(std::move(factors));
    for (Real& factor : factors) factor = std::round(factor * 256) / 256;
    factors[row] = -1;
    struct Exact {
      Real sum = 0;
      bool exact = true;
      void add(Real a, Real b) {
        const Real product = a * b, total = sum + product, kept = total - sum;
        exact = exact && std::fma(a, b, -product) == 0 && (sum - (total - kept)) + (product - kept) == 0;
        sum = total;
      }
    };
    std::vector<Exact> sums(fixed_.size() + 1);
    for (std::size_t i = 0; i < rows_.count(); ++i) {
      if (factors[i] == 0) continue;
      for (std::size_t k = rows_.starts[i]; k < rows_.starts[i + 1]; ++k)
        sums[rows_.columns[k]].add(factors[i], rows_.numbers[k]);
      sums.back().add(factors[i], values_[i]);
    }
    if (!std::all_of(sums.begin(), sums.end(), [](const Exact& one) { return one.exact && one.sum == 0; }))
      return false;
  }
  return true;
}

void SparseInverse::prove_least_eigenvalue() {
  // 1/|K^{-1} y| of unit vectors is at least the least eigenvalue, and comes near it.
  RealVector y(rows_.count());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 1 + std::sin(static_cast<Real>(i)) / 2;
  Real estimate = kRealInfinity, trace = 0;
  for (int step = 0; step < kPowerSteps; ++step) {
    for (std::size_t i = 0; i < y.size(); ++i)
      if (dropped_[i]) y[i] = 0;
    const Real length = norm(y);
    if (!(length > 0) || !std::isfinite(length)) return;
    for (Real& number : y) number /= length;
    y = solve(std::move(y));
    estimate = std::min(estimate, 1 / norm(y));
  }
  std::size_t longest = 0;
  for (std::size_t i = 0; i < rows_.count(); ++i) {
    longest = std::max(longest, rows_.starts[i + 1] - rows_.starts[i]);
    for (std::size_t k = rows_.starts[i]; k < rows_.starts[i + 1]; ++k)
      trace += rows_.numbers[k] * rows_.numbers[k];
  }
  std::vector<std::size_t> in_row(order_.size(), 1);
  for (const std::vector<std::size_t>& below : structure_)
    for (const std::size_t row : below) ++in_row[row];
  const std::size_t deepest = in_row.empty() ? 0 : *std::max_element(in_row.begin(), in_row.end());
  const Real lost = 2 * kUnitOfReal * static_cast<Real>(longest + deepest + 16) * trace;
  for (Real share = 0.5L; share > 1e-4L; share /= 2) {
    const Real shift = share * estimate;
    if (shift <= 2 * lost) return;
    if (!factor(shift, false)) continue;
    least_ = shift - lost;
    return;
  }
}

Real SparseInverse::distance(std::span<const Real> x) const {
  if (!(least_ > 0)) return kRealInfinity;
  Real square = 0;
  for (std::size_t i = 0; i < rows_.count(); ++i) {
    if (dropped_[i]) continue;
    Accumulator sum;  // products are exact: what is lost is one rounding of the sum and a second-order rest
    sum.add(values_[i]);
    for (std::size_t k = rows_.starts[i]; k < rows_.starts[i + 1]; ++k) {
      const Real product = rows_.numbers[k] * x[rows_.columns[k]];
      sum.add(-product);
      sum.add(-std::fma(rows_.numbers[k], x[rows_.columns[k]], -product));
    }
    const Number number = sum.number();
    const auto terms = static_cast<Real>(rows_.starts[i + 1] - rows_.starts[i] + 2);
    const Real off = std::abs(number.value) +
                     kUnitOfReal * (std::abs(number.value) + 8 * terms * kUnitOfReal * number.magnitude);
    square += off * off;
  }
  return square == 0 ? 0 : std::sqrt(square / least_) * (1 + 1e-9L);
}

}  // namespace fcbio::verify
