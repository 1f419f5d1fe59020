#include "fcbio/monitor.hpp"

namespace fcbio {

Monitor::Monitor(Limits limits, const std::atomic<bool>* interrupt) : limits_(limits), interrupt_(interrupt) {
  start();
}

void Monitor::start() {
  work_ = Work{};
  stopped_.reset();
  violation_.reset();
  reserved_passes_ = 0;
  paused_ = Clock::duration::zero();
  started_ = Clock::now();
}

double Monitor::seconds() const {
  return std::chrono::duration<double>(Clock::now() - started_ - paused_).count();
}

bool Monitor::may_iterate(std::int64_t passes) {
  if (!may_spend(passes)) return false;
  if (work_.iterations >= limits_.iterations) stop(Status::iteration_limit);
  return !stopped();
}

bool Monitor::may_spend(std::int64_t passes) {
  if (stopped()) return false;
  if (interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed)) {
    stop(Status::interrupted);
  } else if (passes > limits_.passes - reserved_passes_ - work_.passes()) {
    stop(Status::work_limit);
  } else if (limits_.seconds < kInfinity && seconds() >= limits_.seconds) {
    stop(Status::time_limit);
  }
  return !stopped();
}

void Monitor::iteration_done(Progress progress) {
  ++work_.iterations;
  if (observers_.empty()) return;
  const Clock::time_point called = Clock::now();
  progress.work = &work_;
  progress.seconds = std::chrono::duration<double>(called - started_ - paused_).count();
  for (Observer* observer : observers_)
    if (!observer->on_progress(progress)) stop(Status::interrupted);
  paused_ += Clock::now() - called;
}

void Monitor::stop(Status status) {
  if (!stopped_) stopped_ = status;
}

void Monitor::refute(ConvexityViolation violation) {
  if (!violation_) violation_ = std::move(violation);
  stopped_ = Status::not_convex;
}

}  // namespace fcbio
