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
  polyhedron,
  simplex,
  capped_simplex,
  l1_ball,
  nonnegative_ball,
  halfspace,
  affine,
  product,
  intersection,
  whole_space
};

/// The rows of a matrix: the numbers that are not 0, row after row.
struct SparseRows {
  std::vector<std::size_t> starts{0};
  std::vector<std::size_t> columns;
  RealVector numbers;
  std::size_t count() const { return starts.size() - 1; }
};

struct Region {
  RegionKind kind = RegionKind::ball;
  std::size_t dimension = 0;
  RealVector center;            ///< ball, l1 ball; the start for a whole space
  Real radius = kRealInfinity;  ///< infinite: none was given
  bool told_radius = false;  ///< the radius is the user's word for solutions, and no condition (box, polyhedron)
  Real known_reach =
      kRealInfinity;        ///< of a member of an intersection: |z| of all points of the others is at most this
  RealVector lower, upper;  ///< box, polyhedron, capped simplex
  SparseRows matrix;        ///< polyhedron
  RealVector row_lower, row_upper;  ///< polyhedron
  RealVector least, most;           ///< polyhedron: sides of z, those that the rows imply included
  Real total = 1;                   ///< simplex, capped simplex
  RealVector coefficients;          ///< halfspace
  Real value = 0;                   ///< halfspace
  std::vector<RealVector> rows;     ///< affine
  RealVector values;                ///< affine
  std::vector<Region> parts;        ///< of a product, or an intersection (never nested intersections)
};

/// `start`: where the radius of a whole space is counted from.  Refuses (std::invalid_argument) sizes
/// that do not fit.
Region make_region(const data::Set& set, std::span<const Real> start);

/// A lower bound of <slope, z> over the region for every slope that the given Numbers may stand for; -infinity
/// where the witness proves nothing, or is not one for this region (then `wrong` says why).
Number linear_lower_bound(const Region& region, std::span<const Number> slope, const ClaimedSetBound& witness,
                          std::string& wrong);

}  // namespace fcbio::verify
