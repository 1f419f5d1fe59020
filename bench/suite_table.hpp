// The table on the screen and the JSON file.
#pragma once

#include <string>
#include <vector>

#include "suite_run.hpp"

namespace fcbio::bench {

std::string table_head();
std::string table_line(const RunRecord& record);
/// A problem that could not be made, with the reason.
std::string skipped_line(const std::string& problem, const std::string& reason);

struct Skipped {
  std::string problem, reason;
};

/// Everything of a run; `problems` are name and summary.
std::string to_json(const std::vector<std::pair<std::string, std::string>>& problems,
                    const std::vector<RunRecord>& records, const std::vector<Skipped>& skipped, int threads);

}  // namespace fcbio::bench
