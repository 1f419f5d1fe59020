// The independent checker: every claim of a result, recomputed from the problem's plain data, the stored point and
// the stored witness.  It shares no code with the solver.  docs/certificates.md is the page that explains it.
#pragma once

#include <string>
#include <vector>

#include "claims.hpp"
#include "data/problem.hpp"

namespace fcbio::verify {

enum class Outcome {
  ok,
  failed,
  not_claimed,  ///< a null in the result
  not_checked,  ///< nothing to compare it with
  assumed,      ///< a premise taken from the problem file that no computation can check
};

struct Line {
  std::string name;        ///< "lower_gap"
  std::string claimed;     ///< as text
  std::string recomputed;  ///< as text
  Outcome outcome = Outcome::ok;
  std::string note;  ///< why it failed, or what is assumed; may be empty
};

struct VerifyReport {
  bool all_hold = false;  ///< no line failed
  std::vector<Line> lines;
  const Line* find(const std::string& name) const;
};

/// Checks everything.  `fingerprint_found` is the fingerprint of `problem`.  Throws std::invalid_argument only for
/// a problem whose own data do not fit together; whatever is wrong with the claims is a line of the report.
VerifyReport verify(const data::Problem& problem, const Claims& claims, const std::string& fingerprint_found);

/// A table, one line per claim, and a last line with the verdict.
std::string to_text(const VerifyReport& report);

}  // namespace fcbio::verify
