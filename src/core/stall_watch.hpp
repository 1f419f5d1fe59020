// Notices that a run will not reach its aim.  Progress is a value that got lower or a gap that got closer; a run
// stalls when it has made none for too long, by any of the rules it was given:
//   idle    more than `most_idle` steps without progress: rounding, as a rule;
//   halves  no progress in the second half of a run that is long already.  By theory the gap of a first-order
//   method
//           falls by a constant factor whenever the number of steps doubles;
//   creeps  the gap closes, but too slowly.  Judged over windows that double: if the gap shrank by a factor s
//   while
//           the number of steps grew fourfold, it falls like steps^-p with p = log s / log 4 (first-order methods
//           promise 1 at least), and the aim is (gap / aim)^(1/p) times as many steps away.
// What to do about it (end, change the form of the method, try another multiplier) is up to the caller.
#pragma once

#include <cstdint>
#include <limits>

#include "linalg/archive.hpp"

namespace fcbio {

struct StallRules {
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  double lower =
      1e-15;  ///< a value is lower when it fell by more than this share of itself: beyond its last digit
  double lower_by = 0.0;  ///< and by more than this
  double closer = 0.99;  ///< a gap is closer when it is at most this share of the last one that was
  std::int64_t most_idle = kNever;
  std::int64_t long_run = kNever;  ///< steps from which on a second half without progress is a stall
  double aim = 0.0;                ///< > 0: a gap that creeps towards this is a stall

  void archive(Archive& archive) { archive(lower, lower_by, closer, most_idle, long_run, aim); }
};

class StallWatch {
 public:
  /// `first_value`: where the run begins, if that is known; what comes after it is compared with it.
  explicit StallWatch(const StallRules& rules, double first_value = kInfinity)
      : rules_(rules), least_value_(first_value) {}

  /// To be called once per step, with the value and its gap to the best bound; a gap that is infinite, NaN or not
  /// positive says nothing.  True: the run stalls.
  bool stalls(double value, double gap);
  /// The same where there is no value to look at.
  bool stalls(double gap) { return stalls(kInfinity, gap); }

  /// Steps since the last progress: 0 when the last step made some.
  std::int64_t idle() const { return idle_; }
  /// Forgives what was idle, and is this many times as patient from now on.
  void wait_longer(std::int64_t factor) {
    idle_ = 0;
    rules_.most_idle *= factor;
  }

  void archive(Archive& archive) {
    archive(rules_, least_value_, noticed_gap_, least_gap_, steps_, idle_, window_end_, gap_a_window_ago_,
            gap_two_windows_ago_);
  }

 private:
  bool creeps();

  static constexpr std::int64_t kFirstWindow = 1000;
  static constexpr double kMostSteps = 1e7;  // a run that needs more than this is as good as endless
  StallRules rules_;
  double least_value_;
  double noticed_gap_ = kInfinity, least_gap_ = kInfinity;
  std::int64_t steps_ = 0, idle_ = 0;
  std::int64_t window_end_ = kFirstWindow;
  double gap_a_window_ago_ = kInfinity, gap_two_windows_ago_ = kInfinity;
};

}  // namespace fcbio
