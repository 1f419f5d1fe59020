// The flags that limit a run; shared by the commands that run methods.
#pragma once

#include <optional>
#include <string>

#include "arguments/command_line.hpp"
#include "data/problem.hpp"
#include "fcbio/monitor.hpp"

namespace fcbio::cli {

class LimitFlags {
 public:
  LimitFlags() = default;
  /// For commands that run several methods: the limits are for each, and without any it is this many seconds.
  explicit LimitFlags(double default_seconds) : default_seconds_(default_seconds) {}

  /// --time-limit, --max-iterations, --max-passes, --max-projections
  void attach(arguments::Arguments& command);
  /// The flags over the limits of a problem file.  Throws InvalidArgument.
  Limits limits(const data::RunLimits& file = {}) const;

 private:
  std::optional<double> default_seconds_;
  std::string seconds_, iterations_, passes_, projections_;
};

}  // namespace fcbio::cli
