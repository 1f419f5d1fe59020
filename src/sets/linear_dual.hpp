// The dual bound of a linear function over sides, rows and a ball, in extended precision: for any y
//     <s, z> >= sum of (y_i >= 0 ? l_i : u_i) y_i + min over the sides of <s - A'y, .>,
// where coordinates whose side is open count by the ball |z| <= radius: <r, z> >= -radius |r| over these.
#pragma once

#include "sets/extended.hpp"
#include "sets/row_view.hpp"

namespace fcbio::sets {

/// One coordinate after the other; the sign of its slope is known but for slope.error().
class SidesBound {
 public:
  void add(const ExtendedSum& slope, double lower, double upper) {
    const Extended value = slope.value(), error = slope.error();
    if (value == 0 && slope.size() == 0) return;
    const bool may_fall = value - error<0, may_rise = value + error> 0;
    if ((may_fall && !(upper < kInfinity)) || (may_rise && !(lower > -kInfinity))) {
      open_square_.add(value * value);
      open_size_ += slope.size() * slope.size();
      return;
    }
    const Extended at_lower = may_rise ? value * lower : kExtendedInfinity;
    const Extended at_upper = may_fall ? value * upper : kExtendedInfinity;
    const Extended farthest =
        std::max<Extended>(may_rise ? std::abs(Extended{lower}) : 0, may_fall ? std::abs(Extended{upper}) : 0);
    sum_.add(std::min(at_lower, at_upper), slope.size() * farthest);
  }
  void add(Extended term) { sum_.add(term); }
  /// -infinity where open sides have weight and the radius is infinite.
  double finish(double radius) {
    if (open_size_ > 0) {
      if (!(radius < kInfinity)) return -kInfinity;
      sum_.add(-radius * std::sqrt(open_square_.value()), radius * std::sqrt(open_size_));
    }
    const Extended bound = sum_.at_least() - 2 * sum_.error();
    return std::isfinite(bound) ? rounded_down(bound) : -kInfinity;
  }

 private:
  ExtendedSum sum_, open_square_;
  Extended open_size_ = 0;
};

/// Fills open sides of x with what the rows imply for it, rounded outwards: in the order of the rows, a few times
/// over; sides that are given stay as they are.  A checker does the same in the same order.
void add_implied_sides(const RowView& rows, const Vector& row_lower, const Vector& row_upper, Vector& lower,
                       Vector& upper);

}  // namespace fcbio::sets
