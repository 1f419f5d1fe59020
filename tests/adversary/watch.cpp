#include "watch.hpp"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

namespace fcbio::adversary {
namespace {

std::array<char, 200> current{};

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void tell(int signal_number) {
  say(signal_number == SIGPROF ? "adversary: no end: " : "adversary: crashed: ");
  say(current.data());
  say("\n");
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/// Processor time: a busy machine is not a program that hangs.
void set_timer(int seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

double Watch::processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Watch::Watch(const std::string& name) {
  const std::size_t length = std::min(name.size(), current.size() - 1);
  std::copy_n(name.data(), length, current.data());
  current[length] = '\0';
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGPROF}) signal(number, tell);
  set_timer(kMostSeconds);
}

Watch::~Watch() {
  set_timer(0);
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGPROF}) signal(number, SIG_DFL);
}

}  // namespace fcbio::adversary
