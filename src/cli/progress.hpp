// What a person sees while a solve runs.  Both observers only print; they never stop or steer a solve.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "fcbio/monitor.hpp"

namespace fcbio::cli {

/// One line on stderr, repainted about ten times a second: bracket of f*, both gaps, passes, time.
/// Silent when stderr is not a terminal.  The destructor clears the line.
class ProgressLine : public Observer {
 public:
  ProgressLine();
  ~ProgressLine() override;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  bool on_progress(const Progress& progress) override;
  void clear();

 private:
  const bool terminal_;
  bool painted_ = false;
  std::chrono::steady_clock::time_point next_{};
};

/// The text of that line, without control characters, at most `width` characters long.
std::string progress_text(const Progress& progress, std::size_t width);

/// A table on stdout: one row for each new round, at doubling iteration counts, and for the last iteration.
class ProgressTable : public Observer {
 public:
  bool on_progress(const Progress& progress) override;
  void finish();  ///< prints the last row if it was not printed

 private:
  void print_row();
  std::int64_t next_iteration_ = 1;
  std::int64_t printed_round_ = 0;
  std::string printed_phase_;
  // The latest iteration, copied: what a Progress points to does not outlive the call.
  Progress latest_;
  Work work_;
  std::string phase_;
  bool pending_ = false;
};

}  // namespace fcbio::cli
