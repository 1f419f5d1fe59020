// What a person sees while a solve runs.  Both observers only print; they never stop or steer a solve.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "cli/forecast.hpp"
#include "fcbio/monitor.hpp"
#include "io/read_progress.hpp"

namespace fcbio::cli {

/// One line on stderr, repainted about ten times a second.  Silent when stderr is not a terminal.  The destructor clears
/// the line.
class TerminalLine {
 public:
  /// Nothing is shown before the delay is over.
  explicit TerminalLine(std::chrono::milliseconds delay = {});
  ~TerminalLine() { clear(); }
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;
  /// Whether it is time for another text.
  bool is_due();
  void paint(const std::string& text);  ///< cut off where the terminal ends
  void clear();

 private:
  const bool terminal_;
  bool painted_ = false;
  std::chrono::steady_clock::time_point next_{};
};

/// How a solve goes on: both gaps, passes and their speed, how many there are to go, memory, bracket of f*, time.
class ProgressLine : public Observer {
 public:
  explicit ProgressLine(const Accuracy& accuracy) : forecast_(accuracy) {}
  bool on_progress(const Progress& progress) override;
  void clear() { line_.clear(); }

 private:
  TerminalLine line_;
  Forecast forecast_;
};

/// How far a data file was read.
class ReadLine {
 public:
  explicit ReadLine(bool quiet) : quiet_(quiet) {}
  io::ReadProgress progress();  ///< valid as long as this
  void clear() { line_.clear(); }

 private:
  bool quiet_;
  TerminalLine line_{std::chrono::milliseconds(500)};
};

/// The text of a ProgressLine.
std::string progress_text(const Progress& progress, const Forecast& forecast);

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
