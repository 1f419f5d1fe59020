// See interrupt.hpp.
#include "cli/interrupt.hpp"

#include <unistd.h>

#include "cli/exit_code.hpp"

namespace fcbio::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "written by a signal handler");

void on_signal(int) {
  if (interrupted.exchange(true)) ::_exit(kInterrupted);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // a write in progress must not fail
  ::sigaction(SIGINT, &action, &former_interrupt_);
  ::sigaction(SIGTERM, &action, &former_terminate_);
}

InterruptGuard::~InterruptGuard() {
  ::sigaction(SIGINT, &former_interrupt_, nullptr);
  ::sigaction(SIGTERM, &former_terminate_, nullptr);
}

const std::atomic<bool>* InterruptGuard::flag() const { return &interrupted; }

}  // namespace fcbio::cli
