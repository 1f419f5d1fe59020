// result.json, schema 1: what a solve found, and everything needed to prove it again.
//
//   "witness": {"multiplier": mu, "reference": VEC,
//               "lower_bound": {"kind": "known|dual|none", "upper_duals": [VEC ...], "lower_duals": [VEC ...],
//                               "point": VEC,
//                               "domain": {"multipliers": VEC, "shares": [VEC ...], "parts": [the same ...]}},
//               "upper_bound": {the same}}
//
// "witness.region", {"by": "squared-norm|least-squares|nearest", "radius": R, "beta": ..., "point": VEC}, is there
// only where bounds rest on a ball that was found for a set without end.  "domain" is there only where the set needs a witness: multipliers of a halfspace or of equations, shares of the
// members of an intersection (one of them [], which gets what is left), parts of a compound set.
// "engine", "certificate.shortfall", "certificate.tight_level", "certificate.tight_excess", "certificate.premises", "work.certified_after",
// "seconds.certified" and "accuracy.tight" are there only where they mean something; so is, with the status not_convex,
//
//   "convexity": {"function": NAME, "level": "upper|lower", "amount": ..., "distance": ..., "first": VEC,
//                 "second": VEC}     the linearisation at `first` lies above the function at `second`.
//
// "parallel", {"ranks": 1, "threads": 1}, tells who computed it.
//
// "problem.names", of the variables of a short x, and "problem.maximized", the levels whose values are the
// negatives of what is maximised, are there only where there are some.
//
// "accuracy.from" tells whether the problem file asked for it ("problem") or flags changed that ("command line").
// "digest" comes last and is over all the rest (result_digest.hpp).
//
// VEC is an array of numbers up to kInlineNumbers entries, else the name of a .npy file beside result.json.  A
// term that needs no dual has [].  A number that is not known or not finite is null.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcbio/per_level.hpp"
#include "fcbio/result.hpp"
#include "io/text_source.hpp"
#include "io/vector_file.hpp"

namespace fcbio::io {

inline constexpr Index kInlineNumbers = 1000;
inline constexpr const char* kFromProblem = "problem";
inline constexpr const char* kFromCommandLine = "command line";

/// What a result file tells besides the Result.
struct ResultContext {
  std::string fingerprint;
  std::uint64_t seed = 0;
  double read_seconds = 0.0;
  /// A solution file that was already written.  A long x is not written a second time if this is a .npy in the
  /// directory of the result or below it.
  std::optional<std::filesystem::path> solution;
  bool accuracy_changed = false;           ///< the accuracy is not that of the problem file
  std::vector<std::string> names = {};     ///< of the variables; empty: they have none
  PerLevel<bool> maximized{false, false};  ///< levels whose values are the negatives of what is maximised
  int ranks = 1, threads = 1;              ///< that computed it; threads of each rank
};

/// Writes `file` and, before it, the .npy files it names (STEM.x.npy, STEM.reference.npy,
/// STEM.lower-bound.lower-dual-0.npy ..., STEM being `file` without .json); each atomically.  Throws InputError.
void write_result(const Result& result, const ResultContext& context, const std::filesystem::path& file);

/// x as .npy or .csv, by the ending (vector_file.hpp); anything else is refused with InputError.
void write_solution(const std::filesystem::path& file, VectorIn x, const VectorColumns& columns = {});

/// A result file as plain data, its .npy files read.  What is null in the file is empty here.
struct StoredResult {
  std::string version;
  std::string method;
  std::string engine;  ///< empty: the method has no choice of engines
  std::string status;
  std::string message;
  std::optional<double> upper_value;
  std::optional<double> lower_value;
  std::string evidence;
  std::optional<double> upper_excess;
  std::optional<double> lower_gap;
  std::optional<double> upper_lower_bound;
  std::optional<double> lower_lower_bound;
  std::optional<double> shortfall;
  std::optional<double> tight_level;
  std::optional<double> tight_excess;
  std::optional<double> upper_deficit;
  HolderSource holder_source = HolderSource::told;  ///< of accuracy.holder
  std::vector<std::string> premises;
  std::optional<ConvexityViolation> violation;
  Witness witness;
  Accuracy accuracy;
  std::string accuracy_from = kFromProblem;
  Work work;
  std::optional<double> read_seconds;
  std::optional<double> solve_seconds;
  Index dimension = 0;
  std::string fingerprint;
  std::uint64_t seed = 0;
  std::map<std::string, std::string> options;  ///< as text
  Vector x;
  std::optional<std::string> digest;  ///< what the file says
  std::string digest_found;           ///< what it should say
};

/// Throws InputError for a file that is not a result of schema 1: missing or mistyped fields are named.  Safe for
/// files of strangers: strict_json.hpp, and x and the witness are read from ordinary .npy files beside or below
/// the result only.
StoredResult read_result(const std::filesystem::path& file);
/// The same for a text that would stand in the file `source.name`.
StoredResult parse_result(const TextSource& source);

}  // namespace fcbio::io
