// What the program's exit code says; part of the outside contract.
#pragma once

#include "fcbio/result.hpp"

namespace fcbio::cli {

inline constexpr int kSuccess = 0;        ///< certified or converged; for verify: every claim holds
inline constexpr int kClaimFailed = 1;    ///< verify: a claim does not hold; hard: a theorem was contradicted
inline constexpr int kBadInput = 2;       ///< bad usage or input; nothing was written
inline constexpr int kLimitReached = 3;   ///< a limit was reached, or stalled; the best point was written
inline constexpr int kNotFinite = 4;      ///< a value was not finite, or not convex; the best point was written
inline constexpr int kInterrupted = 130;  ///< Ctrl-C or SIGTERM; the best point was written

constexpr int exit_code(Status status) {
  switch (status) {
    case Status::certified:
    case Status::converged:
      return kSuccess;
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
