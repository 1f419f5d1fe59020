#include "core/stall_watch.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio {

bool StallWatch::stalls(double value, double gap) {
  ++steps_;
  const bool lower = value < least_value_ - std::max(rules_.lower_by, rules_.lower * std::abs(least_value_));
  const bool closer = gap > 0.0 && gap < kInfinity && gap <= rules_.closer * noticed_gap_;
  if (lower || !(least_value_ < kInfinity)) least_value_ = value;
  if (closer) noticed_gap_ = gap;
  if (gap > 0.0 && gap < least_gap_) least_gap_ = gap;
  idle_ = lower || closer ? 0 : idle_ + 1;
  const std::int64_t improved_at = steps_ - idle_;
  const bool crept = rules_.aim > 0.0 && creeps();
  return idle_ > rules_.most_idle || (steps_ >= rules_.long_run && steps_ >= 2 * improved_at) || crept;
}

bool StallWatch::creeps() {
  if (steps_ < window_end_) return false;
  const double shrunk = gap_two_windows_ago_ / least_gap_;
  gap_two_windows_ago_ = gap_a_window_ago_;
  gap_a_window_ago_ = least_gap_;
  window_end_ = 2 * steps_;
  if (steps_ < 4 * kFirstWindow || !(least_gap_ > rules_.aim)) return false;
  const double power = std::log(shrunk) / std::log(4.0);
  const double needed = static_cast<double>(steps_) * std::pow(least_gap_ / rules_.aim, 1.0 / power);
  return !(needed < kMostSteps);
}

}  // namespace fcbio
