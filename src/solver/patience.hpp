// Notices that a run of an engine will not reach its aim: because neither the value nor the gap gets smaller,
// which is rounding, or because the gap creeps.  Creeping is judged over windows that double: if the gap shrank by
// a factor s while the number of steps grew fourfold, it falls like steps^-p with p = log s / log 4 (first-order
// methods promise 1 at least), and the aim is (gap / aim)^(1/p) times as many steps away.
#pragma once

#include <cmath>
#include <cstdint>

#include "fcbio/types.hpp"

namespace fcbio {

class Patience {
 public:
  explicit Patience(double aim) : aim_(aim) {}

  /// To be called at every step with the value and its gap to the best bound.
  bool is_over(double value, double gap) {
    const bool lower = value < least_value_ - 1e-15 * std::abs(least_value_);
    const bool closer = gap > 0.0 && gap < 0.99 * noticed_gap_;
    if (lower || !(least_value_ < kInfinity)) least_value_ = value;
    if (closer) noticed_gap_ = gap;
    if (gap > 0.0 && gap < least_gap_) least_gap_ = gap;
    idle_ = lower || closer ? 0 : idle_ + 1;
    return idle_ > kMostIdle || creeps();
  }

 private:
  bool creeps() {
    if (++steps_ < window_end_) return false;
    const double shrunk = gap_two_windows_ago_ / least_gap_;
    gap_two_windows_ago_ = gap_a_window_ago_;
    gap_a_window_ago_ = least_gap_;
    window_end_ = 2 * steps_;
    if (steps_ < 4 * kFirstWindow || !(least_gap_ > aim_)) return false;
    const double power = std::log(shrunk) / std::log(4.0);
    const double needed = static_cast<double>(steps_) * std::pow(least_gap_ / aim_, 1.0 / power);
    return !(needed < kMostSteps);
  }

  static constexpr int kMostIdle = 300;
  static constexpr std::int64_t kFirstWindow = 1000;
  static constexpr double kMostSteps = 1e7;
  double aim_;
  double least_value_ = kInfinity, least_gap_ = kInfinity, noticed_gap_ = kInfinity;
  int idle_ = 0;
  std::int64_t steps_ = 0, window_end_ = kFirstWindow;
  double gap_a_window_ago_ = kInfinity, gap_two_windows_ago_ = kInfinity;
};

}  // namespace fcbio
