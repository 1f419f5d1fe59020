// The manual page and the completions of shells, from the commands, functions, sets and methods that there are.
#pragma once

#include <string>

#include "arguments/command_line.hpp"

namespace fcbio::cli {

std::string manual_page(const arguments::CommandLine& program);
std::string bash_completion(const arguments::CommandLine& program);
std::string zsh_completion(const arguments::CommandLine& program);

}  // namespace fcbio::cli
