// From problems and results to what a report page shows; shared by the commands that take --report.
#pragma once

#include <string>

#include "data/problem.hpp"
#include "fcbio/problem.hpp"
#include "report/report.hpp"

namespace fcbio::cli {

/// Objectives, domain, sizes, start, notes and fingerprint, in words.
report::Details problem_details(const data::Problem& data, const std::string& fingerprint);

/// A finished run with its samples and the cuts it proves.
report::Run report_run(std::string name, const Problem& problem, const Result& result,
                       const report::Recorder& recorder);

/// Refuses a name that does not end in .html or .htm, and a place where nothing can be written.
void check_report_file(const std::string& file);

}  // namespace fcbio::cli
