// Recorder: the samples of a run, thinned.
#include <cmath>

#include "io/value_at.hpp"
#include "report/report.hpp"
#include "report/thinning.hpp"

namespace fcbio::report {

bool Recorder::on_progress(const Progress& progress) {
  Sample sample;
  if (progress.work != nullptr) sample.work = *progress.work;
  sample.seconds = progress.seconds;
  sample.upper_value = progress.upper_value;
  sample.lower_value = progress.lower_value;
  sample.bracket_low = progress.bracket_low;
  sample.bracket_high = progress.bracket_high;
  sample.upper_excess = progress.upper_excess;
  sample.lower_gap = progress.lower_gap;
  if (kept_.empty() || is_sampled(sample.work.iterations)) {
    if (problem_ != nullptr && progress.x != nullptr) {
      if (std::isnan(sample.upper_value)) sample.upper_value = io::value_at(problem_->upper(), *progress.x);
      if (std::isnan(sample.lower_value)) sample.lower_value = io::value_at(problem_->lower(), *progress.x);
    }
    kept_.push_back(sample);
    latest_.reset();
  } else {
    latest_ = sample;
  }
  return true;
}

std::vector<Sample> Recorder::samples() const {
  std::vector<Sample> all = kept_;
  if (latest_) all.push_back(*latest_);
  return all;
}

}  // namespace fcbio::report
