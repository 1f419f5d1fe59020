// Says which problem it was when one crashes the program or never ends.
#pragma once

#include <string>

namespace fcbio::adversary {

/// While one lives, a crash, or more than kMostSeconds of processor time, ends the program with the name on
/// standard error.
class Watch {
 public:
  static constexpr int kMostSeconds = 300;  ///< hundreds of times what a problem takes
  static double processor_seconds();
  explicit Watch(const std::string& name);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
};

}  // namespace fcbio::adversary
