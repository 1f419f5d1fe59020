// Accuracies in units of the answer: eps_f = upper_relative times the larger of |f(x)| and |the proved bound of f*|,
// eps_g likewise.  The drivers work with numbers, so the default method is run with what the values at the start
// say, and again with what the proved values say, until these are within what was asked of themselves.
#pragma once

#include "solver/certified.hpp"

namespace fcbio {

bool is_relative(const Accuracy& accuracy);

/// The default method for an accuracy with a relative part.  Throws InvalidArgument together with `tight` or
/// `absolute`.
Result run_relative(const Problem& problem, const Accuracy& accuracy, const CertifiedOptions& options,
                    Monitor& monitor);

}  // namespace fcbio
