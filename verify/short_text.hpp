// A number as the lines of a check show it.
#pragma once

#include <fmt/format.h>

#include <string>

#include "real.hpp"

namespace fcbio::verify {

inline std::string short_text(Real number) { return fmt::format("{:.3g}", static_cast<double>(number)); }

}  // namespace fcbio::verify
