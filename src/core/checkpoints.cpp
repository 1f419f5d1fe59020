#include "core/checkpoints.hpp"

#include "parallel/decisions.hpp"

namespace fcbio {
namespace {

constexpr int kPause = 20;  // times as long as a snapshot takes
// What ranks tell each other about a safe point.
constexpr unsigned kDue = 1, kLast = 2, kTooSoon = 4;

}  // namespace

void Checkpoints::go_on_from(std::string state) {
  resumed_ = std::move(state);
  reading_.emplace(std::string_view(resumed_));
  (*reading_)(frames_to_read_);
  if (frames_to_read_ == 0) throw ArchiveError("no loops");
}

bool Checkpoints::store_last() {
  if (!is_stored_) store_(snapshot_.written());
  is_stored_ = true;
  return !snapshot_.written().empty();
}

bool Checkpoints::enter(Listed& frame, Monitor& monitor) {
  const bool reads = is_resuming();
  if (reads) {
    frame.archive(*reading_);
    if (--frames_to_read_ == 0) {
      monitor.archive(*reading_);
      if (!reading_->is_exhausted()) throw ArchiveError("more than the state of this solve");
      reading_.reset();
      resumed_ = {};
    }
  }
  stack_.push_back(&frame);
  return reads;
}

void Checkpoints::reached(Monitor& monitor, bool is_last) {
  const Clock::time_point now = Clock::now();
  unsigned mine = 0;
  if (std::chrono::duration<double>(now - stored_).count() >= seconds_) mine |= kDue;
  if (is_last) mine |= kLast;
  if (now - taken_ < kPause * cost_) mine |= kTooSoon;
  const unsigned all = parallel::raised_by_any(static_cast<std::uint8_t>(mine));
  if ((all & (kDue | kLast)) != 0 || (all & kTooSoon) == 0) take(monitor);
  if ((all & kDue) == 0) return;
  store_last();
  stored_ = Clock::now();
}

void Checkpoints::take(Monitor& monitor) {
  const Clock::time_point began = Clock::now();
  snapshot_.clear();
  std::size_t frames = stack_.size();
  snapshot_(frames);
  for (Listed* frame : stack_) frame->archive(snapshot_);
  monitor.archive(snapshot_);
  is_stored_ = false;
  taken_ = Clock::now();
  cost_ = taken_ - began;
}

}  // namespace fcbio
