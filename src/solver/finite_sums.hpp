// The method `fcbio-vr` for finite sums: the sandwich with accelerated variance reduction inside.
#pragma once

#include "core/option_table.hpp"
#include "fcbio/method.hpp"
#include "inner/variance_reduced_engine.hpp"

namespace fcbio {

const OptionTable<VarianceReducedOptions>& finite_sum_option_table();

/// Empty: the method fits.  Otherwise the missing property, in words.
std::string finite_sum_misfit(const Problem& problem);

Result run_finite_sum(const Problem& problem, const Accuracy& accuracy, const VarianceReducedOptions& options,
                      Monitor& monitor);

}  // namespace fcbio
