#include "python/interrupt.hpp"

namespace fcbio::python {
namespace {

std::atomic<std::atomic<bool>*> current{nullptr};
static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free, "read by a signal handler");
struct sigaction former {};

void on_signal(int signal, siginfo_t* info, void* context) {
  if ((former.sa_flags & SA_SIGINFO) != 0)
    former.sa_sigaction(signal, info, context);
  else
    former.sa_handler(signal);
  if (std::atomic<bool>* stop = current.load()) stop->store(true);
}

}  // namespace

InterruptGuard::InterruptGuard(std::atomic<bool>* stop, bool main_thread) {
  if (!main_thread) return;
  outer_ = current.exchange(stop);
  swapped_ = true;
  if (outer_ != nullptr) return;
  ::sigaction(SIGINT, nullptr, &former);
  if ((former.sa_flags & SA_SIGINFO) == 0 && (former.sa_handler == SIG_DFL || former.sa_handler == SIG_IGN))
    return;
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | (former.sa_flags & SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
  installed_ = true;
}

InterruptGuard::~InterruptGuard() {
  if (installed_) ::sigaction(SIGINT, &former, nullptr);
  if (swapped_) current.store(outer_);
}

}  // namespace fcbio::python
