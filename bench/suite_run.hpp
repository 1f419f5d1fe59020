// Running one method on one problem of the suite, and what is recorded about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcbio/method.hpp"
#include "suite_problems.hpp"

namespace fcbio::bench {

struct RunSettings {
  double paper_seconds = 120.0;  ///< most seconds of the published method on one problem and accuracy
  double most_seconds = 60.0;    ///< of the others
  bool verify = false;
};

/// One line of the table.
struct RunRecord {
  std::string problem;
  Accuracy accuracy;
  std::string method;
  std::string engine;   ///< as the result tells it; empty: the method has none
  std::string setting;  ///< what was varied: "eta = 0.001"
  std::string refusal;  ///< not empty: it did not run, and why
  Result result;
  double seconds = 0.0;
  std::int64_t passes = 0;
  bool is_paper = false;
  bool censored = false;                         ///< cut off by a limit: its counts are lower bounds
  std::optional<double> true_excess, true_gap;   ///< against the reference
  std::optional<double> pass_ratio, time_ratio;  ///< of the published method to this one
  bool ratio_is_bound = false;                   ///< the published method was cut off
  std::string bar;                               ///< in words; empty: none
  std::optional<bool> met;
  std::string verified;  ///< "yes", "NO: ..." or empty
};

/// The published method with the settings of the problem (and at its best step length).
RunRecord run_paper(const BenchProblem& problem, const AccuracyCase& one, const RunSettings& settings);
/// Any method; `values` are its options.
RunRecord run_method(const BenchProblem& problem, const AccuracyCase& one, const std::string& method,
                     const OptionValues& values, const RunSettings& settings);
/// Fills in the ratios, and for the default method the bars.
void judge(RunRecord& record, const BenchProblem& problem, const AccuracyCase& one, const RunRecord* paper);

}  // namespace fcbio::bench
