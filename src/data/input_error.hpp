// Bad input: one clear message with file, line, what was expected, what was found, and the remedy.  Exit code 2.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace fcbio {

struct InputProblem {
  std::string file;
  std::int64_t line = 0;  ///< 1-based; 0: not about a line
  std::string expected;
  std::string found;
  std::string remedy;
};

class InputError : public std::runtime_error {
 public:
  /// "FILE:LINE: expected EXPECTED, found FOUND; REMEDY" (parts that are empty are left out)
  explicit InputError(const InputProblem& problem);
};

}  // namespace fcbio
