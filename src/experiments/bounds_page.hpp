// What `fcbio bounds` measured, as a report page.
#pragma once

#include "experiments/bounds.hpp"
#include "report/report.hpp"

namespace fcbio::experiments {

report::Report bounds_report(const BoundsExperiment& experiment);

}  // namespace fcbio::experiments
