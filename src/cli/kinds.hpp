// Functions and sets of a problem file in words, for the commands that print them.
#pragma once

#include <string>
#include <vector>

#include "io/problem_keys.hpp"

namespace fcbio::cli {

/// `word` is "function" or "set".  Throws InvalidArgument with the nearest name.
const io::KindInfo& find_kind(const std::vector<io::KindInfo>& kinds, const std::string& word,
                              const std::string& name);
/// Meaning and keys; `table` is where they stand.
std::string kind_in_words(const io::KindInfo& kind, const std::string& word, const std::string& table);

}  // namespace fcbio::cli
