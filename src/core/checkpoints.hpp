// Checkpoints of a solve, and going on from one to the same bits.
//
// A solve is a stack of loops: accuracies in units of the answer around engines, engines around phases, phases around
// multipliers.  Every loop that has state of its own puts a Frame on the stack that lists it; what is not listed is
// found anew from the problem, in the same way.  Where all that a solve knows is in its frames, the innermost loop
// says so (Monitor::safe_point()), and there a snapshot can be taken: all frames, the outermost first, and what the
// monitor has counted.
//
// To go on, the solve is begun as always.  Every frame reads its state as it is made, so the outer loops only go to where
// they were: while Monitor::is_resuming() they leave out what is done already, no limit counts, and work counts are
// those of the snapshot once the innermost frame has read.
//
// The clock decides when snapshots are taken and stored, and nothing else: the solve does not see them.
//
// Ranks of one job (parallel/decisions.hpp) have a snapshot each, of their own rows.  They take and store them at the
// same safe points, so that the last ones of all ranks are of the same moment.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/state.hpp"
#include "fcbio/monitor.hpp"

namespace fcbio {

class Checkpoints {
 public:
  /// Takes the bytes of a snapshot to where they survive.  Must not throw: the solve goes on without.  Called by all
  /// ranks or by none: may be collective.
  using Store = std::function<void(std::string_view state)>;

  /// Stored every `seconds` (0: at every safe point).  Between, snapshots are taken into memory as often as costs
  /// little, so that a solve that is stopped within a step has lost little.
  Checkpoints(double seconds, Store store) : seconds_(seconds), store_(std::move(store)) {}
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  /// The next solve goes on from this snapshot of the same solve.
  void go_on_from(std::string state);
  bool is_resuming() const { return frames_to_read_ > 0; }
  /// Stores the last snapshot, unless that is done.  False: there is none.
  bool store_last();

  /// What a frame of the stack is to this.
  class Listed {
   public:
    virtual void archive(Archive& archive) = 0;

   protected:
    ~Listed() = default;
  };
  /// True: `frame` has read its state.
  bool enter(Listed& frame, Monitor& monitor);
  void leave() { stack_.pop_back(); }
  /// `is_last`: the solve is about to stop.  Collective, where decisions are shared.
  void reached(Monitor& monitor, bool is_last);

 private:
  using Clock = std::chrono::steady_clock;
  void take(Monitor& monitor);

  const double seconds_;
  const Store store_;
  std::vector<Listed*> stack_;
  Archive snapshot_;
  bool is_stored_ = true;  // or there is none
  std::string resumed_;
  std::optional<Archive> reading_;
  std::size_t frames_to_read_ = 0;
  Clock::time_point stored_ = Clock::now(), taken_{};
  Clock::duration cost_{};  // of the last snapshot
};

/// The state of one loop, while it lives: `list` is called with an Archive.
///     const Frame frame(monitor, [&](Archive& archive) { archive(trial, stepped); });
template <class List>
class Frame final : private Checkpoints::Listed {
 public:
  Frame(Monitor& monitor, List list) : checkpoints_(monitor.checkpoints()), list_(std::move(list)) {
    if (checkpoints_ != nullptr) resumed_ = checkpoints_->enter(*this, monitor);
  }
  ~Frame() {
    if (checkpoints_ != nullptr) checkpoints_->leave();
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  /// Whether the state is that of a snapshot.
  bool is_resumed() const { return resumed_; }

 private:
  void archive(Archive& archive) override { list_(archive); }

  Checkpoints* const checkpoints_;
  List list_;
  bool resumed_ = false;
};

}  // namespace fcbio
