// What the JSON files of this room have in common.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace fcbio::experiments {

using Json = nlohmann::ordered_json;  // keeps the order in which keys are written

/// null for what is not known or not finite.
inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
inline Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

inline Json left_out_json(const std::vector<report::LeftOut>& left_out) {
  Json array = Json::array();
  for (const report::LeftOut& who : left_out) array.push_back({{"name", who.name}, {"why", who.why}});
  return array;
}

/// Indented; bytes that are not UTF-8 are replaced, so that labels cannot spoil a file.
inline std::string json_text(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fcbio::experiments
