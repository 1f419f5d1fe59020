// The trace of a solve: an observer that writes one JSON line per iteration,
//   {"iteration", "phase", "round", "upper_passes", "lower_passes", "seconds", "upper_value", "lower_value",
//    "level", "bracket_low", "bracket_high", "upper_excess", "lower_gap"}
// with null for what does not exist yet.  Long runs are thinned by the iteration number alone, so that two runs of
// the same problem have the same lines (but for the seconds): with `every` = 0 each iteration up to 1000, then
// each 10th up to 10 000, each 100th up to 100 000 and so on; with `every` = k each k-th.  The last iteration told
// is always there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "fcbio/monitor.hpp"
#include "io/atomic_file.hpp"

namespace fcbio::io {

class TraceWriter : public Observer {
 public:
  /// Throws InputError when the file cannot be made.
  explicit TraceWriter(const std::filesystem::path& file, std::int64_t every = 0);

  bool on_progress(const Progress& progress) override;
  /// Writes what is pending and gives the file its name; to be called once, also after an interrupted solve.
  /// Without it (the solve was refused) no file appears.  Throws InputError.
  void finish();

 private:
  void write_line();
  void flush();
  AtomicFile file_;
  std::int64_t every_;
  std::string buffer_;
  // The latest iteration, copied: it is written if it belongs to the trace, or if it turns out to be the last.
  Progress latest_;
  Work work_;
  std::string phase_;
  bool pending_ = false;
};

/// Whether iteration k belongs to a trace thinned by `every`.
bool belongs_to_trace(std::int64_t iteration, std::int64_t every);

}  // namespace fcbio::io
