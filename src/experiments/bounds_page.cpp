#include "experiments/bounds_page.hpp"

#include <fmt/format.h>

namespace fcbio::experiments {
namespace {

report::BoundSample sample_of(const BoundPoint& point) {
  report::BoundSample sample;
  sample.accuracy = point.accuracy;
  sample.bound = point.bound;
  sample.judged = point.judged();
  if (point.in_rounds) {
    sample.longest_round = point.longest_round;
    sample.rounds = point.rounds;
  }
  sample.gradients = point.gradients;
  sample.first_weak = point.first_weak;
  return sample;
}

/// Empty: nobody got there.
std::optional<report::Finding> bounds_finding(const BoundsExperiment& experiment) {
  const BoundCurve* nearest = nullptr;
  double least = kInfinity;
  for (const BoundCurve& curve : experiment.curves) {
    for (const BoundPoint& point : curve.points) {
      if (point.judged() == 0 || point.bound <= 0) continue;
      const double ratio = static_cast<double>(point.judged()) / static_cast<double>(point.bound);
      if (ratio < least) {
        least = ratio;
        nearest = &curve;
      }
    }
  }
  if (nearest == nullptr) return std::nullopt;
  const bool holds = least >= 1.0;
  return report::Finding{
      holds,
      holds ? fmt::format("nobody needed fewer gradients than the bound; the nearest came to {:.3g} times it.",
                          least)
            : fmt::format("{} needed {:.3g} times the bound.", nearest->contestant.label, least),
      nearest->exponent
          ? fmt::format("The work of {} grows like eps^{:.3f}, the bound like eps^{:g}.",
                        nearest->contestant.label, *nearest->exponent, experiment.expected_exponent())
          : std::string()};
}

}  // namespace

report::Report bounds_report(const BoundsExperiment& experiment) {
  const bool smooth = experiment.family == theory::Family::smooth;
  report::Report page;
  page.kind = "bounds";
  page.title = fmt::format("Work against the lower bound: the {} chain", smooth ? "smooth" : "Lipschitz");
  page.introduction = fmt::format(
      "Every point is another problem, the worst one for its accuracy: the {} level is Nesterov's chain on the "
      "ball of radius {:g}, the other level is 0. No zero-respecting method can do with fewer gradients than {}. "
      "Methods in rounds are judged by their longest round, others by their first weak point.{}",
      experiment.chain == Level::upper ? "upper" : "lower", experiment.radius,
      smooth ? "D sqrt(3 L / (32 eps)) - 1" : "(C D / (2 eps) - 1)^2 - 1",
      experiment.interrupted ? " The measurement was interrupted." : "");
  page.left_out = experiment.left_out;
  page.finding = bounds_finding(experiment);
  report::Bounds& bounds = page.bounds.emplace();
  bounds.expected_exponent = experiment.expected_exponent();
  for (const BoundCurve& curve : experiment.curves) {
    report::BoundLine& line = bounds.lines.emplace_back();
    line.name = curve.contestant.label;
    line.exponent = curve.exponent;
    for (const BoundPoint& point : curve.points) line.samples.push_back(sample_of(point));
  }
  return page;
}

}  // namespace fcbio::experiments
