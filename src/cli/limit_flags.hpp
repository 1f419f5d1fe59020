// The flags that limit a run; shared by the commands that run methods.
#pragma once

#include <string>

#include "fcbio/monitor.hpp"

namespace CLI {
class App;
}

namespace fcbio::cli {

class LimitFlags {
 public:
  /// --time-limit, --max-iterations, --max-passes; `each` is put behind the help texts (" of each method").
  void attach(CLI::App& command, const std::string& each = "");
  /// Throws InvalidArgument.
  Limits limits() const;
  bool any() const { return !seconds_.empty() || !iterations_.empty() || !passes_.empty(); }

 private:
  std::string seconds_, iterations_, passes_;
};

}  // namespace fcbio::cli
