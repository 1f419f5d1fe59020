#include "cli/limit_flags.hpp"

#include <fmt/format.h>

#include "cli/flags.hpp"

namespace fcbio::cli {

void LimitFlags::attach(arguments::Arguments& command) {
  const std::string each =
      default_seconds_ ? fmt::format(", each method (without any limit: {:g} seconds each)", *default_seconds_)
                       : "";
  command.text("--time-limit", seconds_, "stop after this many seconds of solving" + each, "SECONDS");
  command.text("--max-iterations", iterations_, "stop after this many iterations" + each, "N");
  command.text("--max-passes", passes_, "stop before more than this many products with the data" + each, "N");
  command.text("--max-projections", projections_,
               "stop after this many projections on sets, one per set and cycle for an intersection" + each, "N");
}

Limits LimitFlags::limits(const data::RunLimits& file) const {
  Limits limits;
  const bool any = !seconds_.empty() || !iterations_.empty() || !passes_.empty() || !projections_.empty() ||
                   file.seconds || file.iterations || file.passes;
  limits.seconds = file.seconds.value_or(limits.seconds);
  limits.iterations = file.iterations.value_or(limits.iterations);
  limits.passes = file.passes.value_or(limits.passes);
  if (default_seconds_ && !any) limits.seconds = *default_seconds_;
  if (!seconds_.empty()) limits.seconds = positive_number("--time-limit", seconds_);
  if (!iterations_.empty()) limits.iterations = positive_integer("--max-iterations", iterations_);
  if (!passes_.empty()) limits.passes = positive_integer("--max-passes", passes_);
  if (!projections_.empty()) limits.projections = positive_integer("--max-projections", projections_);
  return limits;
}

}  // namespace fcbio::cli
