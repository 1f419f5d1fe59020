#include "fcbio/monitor.hpp"

#include <algorithm>
#include <utility>

#include "core/checkpoints.hpp"
#include "parallel/decisions.hpp"

namespace fcbio {

Monitor::Monitor(Limits limits, const std::atomic<bool>* interrupt) : limits_(limits), interrupt_(interrupt) {
  start();
}

void Monitor::start() {
  work_ = Work{};
  stopped_.reset();
  reason_.clear();
  violation_.reset();
  since_look_ = 0.0;
  gave_up_ = false;
  paused_ = Clock::duration::zero();
  started_ = Clock::now();
}

double Monitor::seconds_at(Clock::time_point now) const {
  return before_ + std::chrono::duration<double>(now - started_ - paused_).count();
}

void Monitor::show_restored(Index dimension, Restore restore) {
  restore_ = std::move(restore);
  restored_ = Vector::Zero(restore_ ? dimension : 0);
}

double Monitor::seconds() const { return seconds_at(Clock::now()); }

bool Monitor::may_iterate(std::int64_t passes) {
  if (!may_spend(passes)) return false;
  if (!is_resuming() && work_.iterations >= limits_.iterations) stop(Status::iteration_limit);
  return !stopped();
}

bool Monitor::is_resuming() const { return checkpoints_ != nullptr && checkpoints_->is_resuming(); }

void Monitor::archive(Archive& archive) {
  double spent = seconds();
  archive(work_, spent);
  if (!archive.is_reading()) return;
  before_ += spent - seconds();
}

void Monitor::safe_point() {
  if (checkpoints_ == nullptr || stopped()) return;
  const Clock::time_point called = Clock::now();
  const bool is_last = interrupted() || is_late() || work_.iterations >= limits_.iterations;
  checkpoints_->reached(*this, is_last);
  paused_ += Clock::now() - called;
}

bool Monitor::may_spend(std::int64_t passes) {
  if (stopped()) return false;
  if (is_resuming()) return true;
  const parallel::Look now = parallel::agreed({seconds(), interrupted()});
  if (now.interrupted) {
    stop(Status::interrupted);
  } else if (passes > limits_.passes - reserved_passes_ - work_.passes() ||
             work_.projections >= limits_.projections) {
    stop(Status::work_limit);
  } else if (now.seconds >= limits_.seconds) {
    stop(Status::time_limit);
  }
  return !stopped();
}

void Monitor::iteration_done(Progress progress) {
  ++work_.iterations;
  if (observers_.empty()) return;
  const Clock::time_point called = Clock::now();
  progress.work = &work_;
  if (restore_ && progress.x != nullptr) {
    restore_(*progress.x, restored_);
    progress.x = &restored_;
  }
  progress.seconds = seconds_at(called);
  for (Observer* observer : observers_)
    if (!observer->on_progress(progress)) stop(Status::interrupted);
  paused_ += Clock::now() - called;
}

void Monitor::stop(Status status, std::string reason) {
  if (stopped_) return;
  stopped_ = status;
  reason_ = std::move(reason);
}

bool Monitor::is_over(double operations, std::int64_t projections) {
  work_.projections += projections;
  since_look_ += operations;
  if (is_resuming()) return false;
  const bool looks = since_look_ >= kBetweenLooks;
  if (looks) since_look_ = 0.0;
  const parallel::Look now =
      looks ? parallel::agreed({seconds(), interrupted()}) : parallel::Look{-kInfinity, false};
  if (proving_) {
    if (now.interrupted && grace_end_ == kInfinity) grace_end_ = now.seconds + kGrace;
    gave_up_ = gave_up_ || now.seconds >= grace_end_;
    return gave_up_;
  }
  if (gave_up_) return true;
  if (now.interrupted) {
    stop(Status::interrupted);
  } else if (work_.projections > limits_.projections) {
    stop(Status::work_limit);
  } else if (now.seconds >= limits_.seconds) {
    stop(Status::time_limit);
  } else {
    return false;
  }
  return gave_up_ = true;
}

namespace {

std::int64_t limited(std::int64_t done, double more, std::int64_t limit) {
  const double end = static_cast<double>(done) + more;
  return end < static_cast<double>(limit) ? static_cast<std::int64_t>(end) : limit;
}

}  // namespace

Monitor::Allowance::Allowance(Monitor& monitor, const Work& done, double passes, double iterations)
    : monitor_(monitor), passes_(monitor.limits_.passes), iterations_(monitor.limits_.iterations) {
  monitor.limits_.passes = limited(done.passes(), passes, passes_);
  monitor.limits_.iterations = limited(done.iterations, iterations, iterations_);
}

Monitor::Allowance::~Allowance() {
  const bool by_passes = monitor_.stopped_ == Status::work_limit && monitor_.limits_.passes < passes_ &&
                         monitor_.work_.projections < monitor_.limits_.projections;
  const bool by_iterations =
      monitor_.stopped_ == Status::iteration_limit && monitor_.limits_.iterations < iterations_;
  if (by_passes || by_iterations) monitor_.stopped_.reset();
  monitor_.limits_.passes = passes_;
  monitor_.limits_.iterations = iterations_;
}

Monitor Monitor::for_judgement() const {
  const double now = parallel::agreed({seconds(), false}).seconds;
  return Monitor(Limits{.seconds = std::max(0.0, limits_.seconds - now)}, interrupt_);
}

Monitor::Grace::Grace(Monitor& monitor) : monitor_(monitor), gave_up_before_(monitor.gave_up_) {
  const parallel::Look now = parallel::agreed({monitor.seconds(), monitor.interrupted()});
  const double limit = monitor.limits_.seconds;
  monitor.proving_ = true;
  monitor.gave_up_ = false;
  const double end =
      limit < kInfinity ? std::max(limit, now.seconds) : (now.interrupted ? now.seconds : kInfinity);
  monitor.grace_end_ = end + kGrace;
}

Monitor::Grace::~Grace() {
  monitor_.proving_ = false;
  monitor_.gave_up_ = gave_up_before_;
}

void Monitor::refute(ConvexityViolation violation) {
  if (!violation_) violation_ = std::move(violation);
  stopped_ = Status::not_convex;
}

}  // namespace fcbio
