#include "solver/skeleton/ledger_progress.hpp"

#include <cmath>

namespace fcbio {

double known(double number) { return std::isfinite(number) ? number : kUnknown; }

Progress unknown_progress(std::string_view phase, std::int64_t round) {
  Progress progress;
  progress.phase = phase;
  progress.round = round;
  progress.upper_value = progress.lower_value = progress.level = kUnknown;
  progress.bracket_low = progress.bracket_high = progress.upper_excess = progress.lower_gap = kUnknown;
  return progress;
}

Progress progress_of(const Ledger& ledger, std::string_view phase, std::int64_t round) {
  Progress progress = unknown_progress(phase, round);
  progress.bracket_low = known(ledger.upper_lower_bound());
  progress.bracket_high = known(ledger.candidate_upper());
  progress.upper_excess = known(ledger.candidate_upper() - ledger.upper_lower_bound());
  progress.lower_gap = known(ledger.candidate_lower() - ledger.lower_lower_bound());
  return progress;
}

}  // namespace fcbio
