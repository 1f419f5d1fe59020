// The default method `fcbio`: whatever engine fits the problem best, run until the answer is proved.
#pragma once

#include "core/option_table.hpp"
#include "fcbio/method.hpp"

namespace fcbio {

const OptionTable<CertifiedOptions>& certified_option_table();

/// Empty: some engine fits.  Otherwise the missing property, in words.
std::string certified_misfit(const Problem& problem);

/// Without regard to accuracy.absolute.
Result run_certified(const Problem& problem, const Accuracy& accuracy, const CertifiedOptions& options,
                     Monitor& monitor);

}  // namespace fcbio
