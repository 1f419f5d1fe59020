// The domain Z for the checker, written from the definitions of the problem file, in extended precision: lower
// bounds of linear functions over it, evaluated at what a witness gives and never searched for, and how far a
// point is from it.
#pragma once

#include <string>

#include "claims.hpp"
#include "data/sets.hpp"
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

struct Region {
  RegionKind kind = RegionKind::ball;
  std::size_t dimension = 0;
  RealVector center;             ///< ball, l1 ball; the start for a whole space
  Real radius = kRealInfinity;   ///< infinite: none was given
  RealVector lower, upper;       ///< box
  Real total = 1;                ///< simplex
  RealVector coefficients;       ///< halfspace
  Real value = 0;                ///< halfspace
  std::vector<RealVector> rows;  ///< affine
  RealVector values;             ///< affine
  std::vector<Region> parts;     ///< of a product, or an intersection (never nested intersections)
};

/// `start`: where the radius of a whole space is counted from.  Refuses (std::invalid_argument) sizes
/// that do not fit.
Region make_region(const data::Set& set, std::span<const Real> start);

/// A lower bound of <slope, z> over the region for every slope that the given Numbers may stand for; -infinity
/// where the witness proves nothing, or is not one for this region (then `wrong` says why).
Number linear_lower_bound(const Region& region, std::span<const Number> slope, const ClaimedSetBound& witness,
                          std::string& wrong);

}  // namespace fcbio::verify
