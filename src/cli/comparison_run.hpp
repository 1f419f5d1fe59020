// Running a comparison from the command line: reference, methods with progress, table and chart, files.  Shared by
// `compare` and `paper`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments/command_line.hpp"
#include "data/problem.hpp"
#include "experiments/comparison.hpp"
#include "fcbio/threads.hpp"

namespace fcbio::cli {

/// Flags of where results go, and how much is said.
struct ComparisonOutputs {
  std::string json, page, threads = "1", reference_seconds = "60";
  bool quiet = false;
  void attach(arguments::Arguments& command);
};

struct ComparisonPlan {
  std::string kind;  ///< of the report
  std::string title;
  std::string introduction;
  const data::Problem& data;
  Accuracy accuracy;
  Limits limits;
  std::vector<experiments::Contestant> contestants;
  std::vector<report::LeftOut> left_out;
};

class ComparisonRun {
 public:
  /// Refuses now what would fail when files are written.  Throws InvalidArgument.
  explicit ComparisonRun(const ComparisonOutputs& outputs);
  void say(std::string_view text) const;
  /// What all methods solve: the problem without variables that no function depends on (told).
  Problem problem_of(data::Problem data) const;
  /// Returns the exit code: 0, or 130 when interrupted (what was finished is written).
  int run(const ComparisonPlan& plan, const Problem& problem);

 private:
  const ComparisonOutputs& outputs_;
  double reference_seconds_;
  std::optional<ThreadScope> threads_;  // for all that is built and solved
};

}  // namespace fcbio::cli
