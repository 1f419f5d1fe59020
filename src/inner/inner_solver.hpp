// Subroutines for  min over Z of psi(t, .): one interface for the accelerated and the subgradient method.  They
// step; a Judge looks at every step and says when to stop.  While they run they average their linearisations, so
// that the lower bounds of core/minorant.hpp can be read off at any time.
#pragma once

#include "core/minorant.hpp"
#include "inner/target.hpp"

namespace fcbio {

/// A step as a judge sees it.  Values of a level that the target does not use are NaN.
struct StepView {
  std::int64_t step = 0;  ///< 1 after the first
  double f = 0.0;
  double g = 0.0;
  const Point* point = nullptr;
  bool last = false;  ///< the budget ends with this step
};

class Judge {
 public:
  virtual ~Judge() = default;
  /// True ends the run.  `progress` is to be filled with what is known outside.
  virtual bool ends_run(const StepView& step, Progress& progress) = 0;
};

enum class RunEnd { by_judge, by_budget, by_monitor };

class InnerSolver {
 public:
  InnerSolver(Oracle& oracle)
      : oracle_(oracle),
        averages_{MinorantAverage(oracle.problem().upper()), MinorantAverage(oracle.problem().lower())} {}
  virtual ~InnerSolver() = default;

  /// Runs from x, which carries the images of the levels used, for at most `budget` steps.  On return x is the
  /// point the judge saw last (by_judge) or the method's answer (by_budget); after a stop by the monitor x is a
  /// point of Z of no special merit.
  virtual RunEnd run(const Target& target, Point& x, std::int64_t budget, Judge& judge) = 0;
  /// Steps after which psi(t, x) - psi*(t) <= tolerance by theory; no value when a constant is not known.
  virtual std::optional<std::int64_t> theory_budget(const Target& target, double tolerance) const = 0;

  const MinorantAverage& average(Level level) const { return averages_[level]; }

 protected:
  Oracle& oracle_;
  PerLevel<MinorantAverage> averages_;
};

}  // namespace fcbio
