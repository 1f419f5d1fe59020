// Ctrl-C during a solve that holds the main thread of Python.
#pragma once

#include <signal.h>

#include <atomic>

namespace fcbio::python {

/// While it lives, SIGINT also sets `stop`; Python's own handler runs before that as ever, and what it has to say
/// (KeyboardInterrupt, or a handler of the user's) is heard when the solve has returned.  Nothing is done outside
/// of the main thread, to which signals belong, nor where SIGINT is ignored or ends the process.
class InterruptGuard {
 public:
  InterruptGuard(std::atomic<bool>* stop, bool main_thread);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  bool installed_ = false;
  bool swapped_ = false;
  std::atomic<bool>* outer_ = nullptr;  // of a solve from whose callback this one was begun
};

}  // namespace fcbio::python
