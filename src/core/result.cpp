#include "fcbio/result.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::certified:
      return "certified";
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::time_limit:
      return "time_limit";
    case Status::work_limit:
      return "work_limit";
    case Status::interrupted:
      return "interrupted";
    case Status::stalled:
      return "stalled";
    case Status::not_finite:
      return "not_finite";
    case Status::not_convex:
      return "not_convex";
  }
  return "stalled";
}

std::string_view to_string(Evidence evidence) {
  switch (evidence) {
    case Evidence::proved:
      return "proved";
    case Evidence::estimated:
      return "estimated";
    case Evidence::none:
      return "none";
  }
  return "none";
}

std::string_view to_string(HolderSource source) { return source == HolderSource::computed ? "computed" : "told"; }

namespace {

// A little less than asked, so that whoever checks it with other digits agrees.
double asked(double absolute, double relative, const std::optional<double>& bound, double value) {
  constexpr double kSafe = 1.0 - 1e-9;
  return std::max(absolute, kSafe * relative * std::max(std::abs(bound.value_or(0.0)), std::abs(value)));
}

}  // namespace

Accuracy asked_of(const Result& result) {
  Accuracy accuracy = result.accuracy;
  const Certificate& known = result.certificate;
  accuracy.upper = asked(accuracy.upper, accuracy.upper_relative, known.upper_lower_bound, result.upper_value);
  accuracy.lower = asked(accuracy.lower, accuracy.lower_relative, known.lower_lower_bound, result.lower_value);
  accuracy.upper_relative = accuracy.lower_relative = 0.0;
  return accuracy;
}

}  // namespace fcbio
