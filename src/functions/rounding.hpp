// Sums in a fixed order, and how wrong floating point can make them.
//
// sum_of() adds in an order that depends on the length alone: not on alignment, threads or vector width.  Eight
// lanes per block of 512 keep the processor busy, and the sum of the blocks is compensated (CompensatedSum): it counts
// as two additions however many there are.  No summand goes through more than sum_depth(n) additions, so
//     |computed - exact| <= rounding_factor(sum_depth(n) + k) * sum |summand|
// when every summand itself carries a relative error of at most k roundings (Higham, Accuracy and Stability,
// sections 4.2 and 4.3).  A rounding is at most kEpsilon / 2; rounding_factor() takes kEpsilon and 1 percent more, which
// covers the second-order terms and the rounding of the bounds themselves.
#pragma once

#include <algorithm>
#include <cmath>

#include "fcbio/types.hpp"

namespace fcbio::functions {

inline constexpr Index kSumLanes = 8;
inline constexpr Index kSumBlock = 512;

/// Adds numbers up with their roundings (Knuth, Neumaier): of N < 1e7 numbers, value() is off by at most
/// kEpsilon |sum| + (N kEpsilon)^2 sum |number|, less than two roundings of sum |number|.
class CompensatedSum {
 public:
  void add(double number) {
    const double sum = sum_ + number;
    const double part = sum - sum_;
    lost_ += (sum_ - (sum - part)) + (number - part);
    sum_ = sum;
  }
  double value() const {
    const double value = sum_ + lost_;
    return std::isfinite(value) ? value : sum_;  // of an infinite sum nothing can be said to be lost
  }

 private:
  double sum_ = 0.0, lost_ = 0.0;
};

/// Sum of summand(i) for i = 0 .. n-1.
template <class Summand>
double sum_of(Index n, Summand summand) {
  CompensatedSum total;
  for (Index begin = 0; begin < n; begin += kSumBlock) {
    const Index end = std::min(n, begin + kSumBlock);
    double lanes[kSumLanes] = {};
    Index i = begin;
    for (; i + kSumLanes <= end; i += kSumLanes) {
      for (Index lane = 0; lane < kSumLanes; ++lane) lanes[lane] += summand(i + lane);
    }
    for (Index lane = 0; i < end; ++i, ++lane) lanes[lane] += summand(i);
    total.add(((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7])));
  }
  return total.value();
}

/// The largest number of additions a summand of sum_of(n, .) goes through, compensated ones as two; a sum of sums (by
/// shards) has four of these.
inline Index sum_depth(Index n) { return std::min(n, kSumBlock) / kSumLanes + 8; }

inline double dot(VectorIn a, VectorIn b) {
  return sum_of(a.size(), [p = a.data(), q = b.data()](Index i) { return p[i] * q[i]; });
}
/// The root of the sum of number(i)^2, i = 0 .. n-1, for numbers of any size: bounds of errors rest on it, and squares
/// that vanish would make them zero.
template <class Number>
double root_of_squares(Index n, Number number) {
  constexpr double kLeast = 1e-280, kMost = 1e300;  // outside, squares of what counts underflow or overflow
  const double squares = sum_of(n, [&](Index i) {
    const double a = number(i);
    return a * a;
  });
  if (squares > kLeast && squares < kMost) return std::sqrt(squares);
  double largest = 0.0;
  for (Index i = 0; i < n; ++i) largest = std::max(largest, std::abs(number(i)));
  if (!(largest > 0.0) || !std::isfinite(largest)) return std::sqrt(squares);
  return largest * std::sqrt(sum_of(n, [&](Index i) {
           const double a = number(i) / largest;
           return a * a;
         }));
}
inline double norm(VectorIn a) {
  return root_of_squares(a.size(), [p = a.data()](Index i) { return p[i]; });
}
/// sum |a_i b_i|
inline double absolute_dot(VectorIn a, VectorIn b) {
  return sum_of(a.size(), [p = a.data(), q = b.data()](Index i) { return std::abs(p[i] * q[i]); });
}

/// Relative error of `operations` roundings in a row.
inline double rounding_factor(Index operations) { return 1.01 * kEpsilon * static_cast<double>(operations); }

/// Covers everything lost to underflow in fewer than 1e15 operations.
inline constexpr double kUnderflow = std::numeric_limits<double>::min();

/// `value`, computed with `operations` roundings, made safe as an upper bound.
inline double rounded_up(double value, Index operations) { return value * (1.0 + rounding_factor(operations)); }

}  // namespace fcbio::functions
