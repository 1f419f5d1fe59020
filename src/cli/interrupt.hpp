// Ctrl-C.  The library installs no signal handler; the program does, around a solve.
#pragma once

#include <signal.h>

#include <atomic>

namespace fcbio::cli {

/// While this lives, SIGINT and SIGTERM set a flag that a Monitor watches, so that the solve stops at its next
/// iteration and the best point is written.  A second signal ends the program at once with exit code 130.
/// One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();  ///< the former handlers come back
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  const std::atomic<bool>* flag() const;

 private:
  struct sigaction former_interrupt_ {};
  struct sigaction former_terminate_ {};
};

}  // namespace fcbio::cli
