// Which multiplier of  min over Z of f + mu g  comes next.  Wanted is one whose minimiser has its g between g^,
// the least that is known, and c_hi, the most that is feasible: g at the minimiser falls as mu grows.  A trial
// runs until its side is decided, and tells how far g was off; the next multiplier follows from a bracket.
#pragma once

#include "fcbio/problem.hpp"
#include "linalg/archive.hpp"

namespace fcbio {

class MultiplierSearch {
 public:
  enum class Side { open, too_small, too_large };

  /// `minds_large`: a multiplier that is larger than needed costs steps.
  MultiplierSearch(const Accuracy& accuracy, bool minds_large) : accuracy_(accuracy), minds_large_(minds_large) {}
  /// The same for the steps to come: engines hand over to others.
  void mind_large(bool minds_large) { minds_large_ = minds_large; }
  /// g^ and c_hi, once they are known; g_lb: the proved bound of g*.
  void begin(double reference, double most, double lower_bound);

  /// `g` at the present point of the trial with mu, `gap` of f + mu g there, and the level c at which cuts are
  /// judged.
  Side judge(double mu, double g, double gap, double met) const;
  /// The engine has no digits left at mu.  Another multiplier may do: a larger one where g is too large, a smaller
  /// one where it is not and the bracket leaves room.  Open: there is none left to try.
  Side when_stuck(double mu, double g) const;
  /// After the trial with mu ended at g on that side; not positive or not finite: there is none left to try.
  double next(Side side, double mu, double g);

  void archive(Archive& archive) {
    archive(reference_, most_, lower_bound_, low_, high_, excess_low_, excess_high_, strictness_);
  }

 private:
  bool bracket_is_open() const;

  const Accuracy accuracy_;
  bool minds_large_;
  double reference_ = 0.0, most_ = 0.0, lower_bound_ = 0.0;
  double low_ = 0.0, high_ = kInfinity;          // mu: too small, too large
  double excess_low_ = 0.0, excess_high_ = 0.0;  // g - g_lb seen there
  double strictness_ = 1.0;                      // of judge(); smaller where brackets close without a result
};

}  // namespace fcbio
