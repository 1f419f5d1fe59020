#include "inner/alias_table.hpp"

#include <algorithm>

namespace fcbio {

AliasTable::AliasTable(VectorIn weights)
    : keep_(static_cast<std::size_t>(weights.size()), 1.0), other_(keep_.size(), 0) {
  const double scale = static_cast<double>(weights.size()) / weights.sum();
  std::vector<std::int32_t> small, large;  // places with less and with more than their share
  for (std::size_t i = 0; i < keep_.size(); ++i) {
    keep_[i] = scale * weights[static_cast<Index>(i)];
    other_[i] = static_cast<std::int32_t>(i);
    (keep_[i] < 1.0 ? small : large).push_back(static_cast<std::int32_t>(i));
  }
  while (!small.empty() && !large.empty()) {
    const auto taker = static_cast<std::size_t>(small.back()), giver = static_cast<std::size_t>(large.back());
    small.pop_back();
    other_[taker] = static_cast<std::int32_t>(giver);
    keep_[giver] -= 1.0 - keep_[taker];
    if (keep_[giver] < 1.0) {
      large.pop_back();
      small.push_back(static_cast<std::int32_t>(giver));
    }
  }
  // What rounding left over has its whole place, unless it is an index that must never be drawn.
  const auto heaviest =
      static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  for (const auto* rest : {&small, &large}) {
    for (const std::int32_t i : *rest) {
      const bool never = weights[i] == 0.0;
      keep_[static_cast<std::size_t>(i)] = never ? 0.0 : 1.0;
      other_[static_cast<std::size_t>(i)] = never ? heaviest : i;
    }
  }
}

Index AliasTable::draw(std::mt19937_64& random) const {
  const double place = uniform(random) * static_cast<double>(keep_.size());
  const auto i = std::min(static_cast<std::size_t>(place), keep_.size() - 1);
  return place - static_cast<double>(i) < keep_[i] ? static_cast<Index>(i) : Index{other_[i]};
}

}  // namespace fcbio
