// The page built from web/, in two pieces: a report's JSON goes between them.  Defined in a source that the build
// makes (cmake/FcbioWeb.cmake).
#pragma once

#include <string_view>

namespace fcbio::report {

std::string_view page_before_data();
std::string_view page_after_data();

}  // namespace fcbio::report
