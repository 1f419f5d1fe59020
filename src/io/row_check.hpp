// Whether rows that come from a file are what they should be; on all threads of the scope.
#pragma once

#include <string>

#include "fcbio/matrix.hpp"

namespace fcbio::io {

/// Whether the starts of all rows ascend to the number of numbers.  Empty: they do.
std::string fault_of_starts(const CsrView& matrix);
/// What is wrong with the first of the rows [first, end) that is not sound: columns out of range or not ascending, a
/// number that is not finite.  Empty: nothing.  The starts must be sound.
std::string fault_of(const CsrView& matrix, Index first, Index end);
std::string fault_of(const DenseView& matrix, Index first, Index end);

}  // namespace fcbio::io
