// Membership in Z, proved.  Let Z be {Mz = v} cut by inequalities, and let x satisfy each inequality with room e:
// so does every point within e of x.  If a solution z of Mz = v lies within e of x, then z is a point of Z, and
//     distance(x, Z) <= e.
// Without equations e = 0: x must satisfy the inequalities, rounding included.  For the equations let X be any
// matrix, E = MX - I with |E| < 1 and r = v - Mx; then z = x + X (MX)^{-1} r solves them, with |z - x| <= |X| |r|
// / (1 - |E|).
#pragma once

#include "region.hpp"

namespace fcbio::verify {

/// An upper bound of the distance of x to the region; infinite where nothing is proved.
Real proved_distance(const Region& region, std::span<const Real> x);

/// A lower bound of the distance from x to what breaks an inequality of the region; negative outside, infinite in
/// a whole space.  Equations do not count, nor do coordinates that a box fixes and that are right.
Real room(const Region& region, std::span<const Real> x);
/// True where no equation and no fixed coordinate keeps the region from having an interior.
bool has_interior(const Region& region);

/// By how much x breaks the worst of the conditions of the region, in units of x, and what is allowed: 1e-9 of the
/// size of the region, and what rounding does to coordinates of this size.  Of a product, the worst factor.
struct Violation {
  Real off = 0;
  Real allowed = 0;
  bool tolerable() const { return off <= allowed; }
};
Violation violation(const Region& region, std::span<const Real> x);

}  // namespace fcbio::verify
