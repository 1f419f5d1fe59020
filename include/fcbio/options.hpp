// Options of a method: one static table (name, member, range, help) drives validation, the command line, JSON,
// and the generated docs/options.md.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "fcbio/types.hpp"

namespace fcbio {

/// What a user gave: name -> text, as in --set KEY=VALUE or a [method] table.
using OptionValues = std::map<std::string, std::string>;

struct OptionInfo {
  std::string name;
  std::string type;           ///< "real", "integer", "flag", "choice"
  std::string default_value;  ///< as text
  std::string range;          ///< "(0, 1]", "true | false", "theory | cap"
  std::string help;
};

}  // namespace fcbio
