#include "cli/limit_flags.hpp"

#include <CLI/CLI.hpp>

#include "cli/flags.hpp"

namespace fcbio::cli {

void LimitFlags::attach(CLI::App& command, const std::string& each) {
  command.add_option("--time-limit", seconds_, "stop after this many seconds of solving" + each)
      ->type_name("SECONDS");
  command.add_option("--max-iterations", iterations_, "stop after this many iterations" + each)->type_name("N");
  command.add_option("--max-passes", passes_, "stop before more than this many products with the data" + each)
      ->type_name("N");
}

Limits LimitFlags::limits() const {
  Limits limits;
  if (!seconds_.empty()) limits.seconds = positive_number("--time-limit", seconds_);
  if (!iterations_.empty()) limits.iterations = positive_integer("--max-iterations", iterations_);
  if (!passes_.empty()) limits.passes = positive_integer("--max-passes", passes_);
  return limits;
}

}  // namespace fcbio::cli
