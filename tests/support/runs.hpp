// Judges for driving inner solvers from tests.
#pragma once

#include <vector>

#include "inner/inner_solver.hpp"

namespace fcbio::test {

/// Records psi after every step and never stops the run.
class RecordingJudge final : public Judge {
 public:
  explicit RecordingJudge(const Target& target) : target_(target) {}
  bool ends_run(const StepView& step, Progress&) override {
    psi.push_back(target_.psi(step.f, step.g));
    return false;
  }
  std::vector<double> psi;

 private:
  const Target& target_;
};

/// Slope of log(gap) against log(step) by least squares.
inline double fitted_order(const std::vector<double>& steps, const std::vector<double>& gaps) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double x = std::log(steps[i]), y = std::log(gaps[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return -(n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace fcbio::test
