// A safe upper bound of |M|^2 from products with M alone.  What is proved, and with what probability, is said at
// the top of spectral_bound.cpp.
#pragma once

#include <mutex>
#include <optional>

#include "fcbio/linear_map.hpp"
#include "linalg/entry_bounds.hpp"

namespace fcbio {

/// Upper bound of |M|^2, never above what `bounds` says; passes = the number of products made.  Both depend on the
/// map only.  Allocates.
NormBound spectral_bound(const LinearMap& map, const EntryBounds& bounds);

/// spectral_bound at the first call, kept afterwards; any number of threads may ask.
class CachedSpectralBound {
 public:
  NormBound of(const LinearMap& map, const EntryBounds& bounds) const {
    const std::scoped_lock lock(guard_);
    if (!bound_) bound_ = spectral_bound(map, bounds);
    return *bound_;
  }

 private:
  mutable std::mutex guard_;
  mutable std::optional<NormBound> bound_;
};

}  // namespace fcbio
