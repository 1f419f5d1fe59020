#include "cli/forecast.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio::cli {
namespace {

constexpr double kThinning = 1.02;
constexpr double kWindow = 10.0;  // seconds, for the speed
constexpr double kLeastPower = 0.05, kMostToGo = 1e12;

}  // namespace

double Forecast::missing(const Progress& progress) const {
  double most = 0.0;
  const auto add = [&most](double gap, double asked) {
    if (asked > 0.0) most = std::max(most, std::isfinite(gap) ? gap / asked : kInfinity);
  };
  add(progress.lower_gap, accuracy_.lower);
  if (progress.phase != "lower") add(progress.upper_excess, accuracy_.upper);
  return most;
}

void Forecast::see(const Progress& progress) {
  if (progress.work->passes() < latest_.passes) seen_.clear();  // another solve
  latest_ = {progress.seconds, progress.work->passes(), missing(progress)};
  if (seen_.empty() || static_cast<double>(latest_.passes) >= kThinning * static_cast<double>(seen_.back().passes))
    seen_.push_back(latest_);
}

std::optional<double> Forecast::passes_per_second() const {
  const auto from = std::find_if(seen_.begin(), seen_.end(),
                                 [this](const Seen& seen) { return latest_.seconds - seen.seconds <= kWindow; });
  const Seen first = from != seen_.end() ? *from : (seen_.empty() ? latest_ : seen_.back());
  const double seconds = latest_.seconds - first.seconds;
  if (!(seconds > 0.0) || latest_.passes == first.passes) return std::nullopt;
  return static_cast<double>(latest_.passes - first.passes) / seconds;
}

// gap ~ passes^-p, p from the fall since half as many passes.
std::optional<double> Forecast::passes_to_go() const {
  if (!(latest_.missing < kInfinity)) return std::nullopt;
  if (latest_.missing <= 1.0) return 0.0;
  const auto now = static_cast<double>(latest_.passes);
  const auto half = std::find_if(seen_.begin(), seen_.end(), [&](const Seen& seen) {
    return static_cast<double>(seen.passes) >= 0.5 * now && seen.missing < kInfinity;
  });
  if (half == seen_.end() || half->passes == latest_.passes || half->passes == 0) return std::nullopt;
  const double power =
      std::log(half->missing / latest_.missing) / std::log(now / static_cast<double>(half->passes));
  if (!(power > kLeastPower)) return std::nullopt;
  const double to_go = now * (std::pow(latest_.missing, 1.0 / power) - 1.0);
  return to_go < kMostToGo ? std::optional<double>(to_go) : std::nullopt;
}

}  // namespace fcbio::cli
