// Tests for functions and sets that a program brings along: seeded samples, structured and random.  A finding is
// always a mistake (or rounding far beyond what was told); no finding is no proof.
#pragma once

#include <string>
#include <vector>

#include "fcbio/function.hpp"
#include "fcbio/set.hpp"

namespace fcbio {

struct CheckFinding {
  std::string what;            ///< in words, with the numbers
  std::vector<Vector> points;  ///< where, in the order in which the words name them
};

struct FCBIO_EXPORT CheckReport {
  bool ok = true;
  std::vector<CheckFinding> findings;  ///< one per kind of mistake: the first that was met
  std::string in_words() const;        ///< one line per finding; "no mistake found" without any
};

/// Tests on the ball |x - centre| <= radius, on which the function must be finite: values and gradients that are
/// numbers and repeat, convexity of the values, gradients between the difference quotients on both sides, the
/// subgradient inequality on pairs near and far, and what is told: smoothness, lipschitz (on that ball),
/// lower_bound, strong_convexity, prox, hessian_product.  A sum is tested term by term.
FCBIO_EXPORT CheckReport check_function(const Function& function, VectorIn centre, double radius,
                                        int samples = 100, std::uint64_t seed = 1);
FCBIO_EXPORT CheckReport check_function(const UserFunction& function, VectorIn centre, double radius,
                                        int samples = 100, std::uint64_t seed = 1);

/// Tests that the projection lands in the set, repeats, brings no two points further apart and is the nearest
/// point; that the set is convex; that linear bounds lie below all members and minimisers are members; the
/// enclosing ball, the diameter and the measure of violation.
FCBIO_EXPORT CheckReport check_set(const ConvexSet& set, int samples = 100, std::uint64_t seed = 1);

}  // namespace fcbio
