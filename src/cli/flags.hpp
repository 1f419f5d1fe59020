// Texts of flags into checked values.  All throw InvalidArgument with the flag, what was expected, what was found.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fcbio/options.hpp"

namespace fcbio::cli {

double positive_number(const std::string& flag, const std::string& text);         ///< finite, > 0
std::int64_t positive_integer(const std::string& flag, const std::string& text);  ///< >= 1; 1e5 is an integer too
std::int64_t count_number(const std::string& flag, const std::string& text);      ///< 0 .. 2^63 - 1
std::uint64_t seed_number(const std::string& text);                               ///< the same for --seed
int thread_number(const std::string& text);                                       ///< 1 .. 1024
std::vector<std::string> comma_separated(const std::string& text);  ///< a trailing comma adds nothing
std::string lower_case(std::string text);                           ///< of ASCII letters
/// KEY=VALUE ..., each key once.
OptionValues settings(const std::vector<std::string>& texts);

/// An output file that is to be written later: refuses now what would fail then (no such directory, a directory of
/// that name, no permission).
void check_writable(const std::string& flag, const std::filesystem::path& file);

}  // namespace fcbio::cli
