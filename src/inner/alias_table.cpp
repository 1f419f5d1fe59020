#include "inner/alias_table.hpp"

#include <algorithm>

namespace fcbio {

AliasTable::AliasTable(VectorIn weights) : places_(static_cast<std::size_t>(weights.size())) {
  const double scale = static_cast<double>(weights.size()) / weights.sum();
  std::vector<std::int32_t> small, large;  // places with less and with more than their share
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    places_[i] = {scale * weights[index], index};
    (places_[i].keep < 1.0 ? small : large).push_back(index);
  }
  while (!small.empty() && !large.empty()) {
    Place& taker = places_[static_cast<std::size_t>(small.back())];
    Place& giver = places_[static_cast<std::size_t>(large.back())];
    small.pop_back();
    taker.other = large.back();
    giver.keep -= 1.0 - taker.keep;
    if (giver.keep < 1.0) {
      small.push_back(large.back());
      large.pop_back();
    }
  }
  // What rounding left over has its whole place, unless it is an index that must never be drawn.
  const auto heaviest =
      static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  for (const auto* rest : {&small, &large})
    for (const std::int32_t i : *rest)
      places_[static_cast<std::size_t>(i)] = weights[i] == 0.0 ? Place{0.0, heaviest} : Place{1.0, i};
}

Index AliasTable::draw(std::mt19937_64& random) const {
  const double where = uniform(random) * static_cast<double>(places_.size());
  const auto i = std::min(static_cast<std::size_t>(where), places_.size() - 1);
  return where - static_cast<double>(i) < places_[i].keep ? static_cast<Index>(i) : Index{places_[i].other};
}

}  // namespace fcbio
