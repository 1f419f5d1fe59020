// What `fcbio bounds` measured as one self-contained page: a chart of gradients against the accuracy on log axes,
// with the region that the theorem rules out, and a table.  No script, no network; all text is escaped.
// (The report page of the other commands draws runs over work, one problem at a time; here every point is another
// problem.)
#pragma once

#include <string>

#include "experiments/bounds.hpp"

namespace fcbio::experiments {

std::string to_html(const BoundsExperiment& experiment);

}  // namespace fcbio::experiments
