// Products with a Hessian that a caller tells, beside the gradients of the same caller.
#pragma once

#include "fcbio/function.hpp"
#include "fcbio/set.hpp"

namespace fcbio::python {

/// Throws InvalidArgument with what is wrong where products with the Hessian are not symmetric, fall below 0, or are
/// not what gradients change by.  The function is asked at a few points of the domain only, since it need not be
/// finite elsewhere.  Proofs do not rest on Hessians: a wrong one would not be certified, but make the engine creep.
void require_hessian(const UserFunction& function, const ConvexSet& domain, VectorIn start);

}  // namespace fcbio::python
