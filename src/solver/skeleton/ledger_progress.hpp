// What observers are told.  Every driver fills in its phase, its point and its level; what a ledger knows is
// filled in here, in one way for all.
#pragma once

#include "core/ledger.hpp"
#include "fcbio/monitor.hpp"

namespace fcbio {

/// The number, or NaN where it is not finite: not known yet.
double known(double number);

/// Every number is unknown.
Progress unknown_progress(std::string_view phase, std::int64_t round = 0);

/// Bounds, excess and gap of the ledger's candidate; the rest is unknown.
Progress progress_of(const Ledger& ledger, std::string_view phase, std::int64_t round = 0);

}  // namespace fcbio
