// Whether rows that come from a file are what they should be; on all threads of the scope.
#pragma once

#include <string>

#include "fcbio/matrix.hpp"

namespace fcbio::io {

/// What is wrong with the first row that is not sound: starts that descend, columns out of range or not ascending, a
/// number that is not finite.  Empty: nothing.
std::string fault_of(const CsrView& matrix);
std::string fault_of(const DenseView& matrix);

}  // namespace fcbio::io
