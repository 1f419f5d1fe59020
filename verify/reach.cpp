#include "reach.hpp"

#include <algorithm>

namespace fcbio::verify {
namespace {

Real corner_square(const RealVector& lower, const RealVector& upper) {
  Accumulator squares;
  for (std::size_t j = 0; j < lower.size(); ++j) {
    const Real farthest = std::max(std::abs(lower[j]), std::abs(upper[j]));
    squares.add(farthest * farthest);
  }
  return squares.value();
}

Real exact_reach(const Region& region) {
  switch (region.kind) {
    case RegionKind::ball:
    case RegionKind::l1_ball:  // an l1 norm is at least the Euclidean one
    case RegionKind::whole_space:
      return norm(region.center) + region.radius;
    case RegionKind::box:
      return std::min(std::sqrt(corner_square(region.lower, region.upper)), region.radius);
    case RegionKind::polyhedron:
      return std::min(std::sqrt(corner_square(region.least, region.most)), region.radius);
    case RegionKind::simplex:
    case RegionKind::capped_simplex:
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

bool rests_on_told_radius(const Region& region) {
  return (region.kind == RegionKind::whole_space && std::isfinite(region.radius)) || region.told_radius ||
         std::any_of(region.parts.begin(), region.parts.end(), rests_on_told_radius);
}

Real reach(const Region& region) { return exact_reach(region) * (1 + kRounding); }

}  // namespace fcbio::verify
