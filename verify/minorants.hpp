// Lower estimates of f and g that hold everywhere, made from stored duals:
//
//   term(x) >= constant + <slope, x> + curvature/2 |x|^2     for all x.
//
// Every dual gives a true inequality; a good one gives a tight one.  So a dual that rounding (or malice) moved out
// of its domain is moved back in, and nothing needs to be known about where it came from.
#pragma once

#include <string>

#include "term_view.hpp"

namespace fcbio::verify {

struct Minorant {
  /// `reach`: the inequality is needed for |x| <= reach only.
  explicit Minorant(std::size_t dimension, Real reach_of_x = kRealInfinity)
      : slope(dimension), reach(reach_of_x) {}
  Accumulator constant;
  std::vector<Accumulator> slope;
  Real curvature = 0;
  Real reach;
};

/// Adds factor * (minorant of the sum of the terms) for factor >= 0.  Returns what is wrong with the duals (their
/// number, a length, a number that is not finite), in words; empty: nothing.  A term of weight 0 needs no dual.
std::string add_minorant(const std::vector<TermView>& terms, const std::vector<std::vector<double>>& duals,
                         Real factor, Minorant& minorant);

/// The sum of what is known without any dual: 0 for losses and norms, and what the problem file tells; -infinity:
/// no bound.
Number known_lower_bound(const std::vector<TermView>& terms);

}  // namespace fcbio::verify
