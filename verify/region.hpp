// The domain Z for the checker: how far a point is from it, its nearest point, and lower bounds of linear
// functions over it.  Written from the definitions of the problem file, in extended precision.
#pragma once

#include <string>

#include "io/problem_data.hpp"
#include "real.hpp"

namespace fcbio::verify {

enum class RegionKind {
  ball,
  box,
  simplex,
  l1_ball,
  nonnegative_ball,
  halfspace,
  affine,
  product,
  intersection,
  whole_space
};

/// The rows of an affine subspace {Mz = v} as  M = L U  with orthonormal rows U; rows that depend on earlier ones
/// are left out (a bound over the larger set is still a bound).
struct AffineRows {
  std::vector<RealVector> rows;   ///< the independent rows of M
  RealVector values;              ///< their v
  std::vector<RealVector> units;  ///< U
  std::vector<RealVector> lower;  ///< L: lower[k][l], l <= k
  RealVector least_norm;          ///< the point of the subspace nearest to 0
};

struct Region {
  RegionKind kind = RegionKind::ball;
  std::size_t dimension = 0;
  RealVector center;            ///< ball, l1 ball; the start for a whole space
  Real radius = kRealInfinity;  ///< infinite: none was given
  RealVector lower, upper;      ///< box
  Real total = 1;               ///< simplex
  RealVector coefficients;      ///< halfspace
  Real value = 0;               ///< halfspace
  AffineRows affine;
  std::vector<RealVector> all_rows;  ///< affine: also the dependent ones, for membership
  RealVector all_values;
  std::vector<Region> parts;  ///< of a product, or an intersection (never nested intersections)
};

/// `start`: where the radius of a whole space is counted from.  Refuses (std::invalid_argument) unknown kinds and
/// sizes that do not fit.
Region make_region(const io::SetData& set, std::span<const Real> start);
AffineRows make_affine_rows(const std::vector<RealVector>& rows, const RealVector& values);

/// x <- the nearest point.  Exact to rounding but for an intersection, where it is what Dykstra's algorithm
/// reaches. The identity for a whole space.
void project(const Region& region, std::span<Real> x);
/// Distance of x to the region; for an intersection the largest distance to a member.
Real distance(const Region& region, std::span<const Real> x);

/// True when linear functions are bounded below on the region.
bool is_bounded(const Region& region);
/// A lower bound of <slope, z> over the region for every slope that the given Numbers may stand for: exact to
/// rounding but for an intersection; -infinity where nothing is known.
Number linear_lower_bound(const Region& region, std::span<const Number> slope);
/// The same for an intersection: the sum of the members' bounds for a split of the slope.
Number split_lower_bound(const Region& intersection, std::span<const Number> slope);

/// x <- a point of (nearly) all members that is nearest to x, by Dykstra's algorithm.
void project_on_all(const std::vector<Region>& members, std::span<Real> x);

}  // namespace fcbio::verify
