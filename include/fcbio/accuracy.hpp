// What is asked of a solve.
#pragma once

#include <optional>

namespace fcbio {

/// A Hoelder error bound of g over Z, and the steepness of f where it is used.  With X the minimisers of g over Z:
///   (beta/alpha) dist(x, X)^alpha <= g(x) - g*  for x in Z,     |f'| <= gradient_bound on X.
struct HolderBound {
  double alpha = 2.0;           // >= 1
  double beta = 0.0;            // > 0
  double gradient_bound = 0.0;  // M > 0
};

/// What is asked for: f(x) - f* <= upper and g(x) - g* <= lower.
struct Accuracy {
  double upper = 1e-6;  // eps_f; may be 0 where upper_relative is not
  double lower = 1e-6;  // eps_g; likewise
  /// Also f(x) <= v(c) + upper for a c close to g* + lower, where v(c) = min{ f : g <= c }: nearly the lowest f
  /// that the slack in g can buy.
  bool tight = false;
  /// Also f(x) - f* >= -upper.  Possible only under an error bound of g: `holder`, or else one that is computed
  /// where that can be done (g a single least-squares term of full rank).
  bool absolute = false;
  std::optional<HolderBound> holder = {};
  /// In units of the answer: eps_f is upper, or upper_relative times the larger of |f(x)| and |the proved bound of
  /// f*|, whichever is more; eps_g likewise.
  double upper_relative = 0.0;
  double lower_relative = 0.0;
};

}  // namespace fcbio
