// Several methods on one problem, each from the same start with the same limits.
//
// Everything a method does is in its account, lower-level phases and constants included.  What only the comparison
// needs (values of f and g at points a method shows) is neither charged nor timed.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "experiments/contestants.hpp"
#include "experiments/reference.hpp"

namespace fcbio::experiments {

struct ComparisonOptions {
  Accuracy accuracy;
  Limits limits;  ///< of each method
  const std::atomic<bool>* interrupt = nullptr;
  /// Told before a method runs; may be empty.
  std::function<void(const Contestant&, std::size_t number, std::size_t of)> announce;
  Observer* observer = nullptr;  ///< a progress line, say
};

/// One method's run.
struct Attempt {
  Contestant contestant;
  Result result;
  std::vector<report::Sample> samples;  ///< the start first, the returned point last
  std::optional<report::WeakAfter> first_weak;
};

struct Comparison {
  Accuracy accuracy;
  Limits limits;
  Reference reference;
  std::vector<Attempt> attempts;
  std::vector<report::LeftOut> left_out;
  bool interrupted = false;
};

/// Contestants must fit the problem.  A method whose options turn out not to fit (InvalidArgument) is left out.
/// The reference is sharpened where a method proved a better bound or found a lower g.
Comparison compare(const Problem& problem, const std::vector<Contestant>& contestants, Reference reference,
                   const ComparisonOptions& options);

/// Signed f(x) - f* and g(x) - g* of a run: between these two, as the reference is an interval; empty: not known.
std::optional<report::Interval> upper_difference(const Comparison& comparison, double upper_value);
std::optional<report::Interval> lower_difference(const Comparison& comparison, double lower_value);

/// compare.json; see docs/comparing.md.
std::string to_json(const Comparison& comparison, const std::string& fingerprint, Index dimension);

/// The runs as a report; title, problem details and so on are the caller's.
void fill_report(const Problem& problem, const Comparison& comparison, report::Report& report);

}  // namespace fcbio::experiments
