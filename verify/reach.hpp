// How far from 0 the region reaches.
#pragma once

#include "region.hpp"

namespace fcbio::verify {

/// At least the norm of every point of the region over which linear bounds are taken; infinite: unbounded.
Real reach(const Region& region);

/// Whether that, or a linear bound, rests on a radius that the user vouches for: it speaks of solutions only.
bool rests_on_told_radius(const Region& region);

}  // namespace fcbio::verify
