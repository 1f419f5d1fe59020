#include "reach.hpp"

#include <algorithm>

namespace fcbio::verify {
namespace {

Real exact_reach(const Region& region) {
  switch (region.kind) {
    case RegionKind::ball:
    case RegionKind::l1_ball:  // an l1 norm is at least the Euclidean one
    case RegionKind::whole_space:
      return norm(region.center) + region.radius;
    case RegionKind::box: {
      Accumulator squares;
      for (std::size_t j = 0; j < region.dimension; ++j) {
        const Real farthest = std::max(std::abs(region.lower[j]), std::abs(region.upper[j]));
        squares.add(farthest * farthest);
      }
      return std::sqrt(squares.value());
    }
    case RegionKind::simplex:
      return region.total;
    case RegionKind::nonnegative_ball:
    case RegionKind::halfspace:
    case RegionKind::affine:
      return region.radius;
    case RegionKind::product: {
      Real all = 0;
      for (const Region& part : region.parts) all = std::hypot(all, reach(part));
      return all;
    }
    case RegionKind::intersection: {
      Real least = kRealInfinity;
      for (const Region& part : region.parts) least = std::min(least, reach(part));
      return least;
    }
  }
  return kRealInfinity;
}

}  // namespace

Real reach(const Region& region) { return exact_reach(region) * (1 + kRounding); }

}  // namespace fcbio::verify
