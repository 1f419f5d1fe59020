// How far from 0 the region reaches.
#pragma once

#include "region.hpp"

namespace fcbio::verify {

/// At least the norm of every point of the region over which linear bounds are taken; infinite: unbounded.
Real reach(const Region& region);

}  // namespace fcbio::verify
