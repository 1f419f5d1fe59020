// The keys that the functions and sets of a problem file take, told in words from their descriptors: what the reader
// allows is what the help prints.
#pragma once

#include <string>
#include <vector>

#include "data/functions.hpp"
#include "data/sets.hpp"

namespace fcbio::io {

struct KeyInfo {
  std::string name;
  std::string takes;     ///< "a number > 0", "true or false"
  std::string fallback;  ///< where it is absent; empty: it must be given
  std::string meaning;
};

/// A function or a set.
struct KindInfo {
  std::string name;
  std::string meaning;        ///< its value or its points, in a formula
  std::vector<KeyInfo> keys;  ///< besides `function` or `set`
};

std::vector<KindInfo> function_kinds();
std::vector<KindInfo> set_kinds();

/// The names of the keys, `function` or `set` among them.
std::vector<std::string> keys_of(const data::FunctionKind& kind);
std::vector<std::string> keys_of(const data::SetKind& kind);

}  // namespace fcbio::io
