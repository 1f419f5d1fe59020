// How fast a solve comes on, and how far it has to go: what a person watching a long run wants to know.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "fcbio/accuracy.hpp"
#include "fcbio/monitor.hpp"

namespace fcbio::cli {

class Forecast {
 public:
  /// What is asked for; numbers that are 0 (relative accuracies) are not looked at.
  explicit Forecast(const Accuracy& accuracy) : accuracy_(accuracy) {}

  void see(const Progress& progress);
  /// Over the last ten seconds or so; empty at first.
  std::optional<double> passes_per_second() const;
  /// If the gaps go on falling as they did since half as many passes: like a power of their number.  Empty where they
  /// are not known, or did not fall.
  std::optional<double> passes_to_go() const;

 private:
  struct Seen {
    double seconds = 0.0;
    std::int64_t passes = 0;
    double missing = 0.0;  // the larger of the gaps, in units of what is asked; infinite: one is not known
  };
  double missing(const Progress& progress) const;

  const Accuracy accuracy_;
  std::deque<Seen> seen_;  // thinned: each with at least 2 % more passes than the one before
  Seen latest_;
};

}  // namespace fcbio::cli
