// The default method `fcbio`: whatever engine fits the problem best, run until the answer is proved.
#pragma once

#include "core/option_table.hpp"
#include "fcbio/method.hpp"

namespace fcbio {

const OptionTable<CertifiedOptions>& certified_option_table();

/// Empty: some engine fits.  Otherwise the missing property, in words.
std::string certified_misfit(const Problem& problem);

/// Without regard to accuracy.absolute.  `passes_after`: kept back for what the caller does once this is over.
Result run_certified(const Problem& problem, const Accuracy& accuracy, const CertifiedOptions& options,
                     Monitor& monitor, std::int64_t passes_after = 0);

}  // namespace fcbio
