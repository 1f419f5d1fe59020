// What a solve returns.  Why it stopped (Status) and what is known about the point (Certificate) are separate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fcbio/function.hpp"
#include "fcbio/problem.hpp"

namespace fcbio {

enum class Status : std::uint8_t {
  certified,  ///< both bounds proved within the accuracy asked for
  converged,  ///< the method's own theory says so and the lower gap is certified; the upper bound is not proved
  iteration_limit,
  time_limit,
  work_limit,  ///< passes
  interrupted,
  stalled,     ///< ended by its own budget, or no progress possible, without the accuracy being certified
  not_finite,  ///< a value or gradient was NaN or infinite
  not_convex,  ///< an inequality of convexity failed at two visited points: Result::violation
};
FCBIO_EXPORT std::string_view to_string(Status status);

enum class Evidence : std::uint8_t { proved, estimated, none };
FCBIO_EXPORT std::string_view to_string(Evidence evidence);

/// Where the constants of an error bound come from.
enum class HolderSource : std::uint8_t { told, computed };
FCBIO_EXPORT std::string_view to_string(HolderSource source);

/// What is known about the returned point.  An empty bound is not known.
struct Certificate {
  Evidence evidence = Evidence::none;
  std::optional<double> upper_excess;       ///< f(x) - f* is at most this
  std::optional<double> lower_gap;          ///< g(x) - g* is at most this
  std::optional<double> upper_lower_bound;  ///< f* is at least this
  std::optional<double> shortfall;          ///< f* - f(x) is at least this, which is not negative
  std::optional<double> lower_lower_bound;  ///< g* is at least this
  /// With Accuracy::tight: f(x) <= f(y) + tight_excess for every y of Z with g(y) <= tight_level.
  std::optional<double> tight_level;
  std::optional<double> tight_excess;
  /// With Accuracy::absolute: f(x) - f* >= -upper_deficit, by the error bound below.
  std::optional<double> upper_deficit;
  std::optional<HolderBound> holder;
  HolderSource holder_source = HolderSource::told;
  /// What the bounds take on trust about functions and sets that the caller wrote, one clause each: "the function
  /// 'NAME' is convex and its gradient right".
  std::vector<std::string> premises;
};

/// Two visited points that refute the convexity of a function of the caller's, its gradient or a constant told
/// with it: the linearisation at `first` lies above the function at `second`.
struct ConvexityViolation {
  std::string function;  ///< name of the term
  Level level = Level::upper;
  Vector first;
  Vector second;
  double amount = 0.0;    ///< by how much, above what rounding explains
  double distance = 0.0;  ///< of the two points
};

/// What proves a lower bound of  f + multiplier * g  (or of g alone) over Z.
struct BoundWitness {
  /// "known": the function's own lower bound, no data needed.  "dual": the vectors below.  "none": not proved.
  std::string kind = "none";
  PartVectors upper_duals;  ///< per part of f; empty when the bound is on g alone
  PartVectors lower_duals;  ///< per part of g
  Vector point;             ///< where an exactly kept curvature is linearised; empty without one
  SetWitness domain;        ///< what proves the bound of the remaining linear function over Z
};

/// What proves that a solution lies in a ball where neither the set nor the caller says so (docs/certificates.md,
/// section 4): |x| <= radius, in a whole space |x - start| <= radius.
struct RegionWitness {
  std::string by;  ///< "squared-norm", "l1-norm", "linear", "least-squares" or "nearest"
  double radius = 0.0;
  double beta = 0.0;  ///< of least squares: at most the weight times the square of the smallest singular value
  Vector point;       ///< a point of Z, whose g counts
};

/// Everything needed to re-prove the certificate from the problem and x:
///   g* >= lower_bound           (BoundWitness on g)
///   f* >= low - multiplier * g(reference),  low <= min over Z of f + multiplier g,  reference in Z.
struct Witness {
  double multiplier = 0.0;  // mu
  BoundWitness lower_bound;
  BoundWitness upper_bound;
  Vector reference;                          ///< a point of Z: its g value bounds g* from above
  std::optional<RegionWitness> region = {};  ///< where bounds rest on one that was found
};

/// An answer to begin another solve of the same problem with, perhaps for another accuracy: a start, and bounds, which
/// are proved afresh.
struct EarlierAnswer {
  Vector x;
  Witness witness;
};

struct Work {
  std::int64_t iterations = 0;
  std::int64_t upper_passes = 0;
  std::int64_t lower_passes = 0;
  std::int64_t projections = 0;
  std::optional<std::int64_t> certified_after = {};  ///< passes; what came after brought the answer nearer
  std::int64_t passes() const { return upper_passes + lower_passes; }
};

struct Result {
  std::string method;
  std::string engine;  ///< what the default method chose to run; empty where there is no choice
  Status status = Status::stalled;
  std::string message;
  Vector x;
  double upper_value = 0.0;
  double lower_value = 0.0;
  Certificate certificate;
  Witness witness;
  std::optional<ConvexityViolation> violation;  ///< with Status::not_convex, which claims nothing
  Accuracy accuracy;
  Work work;
  double solve_seconds = 0.0;
  std::optional<double> certified_seconds = {};              ///< when the answer was certified, of solve_seconds
  std::vector<std::pair<std::string, std::string>> options;  ///< as used, in table order
};

/// The accuracy that was asked for, its relative parts in units of what `result` proves: plain numbers.
FCBIO_EXPORT Accuracy asked_of(const Result& result);

}  // namespace fcbio
