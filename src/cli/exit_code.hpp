// What the program's exit code says; part of the outside contract.
#pragma once

#include "fcbio/result.hpp"

namespace fcbio::cli {

inline constexpr int kSuccess = 0;       ///< certified; for verify: every claim holds
inline constexpr int kClaimFailed = 1;   ///< verify: a claim does not hold; hard: a theorem was contradicted
inline constexpr int kBadInput = 2;      ///< bad usage or input; nothing was written
inline constexpr int kLimitReached = 3;  ///< a limit was reached, or stalled; the best point was written
inline constexpr int kNotFinite = 4;     ///< a value was not finite, or not convex; the best point was written
inline constexpr int kNotProved =
    5;  ///< converged, but f is not proved within what was asked; the point was written
inline constexpr int kInterrupted = 130;  ///< Ctrl-C or SIGTERM; the best point was written

/// Whether f(x) - f* is proved to be within the accuracy asked for.
inline bool upper_is_proved(const Result& result) {
  const Certificate& known = result.certificate;
  return known.evidence == Evidence::proved && known.upper_excess && *known.upper_excess <= result.accuracy.upper;
}

inline int exit_code(const Result& result) {
  switch (result.status) {
    case Status::certified:
      return kSuccess;
    case Status::converged:
      return upper_is_proved(result) ? kSuccess : kNotProved;
    case Status::iteration_limit:
    case Status::time_limit:
    case Status::work_limit:
    case Status::stalled:
      return kLimitReached;
    case Status::interrupted:
      return kInterrupted;
    case Status::not_finite:
    case Status::not_convex:
      return kNotFinite;
  }
  return kLimitReached;
}

}  // namespace fcbio::cli
