#include "linalg/sparse_ldl.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/row_products.hpp"

namespace fcbio {
namespace {

constexpr Index kPanel = 32;            // columns of a wide supernode that are eliminated together
constexpr double kSmallProduct = 4096;  // operations; packing rows for the fast kernel does not pay below
constexpr double kOfRounding = 64.0;    // roundings of its parts that a pivot may be to count as nothing
constexpr double kBetweenLooks = 1e5;   // operations

}  // namespace

SparseLdl::SparseLdl(const Cliques& cliques, const SparseOrdering& ordering)
    : supernodes_(cliques, ordering), places_(ordering.order.size()) {
  for (std::size_t k = 0; k < places_.size(); ++k)
    places_[static_cast<std::size_t>(ordering.order[k])] = static_cast<std::int32_t>(k);
}

void SparseLdl::start() {
  numbers_.resize(static_cast<std::size_t>(supernodes_.block_starts.back()));
  diagonal_.assign(places_.size(), 0.0);
  sizes_.assign(places_.size(), 0.0);
  local_.resize(places_.size());
  first_waiting_.assign(supernodes_.count(), -1);
  next_waiting_.assign(supernodes_.count(), -1);
  reached_.assign(supernodes_.count(), 0);
  done_ = 0.0;
}

SupernodeBlock SparseLdl::open(std::size_t s) {
  const std::int32_t first = supernodes_.firsts[s], width = supernodes_.firsts[s + 1] - first;
  for (std::int32_t k = 0; k < width; ++k) local_[static_cast<std::size_t>(first + k)] = k;
  std::int32_t at = width;
  for (const std::int32_t row : supernodes_.rows(s)) local_[static_cast<std::size_t>(row)] = at++;
  std::fill_n(block(s), supernodes_.height(s) * supernodes_.width(s), 0.0);
  return {first, first + width, local_.data(), block(s), width};
}

bool SparseLdl::is_over(double operations, Watch* watch) {
  done_ += operations;
  if (watch == nullptr || done_ < kBetweenLooks) return false;
  return watch->is_over(std::exchange(done_, 0.0));
}

/// The block of s <- the block - (L D L') of an earlier supernode, where it falls into it.
bool SparseLdl::subtract(std::size_t descendant, std::size_t s, Watch* watch) {
  const std::span<const std::int32_t> rows = supernodes_.rows(descendant);
  const Index width = supernodes_.width(descendant), stride = supernodes_.width(s);
  const std::int32_t first = supernodes_.firsts[s], last = supernodes_.firsts[s + 1];
  const auto begin = static_cast<std::size_t>(reached_[descendant]);
  std::size_t end = begin;
  while (end < rows.size() && rows[end] < last) ++end;
  const double* from = block(descendant) + (width + static_cast<Index>(begin)) * width;
  double* to = block(s);
  const double* pivots = diagonal_.data() + supernodes_.firsts[descendant];
  const auto height = static_cast<Index>(rows.size() - begin), across = static_cast<Index>(end - begin);
  const double operations = static_cast<double>(height) * static_cast<double>(across * width);
  if (operations <= kSmallProduct) {
    for (Index j = 0; j < across; ++j) {
      const double* right = from + j * width;
      const std::int32_t column = rows[begin + static_cast<std::size_t>(j)] - first;
      if (width == 1) {
        const double factor = right[0] * pivots[0];
        for (Index i = j; i < height; ++i)
          to[local_[static_cast<std::size_t>(rows[begin + static_cast<std::size_t>(i)])] * stride + column] -=
              from[i] * factor;
        continue;
      }
      weights_.resize(std::max(weights_.size(), static_cast<std::size_t>(width)));
      for (Index k = 0; k < width; ++k) weights_[static_cast<std::size_t>(k)] = right[k] * pivots[k];
      for (Index i = j; i < height; ++i) {
        const double* left = from + i * width;
        double sum = 0.0;
        for (Index k = 0; k < width; ++k) sum += left[k] * weights_[static_cast<std::size_t>(k)];
        to[local_[static_cast<std::size_t>(rows[begin + static_cast<std::size_t>(i)])] * stride + column] -= sum;
      }
    }
    if (is_over(operations, watch)) return false;
  } else {
    product_.resize(std::max(product_.size(), static_cast<std::size_t>(height * across)));
    std::fill_n(product_.begin(), height * across, 0.0);
    if (!add_weighted_row_products({from, height, width, width}, {from, across, width, width}, pivots, true,
                                   product_.data(), across, watch))
      return false;
    for (Index i = 0; i < height; ++i) {
      double* row =
          to + local_[static_cast<std::size_t>(rows[begin + static_cast<std::size_t>(i)])] * stride - first;
      const double* numbers = product_.data() + i * across;
      for (Index j = 0; j <= std::min(i, across - 1); ++j)
        row[rows[begin + static_cast<std::size_t>(j)]] -= numbers[j];
    }
  }
  reached_[descendant] = static_cast<std::int32_t>(end);
  return true;
}

bool SparseLdl::finish(std::size_t s, const std::vector<Pivot>& pivots, Watch* watch) {
  const Index width = supernodes_.width(s), height = supernodes_.height(s);
  const auto wait = [this](std::size_t from) {
    const std::span<const std::int32_t> rows = supernodes_.rows(from);
    const auto at = static_cast<std::size_t>(reached_[from]);
    if (at == rows.size()) return;
    const auto next = static_cast<std::size_t>(supernodes_.owner[static_cast<std::size_t>(rows[at])]);
    next_waiting_[from] = std::exchange(first_waiting_[next], static_cast<std::int32_t>(from));
  };
  double* const numbers = block(s);
  const auto first = static_cast<std::size_t>(supernodes_.firsts[s]);
  for (Index k = 0; k < width; ++k)
    sizes_[first + static_cast<std::size_t>(k)] += std::abs(numbers[k * width + k]);
  for (std::int32_t d = first_waiting_[s]; d >= 0;) {
    const auto descendant = static_cast<std::size_t>(d);
    d = next_waiting_[descendant];
    if (!subtract(descendant, s, watch)) return false;
    wait(descendant);
  }
  weights_.resize(std::max(weights_.size(), static_cast<std::size_t>(width)));
  for (Index begin = 0; begin < width; begin += kPanel) {
    const Index end = std::min(begin + kPanel, width);
    if (begin > 0) {
      for (Index k = 0; k < begin; ++k)
        weights_[static_cast<std::size_t>(k)] = -diagonal_[first + static_cast<std::size_t>(k)];
      const double* const left = numbers + begin * width;
      if (!add_weighted_row_products({left, height - begin, begin, width}, {left, end - begin, begin, width},
                                     weights_.data(), true, numbers + begin * width + begin, width, watch))
        return false;
    }
    if (!factor_columns(s, begin, end, pivots)) return false;
    if (is_over(static_cast<double>((height - begin) * (end - begin) * (end - begin)), watch)) return false;
  }
  wait(s);
  return true;
}

/// Columns `begin` .. `end` of the block, from which those to their left were subtracted.
bool SparseLdl::factor_columns(std::size_t s, Index begin, Index end, const std::vector<Pivot>& pivots) {
  const Index stride = supernodes_.width(s), height = supernodes_.height(s), width = end - begin;
  const auto first = static_cast<std::size_t>(supernodes_.firsts[s]);
  const std::span<const std::int32_t> rows = supernodes_.rows(s);
  double across[kPanel][kPanel], inverse[kPanel];  // the transposed triangle, and 1/D
  for (Index i = 0; i < height - begin; ++i) {
    double* const row = block(s) + (begin + i) * stride + begin;
    const Index known = std::min(i, width);
    double size = 0.0;
    for (Index t = 0; t < known; ++t) {
      const double number = row[t];
      for (Index k = t + 1; k < known; ++k) row[k] -= number * across[t][k];
      row[t] = number * inverse[t];
      size += std::abs(number * row[t]);
      if (i < width) row[i] -= number * row[t];
    }
    const auto below = static_cast<std::size_t>(begin + i);
    const std::size_t place = below < static_cast<std::size_t>(stride)
                                  ? first + below
                                  : static_cast<std::size_t>(rows[below - static_cast<std::size_t>(stride)]);
    sizes_[place] += size;
    if (i >= width) continue;
    for (Index t = 0; t < i; ++t) across[t][i] = row[t];
    const Pivot& pivot = pivots[place];
    const double amount = pivot.negative ? -row[i] : row[i];
    if (!std::isfinite(amount)) return false;
    if (pivot.may_vanish && amount <= kOfRounding * kEpsilon * sizes_[place]) {
      diagonal_[place] = 1.0;
      inverse[i] = 0.0;
    } else if (amount > 0.0) {
      diagonal_[place] = row[i];
      inverse[i] = 1.0 / row[i];
      if (!std::isfinite(inverse[i])) return false;
    } else {
      return false;
    }
    row[i] = inverse[i];
  }
  return true;
}

void SparseLdl::solve(VectorOut x) const {
  for (std::size_t s = 0; s < supernodes_.count(); ++s) {
    const Index width = supernodes_.width(s);
    const double* row = block(s);
    double* const own = x.data() + supernodes_.firsts[s];
    for (Index i = 1; i < width; ++i)
      for (Index k = 0; k < i; ++k) own[i] -= row[i * width + k] * own[k];
    row += width * width;
    for (const std::int32_t at : supernodes_.rows(s)) {
      double sum = 0.0;
      for (Index k = 0; k < width; ++k) sum += row[k] * own[k];
      x[at] -= sum;
      row += width;
    }
  }
  for (std::size_t s = supernodes_.count(); s-- > 0;) {
    const Index width = supernodes_.width(s);
    const double* const triangle = block(s);
    double* const own = x.data() + supernodes_.firsts[s];
    for (Index k = 0; k < width; ++k) own[k] *= triangle[k * width + k];
    const double* row = triangle + width * width;
    for (const std::int32_t at : supernodes_.rows(s)) {
      const double factor = x[at];
      for (Index k = 0; k < width; ++k) own[k] -= row[k] * factor;
      row += width;
    }
    for (Index i = width; i-- > 1;)
      for (Index k = 0; k < i; ++k) own[k] -= triangle[i * width + k] * own[i];
  }
}

bool SparseLdl::vanished(std::int32_t place) const {
  const auto s = static_cast<std::size_t>(supernodes_.owner[static_cast<std::size_t>(place)]);
  const Index k = place - supernodes_.firsts[s];
  return block(s)[k * supernodes_.width(s) + k] == 0.0;  // where 1/D is kept
}

Index SparseLdl::longest_row() const {
  std::vector<Index> lengths(places_.size(), 0);
  for (std::size_t s = 0; s < supernodes_.count(); ++s) {
    for (Index k = 0; k < supernodes_.width(s); ++k)
      lengths[static_cast<std::size_t>(supernodes_.firsts[s] + k)] += k + 1;
    for (const std::int32_t row : supernodes_.rows(s))
      lengths[static_cast<std::size_t>(row)] += supernodes_.width(s);
  }
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

}  // namespace fcbio
