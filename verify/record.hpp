// What a result says about itself: whether it is as it was written, of which dimension, by which method, for which
// accuracy, and what of it nobody can check.
#pragma once

#include <vector>

#include "checker.hpp"

namespace fcbio::verify {

/// One line per statement; none without Claims::record.
void check_record(const data::Problem& problem, const Claims& claims, std::vector<Line>& lines);

}  // namespace fcbio::verify
