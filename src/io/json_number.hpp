// Numbers in the JSON files that are written: null for what is not known or not finite.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace fcbio::io {

using OrderedJson = nlohmann::ordered_json;  // keeps the order in which keys are written

inline OrderedJson json_number(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}
inline OrderedJson json_number(const std::optional<double>& value) {
  return value ? json_number(*value) : OrderedJson(nullptr);
}

}  // namespace fcbio::io
