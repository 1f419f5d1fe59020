#include "solver/multiplier_search.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio {
namespace {

// When a side is decided.  f + mu g at the minimiser is lower than here by at most the gap; while that is a
// fraction of mu times what separates g from the limit, the minimiser is taken to lie on the same side.
constexpr double kDecided = 0.3;
// What is left of the gap when the inner problem is solved for all purposes, as a share of eps_f + mu (c_hi - c),
// which a certificate at this multiplier may lose: then its side is what it is, however near the limit.
constexpr double kSolved = 0.02;

// When to come back from a multiplier that is feasible but asks for more accuracy than needed, all at once:
constexpr double kFarInside = 0.1;  // g has used so little of the width c_hi - g^, and
constexpr double kNearGap = 0.1;  // the gap is so small a share of mu times the width that g will stay there, and
constexpr double kWasteful = 20.0;  // mu times the width is this many eps_f, where a few would do, and
constexpr double kOpenRatio = 1.2;  // the bracket is wider than this, else the next multiplier is the same again.

// Where g is aimed at, between g^ and c_hi.  In the middle an error of either sign is still feasible; in tight
// mode the value function is met near c_hi, so the aim is nearly there.
constexpr double kAim = 0.5, kTightAim = 0.95;
constexpr double kLeastTarget = 0.01;    // of eps_g: whatever rounding did to g^ and c_hi, the aim is above g_lb
constexpr double kLeastExcess = 1e-300;  // of g over g_lb: its logarithm is taken

// How mu grows and shrinks while there is no bracket.  By the ratio of excess to target, as if g - g_lb fell like
// 1/mu; at least so that a trial is worth its price (a tight target is near, and overshooting costs), and at most
// so that one misleading trial does not make the next inner problem hopeless.
constexpr double kLeastGrowth = 2.5, kLeastTightGrowth = 1.3, kMostGrowth = 30.0;
constexpr double kMostOfBefore = 0.7;  // a multiplier that was too large falls to this share of itself at least

// Inside of a bracket: a secant on logarithms, because g - g_lb falls like a power of mu.
constexpr double kReopened = 1.5;                     // of the lower end, where rounding has crossed the two
constexpr double kLeastFall = 1.0001;                 // of the excess over the bracket, and
constexpr double kLeastPower = 1e-3;                  // of the power: rounding can make either 0 or negative
constexpr double kInnerFrom = 0.15, kInnerTo = 0.85;  // of the bracket, in logarithms: it shrinks for sure

// A bracket that closed without a feasible certificate: v is piecewise linear there, and one multiplier has
// minimisers on both sides.  Solved more accurately, the segment between them succeeds.
constexpr double kClosedRatio = 1.02;
constexpr double kStricter = 0.3;
constexpr double kWidenDown = 0.8, kWidenUp = 1.25;  // and the bracket gets some room back

}  // namespace

void MultiplierSearch::begin(double reference, double most, double lower_bound) {
  reference_ = reference;
  most_ = most;
  lower_bound_ = lower_bound;
}

bool MultiplierSearch::bracket_is_open() const { return high_ > kOpenRatio * low_; }

MultiplierSearch::Side MultiplierSearch::judge(double mu, double g, double gap, double met) const {
  const double solved = kSolved * strictness_ * (accuracy_.upper + mu * std::max(0.0, most_ - met));
  if (g > most_) {
    const bool decided = gap <= kDecided * strictness_ * mu * (g - most_) || gap <= solved;
    return decided ? Side::too_small : Side::open;
  }
  if (accuracy_.tight) {
    const bool decided = (g < met && gap <= kDecided * strictness_ * mu * (met - g)) || gap <= solved;
    return decided ? Side::too_large : Side::open;
  }
  const double width = most_ - reference_;
  const bool too_large = minds_large_ && g < reference_ + kFarInside * width && gap <= kNearGap * mu * width &&
                         mu * width > kWasteful * accuracy_.upper && bracket_is_open();
  return too_large ? Side::too_large : Side::open;
}

MultiplierSearch::Side MultiplierSearch::when_stuck(double mu, double g) const {
  if (g > most_) return Side::too_small;
  return bracket_is_open() && mu > low_ ? Side::too_large : Side::open;
}

double MultiplierSearch::next(Side side, double mu, double g) {
  const double excess = std::max(g - lower_bound_, kLeastExcess);
  const double aim = reference_ + (accuracy_.tight ? kTightAim : kAim) * (most_ - reference_);
  const double target = std::max(aim - lower_bound_, kLeastTarget * accuracy_.lower);
  if (side == Side::too_small) {
    low_ = std::max(low_, mu);
    excess_low_ = excess;
  } else {
    high_ = std::min(high_, mu);
    excess_high_ = excess;
  }
  if (high_ == kInfinity)
    return low_ * std::clamp(excess / target, accuracy_.tight ? kLeastTightGrowth : kLeastGrowth, kMostGrowth);
  if (low_ == 0.0) return high_ * std::clamp(excess / target, 1.0 / kMostGrowth, kMostOfBefore);
  if (high_ < low_) high_ = kReopened * low_;
  const double ratio = high_ / low_;
  if (ratio < kClosedRatio) {
    strictness_ *= kStricter;
    const double middle = std::sqrt(low_ * high_);
    low_ *= kWidenDown;
    high_ *= kWidenUp;
    return middle;
  }
  const double power = std::log(std::max(excess_low_ / excess_high_, kLeastFall)) / std::log(ratio);
  const double secant = low_ * std::pow(excess_low_ / target, 1.0 / std::max(power, kLeastPower));
  return std::clamp(secant, low_ * std::pow(ratio, kInnerFrom), low_ * std::pow(ratio, kInnerTo));
}

}  // namespace fcbio
