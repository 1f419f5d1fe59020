// Checks of compressed sparse rows.
#pragma once

#include <string>

#include "fcbio/linear_map.hpp"

namespace fcbio {

/// Refuses (InvalidArgument) lengths that do not fit, starts that descend, columns out of range or not ascending.
/// Numbers are not looked at.
void require_csr(const std::string& who, const CsrView& matrix);

}  // namespace fcbio
