// What f* and g* are, with error bars, from the certified solver.
//
//   g*:  [proved lower bound, g of a point of Z]: both ends are proved.
//   f*:  the lower end is proved.  The upper end is proved where an error bound of g can be computed (absolute
//   mode:
//        least squares of full rank).  Elsewhere no algorithm can prove one (fcbio hard shows why), and it is an
//        estimate, the larger of two, doubled.  With multiplier mu and slack d = g(x) - g*, the bound
//        f* >= min(f + mu g) - mu g*  misses f* by mu d where the value function behaves like f* - c sqrt(d)
//        (quadratic growth of g), and by less where g grows faster.  And the bounds b_1 <= b_2 <= b_3 of an
//        accuracy sharpened in steps of 100 close in on f* like a geometric sequence, where (b_3 - b_2) / (r - 1),
//        r = (b_2 - b_1) / (b_3 - b_2), is missing.
//
// The accuracy is sharpened while the solver certifies it within the time given.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "fcbio/method.hpp"
#include "report/report.hpp"

namespace fcbio::experiments {

struct Reference {
  std::optional<report::Interval> upper_optimum;  // f*; empty: nothing is known
  bool upper_end_proved = false;                  ///< of f*; the other three ends always are
  std::optional<report::Interval> lower_optimum;  // g*
  std::string how;                                ///< in words
};

struct ReferenceOptions {
  double seconds = 60.0;  ///< for the sharpenings together; the first solve may take as long again
  const std::atomic<bool>* interrupt = nullptr;
};

Reference find_reference(const Problem& problem, const Accuracy& accuracy, const ReferenceOptions& options);

}  // namespace fcbio::experiments
