#include <algorithm>

#include "report/report.hpp"

namespace fcbio::report {

Sample returned_sample(const Result& result) {
  const Certificate& known = result.certificate;
  return {result.work,
          result.solve_seconds,
          result.upper_value,
          result.lower_value,
          known.upper_lower_bound.value_or(kUnknown),
          result.upper_value,
          known.upper_excess.value_or(kUnknown),
          known.lower_gap.value_or(kUnknown)};
}

std::optional<WeakAfter> first_weak(const std::vector<Sample>& samples, const Result& result,
                                    const Interval& upper_optimum, const Interval& lower_optimum,
                                    const Accuracy& accuracy) {
  const auto surely_weak = [&](const Sample& at) {
    return at.upper_value <= upper_optimum.low + accuracy.upper &&
           at.lower_value <= lower_optimum.low + accuracy.lower;
  };
  const Sample returned = returned_sample(result);
  const auto weak = std::find_if(samples.begin(), samples.end(), surely_weak);
  if (weak != samples.end()) return WeakAfter{*weak, surely_weak(returned)};
  if (surely_weak(returned)) return WeakAfter{returned, true};
  return std::nullopt;
}

}  // namespace fcbio::report
