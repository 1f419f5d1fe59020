// See report_data.hpp.
#include "cli/report_data.hpp"

#include <fmt/format.h>

#include "cli/flags.hpp"
#include "fcbio/error.hpp"
#include "report/cuts.hpp"

namespace fcbio::cli {
report::Details problem_details(const data::Problem& data, const std::string& fingerprint) {
  report::Details details;
  if (!data.file.empty()) details.emplace_back("Problem file", data.file.string());
  details.emplace_back("Upper objective f", data::in_words(data.upper));
  details.emplace_back("Lower objective g", data::in_words(data.lower));
  details.emplace_back("Domain Z", data::in_words(data.domain));
  details.emplace_back("Unknowns", std::to_string(data.dimension));
  details.emplace_back("Start", data.start ? "given" : "projection of 0 onto Z");
  for (const std::string& note : data.notes) details.emplace_back("Note", note);
  details.emplace_back("Fingerprint", fingerprint);
  return details;
}

report::Run report_run(std::string name, const Problem& problem, const Result& result,
                       const report::Recorder& recorder) {
  return {std::move(name), result, recorder.samples(), report::proved_cuts(problem, result)};
}

void check_report_file(const std::string& file) {
  if (!file.ends_with(".html") && !file.ends_with(".htm"))
    throw InvalidArgument(fmt::format("--report: expected a name ending in .html, found '{}'", file));
  check_writable("--report", file);
}

}  // namespace fcbio::cli
