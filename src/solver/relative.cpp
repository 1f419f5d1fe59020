#include "solver/relative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/checkpoints.hpp"
#include "core/conclusion.hpp"
#include "fcbio/error.hpp"

namespace fcbio {
namespace {

constexpr int kMostRuns = 12;
constexpr double kNextShare = 0.9;    // of what the last values allow: the next ones are a little different
constexpr double kMostAtOnce = 1e-3;  // a value near 0 would ask for far too much

/// Of a level whose value at the start is this.
double first_accuracy(double absolute, double relative, double value) {
  const double scale = value != 0.0 && std::isfinite(value) ? std::abs(value) : 1.0;
  return std::max(absolute, relative * scale);
}

double next_accuracy(double used, double asked, const std::optional<double>& gap) {
  if (gap && *gap <= asked) return std::min(used, asked);
  return std::max(std::min(used, kNextShare * asked), kMostAtOnce * used);
}

}  // namespace

bool is_relative(const Accuracy& accuracy) {
  return accuracy.upper_relative > 0.0 || accuracy.lower_relative > 0.0;
}

Result run_relative(const Problem& problem, const Accuracy& accuracy, const CertifiedOptions& options,
                    Monitor& monitor) {
  if (accuracy.tight || accuracy.absolute)
    throw InvalidArgument(fmt::format(
        "accuracy.{} needs accuracies that are numbers: leave it out, or give accuracy.upper and accuracy.lower in "
        "place of upper_relative and lower_relative",
        accuracy.tight ? "tight" : "absolute"));
  Accuracy now;
  int run = 0;
  const Frame frame(monitor, [&](Archive& archive) { archive(now, run); });
  if (!frame.is_resumed()) {
    Oracle oracle(problem, monitor);
    Point start(problem);
    start.x = problem.start();
    for (Level level : kLevels) {
      const PassCost cost = problem.function(level).cost();
      double value = 1.0;
      if (monitor.may_spend(cost.image + cost.value)) {
        oracle.update_images(level, start);
        value = oracle.value(level, start);
      }
      if (level == Level::upper)
        now.upper = first_accuracy(accuracy.upper, accuracy.upper_relative, value);
      else
        now.lower = first_accuracy(accuracy.lower, accuracy.lower_relative, value);
    }
  }
  Result result;
  for (; run < kMostRuns; ++run) {
    result = run_certified(problem, now, options, monitor);
    if (result.status == Status::not_convex) break;
    result.accuracy = accuracy;
    if (result.status != Status::certified || monitor.stopped()) break;
    const Accuracy asked = asked_of(result);
    if (is_within(result.certificate, asked)) return result;
    now.upper = next_accuracy(now.upper, asked.upper, result.certificate.upper_excess);
    now.lower = next_accuracy(now.lower, asked.lower, result.certificate.lower_gap);
  }
  result.accuracy = accuracy;
  const Accuracy asked = asked_of(result);
  const bool missed = result.status == Status::certified && !is_within(result.certificate, asked);
  if (missed) {
    result.status = monitor.stopped() ? *monitor.why() : Status::stalled;
    result.work.certified_after.reset();
    result.certified_seconds.reset();
    result.message = bounds_in_words(result.certificate, asked);
  }
  if (missed || result.status == Status::stalled)
    result.message +=
        "; a value that may be 0 has no relative accuracy: give accuracy.upper and accuracy.lower, too, as what is "
        "small enough";
  return result;
}

}  // namespace fcbio
