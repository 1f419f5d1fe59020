// What the JSON files of this room have in common.
#pragma once

#include <string>
#include <vector>

#include "io/json_number.hpp"
#include "report/report.hpp"

namespace fcbio::experiments {

using Json = io::OrderedJson;
using io::json_number;

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
