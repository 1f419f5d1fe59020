// Two of a kind, one per level.
#pragma once

#include "fcbio/types.hpp"

namespace fcbio {

/// `pair.upper`, `pair.lower`, or pair[level] where the level is a variable.
template <class T>
struct PerLevel {
  T upper{};
  T lower{};
  T& operator[](Level level) { return level == Level::upper ? upper : lower; }
  const T& operator[](Level level) const { return level == Level::upper ? upper : lower; }
};

/// make(Level::upper) and make(Level::lower), in this order.
template <class Make>
auto per_level(const Make& make) -> PerLevel<decltype(make(Level::upper))> {
  return {make(Level::upper), make(Level::lower)};
}

}  // namespace fcbio
