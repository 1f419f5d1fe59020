// From problems and results to what a report page shows; shared by the commands that take --report.
#pragma once

#include <string>

#include "data/problem.hpp"
#include "fcbio/per_level.hpp"
#include "fcbio/problem.hpp"
#include "report/report.hpp"

namespace fcbio::cli {

/// Objectives, domain, sizes, start, notes and fingerprint, in words.
report::Details problem_details(const data::Problem& data, const std::string& fingerprint);

/// A finished run with its samples and the cuts it proves.
report::Run report_run(std::string name, const Problem& problem, const Result& result,
                       const report::Recorder& recorder);

/// What a page tells about the answer that its numbers do not: taken from the data before that moves into the
/// solver's problem.
class AnswerWords {
 public:
  AnswerWords() = default;
  explicit AnswerWords(const data::Problem& data);
  /// Fills in the solution, and how well it classifies where the problem is about that.
  void describe(const Problem& problem, const Vector& x, report::Report& page) const;

 private:
  struct Labels {
    std::size_t term = 0;  ///< of its level
    Vector labels;
  };
  report::Coordinates coordinates_;
  PerLevel<std::vector<Labels>> classifiers_;
};

/// Refuses a name that does not end in .html or .htm, and a place where nothing can be written.
void check_report_file(const std::string& file);

}  // namespace fcbio::cli
