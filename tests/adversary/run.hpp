// One hostile problem: solved, judged by its truth, verified; and the count of many.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "fcbio/result.hpp"
#include "hostile_problem.hpp"

namespace fcbio::adversary {

/// What bounds a solve; no clock.
struct RunLimits {
  std::int64_t iterations = 1000;
  std::int64_t passes = 20000;
  std::int64_t projections = 2'000'000;
};
/// Fewer where every iteration projects on an intersection many times.
RunLimits limits_for(const HostileProblem& problem);

struct RunOutcome {
  std::string refusal;  ///< not empty: the problem was refused, in words
  Result result;
  std::vector<std::string> false_claims;
  std::vector<std::string> rejected;  ///< lines of verify that failed
  std::string broken;                 ///< not empty: an end that is neither a status nor a refusal
  bool certified() const { return refusal.empty() && broken.empty() && result.status == Status::certified; }
  bool failed() const { return !false_claims.empty() || (certified() && !rejected.empty()) || !broken.empty(); }
};

/// `through_files`: the problem and the result are written and read back, as with the program.
RunOutcome run(const HostileProblem& problem, const std::string& method, const RunLimits& limits,
               bool through_files);

struct Tally {
  std::int64_t problems = 0, certified = 0, refused = 0, with_false_claims = 0, certified_but_rejected = 0;
  std::int64_t not_certified = 0, other_rejected = 0, broken = 0;
  std::int64_t failures() const { return with_false_claims + certified_but_rejected + broken; }
  void add(const RunOutcome& outcome);
};

/// Problems number 0 .. count - 1 of each kind named (all if empty), divided evenly.  Every failing problem is
/// written to a folder of its own in `failures` (PROBLEM.toml, result.json, truth.txt), unless that is empty.
std::map<std::string, Tally> run_many(std::int64_t count, std::uint64_t seed, const std::string& kind,
                                      const std::filesystem::path& failures);

/// One line per kind.
std::string table(const std::map<std::string, Tally>& tallies);

/// The method that problem number `index` is solved by: mostly the default, now and then another that fits.
std::string method_for(const HostileProblem& problem, std::uint64_t index);

}  // namespace fcbio::adversary
