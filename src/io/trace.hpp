// The trace of a solve: an observer that writes one JSON line per iteration,
//   {"iteration", "phase", "round", "upper_passes", "lower_passes", "seconds", "upper_value", "lower_value",
//    "level", "bracket_low", "bracket_high", "upper_excess", "lower_gap"}
// with null for what does not exist yet.  f and g that a method did not compute are evaluated at its point, for the
// lines that are written, outside of its counts and its clock.  Long runs are thinned by the iteration number alone, so that two runs of
// the same problem have the same lines (but for the seconds): with `every` = 0 each iteration up to 1000, then
// each 10th up to 10 000, each 100th up to 100 000 and so on; with `every` = k each k-th.  The last iteration told
// is always there.
//
// The file can be followed (tail -f) while a solve runs: whole lines appear in it, the first after a second or so.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "fcbio/monitor.hpp"
#include "fcbio/problem.hpp"
#include "io/atomic_file.hpp"

namespace fcbio::io {

class TraceWriter : public Observer {
 public:
  /// Throws InputError when the file cannot be made.  `problem`, which must outlive it: whose f and g are evaluated
  /// where a method does not tell them; null: they are null there.
  /// Lines appear at the latest `delay` after they were told, with the next one.
  explicit TraceWriter(const std::filesystem::path& file, std::int64_t every = 0, const Problem* problem = nullptr,
                       std::chrono::milliseconds delay = std::chrono::seconds(1));

  bool on_progress(const Progress& progress) override;
  /// Writes what is pending; to be called once, also after an interrupted solve.  Without it, and before any line
  /// appeared (the solve was refused), there is no file, and an older one stays.  Throws InputError.
  void finish();

 private:
  void write_line();
  void flush();
  void show();
  AtomicFile file_;
  std::int64_t every_;
  const Problem* problem_;
  const std::chrono::milliseconds delay_;
  std::chrono::steady_clock::time_point appeared_ = std::chrono::steady_clock::now();
  std::string buffer_;
  // The latest iteration, copied: it is written if it belongs to the trace, or if it turns out to be the last.
  Progress latest_;
  Work work_;
  Vector point_;  // where f or g are to be evaluated
  std::string phase_;
  bool pending_ = false;
};

/// Whether iteration k belongs to a trace thinned by `every`.
bool belongs_to_trace(std::int64_t iteration, std::int64_t every);

}  // namespace fcbio::io
