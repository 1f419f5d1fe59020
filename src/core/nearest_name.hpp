// "unknown method 'fcbo'; did you mean 'fcbio'?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fcbio {

/// The known name with the smallest edit distance to `name`; empty when none is near enough to be worth offering
/// (more than half of the letters would have to change).
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// "; did you mean 'NEAREST'?", to follow a message about an unknown name; empty when nothing is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace fcbio
