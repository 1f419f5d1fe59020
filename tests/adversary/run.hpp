// One hostile problem: solved, judged by its truth, verified; and the count of many.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "claims.hpp"
#include "fcbio/result.hpp"
#include "hostile_problem.hpp"
#include "io/result_json.hpp"

namespace fcbio::adversary {

/// What bounds a solve; no clock.
struct RunLimits {
  std::int64_t iterations = 200;
  std::int64_t passes = 20000;
  std::int64_t projections = 300'000;
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

/// What verify takes, as the program makes it from a stored result.
verify::Claims stored_claims(const io::StoredResult& stored);

/// Problems of the kind named (of all kinds in turn if empty).  Every failing problem is
/// written to a folder of its own in `failures` (PROBLEM.toml, result.json, truth.txt), unless that is empty.
struct RunPlan {
  std::int64_t count = 0;
  std::uint64_t seed = 1;
  std::string kind = {};
  std::filesystem::path failures = {};
  std::int64_t iterations = 0;  ///< of a solve; 0: as limits_for() says
  bool tell_each = false;       ///< a line on standard output after every problem
};
std::map<std::string, Tally> run_many(const RunPlan& plan);

/// One line per kind.
std::string table(const std::map<std::string, Tally>& tallies);

/// The method that problem number `index` is solved by: mostly the default, now and then another that fits.
std::string method_for(const HostileProblem& problem, std::uint64_t index);

}  // namespace fcbio::adversary
