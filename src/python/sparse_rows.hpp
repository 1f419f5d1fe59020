// Sparse rows of a caller's, who may have made a mistake or may change them while they are borrowed.
#pragma once

#include "fcbio/matrix.hpp"

namespace fcbio::python {

/// Whatever goes over rows that pass stays within the arrays.  Throws InvalidArgument with what was expected and found.
void require_sound(const CsrView& view);

}  // namespace fcbio::python
