// The problem  min f(x)  s.t.  x in argmin over Z of g, as data.
#pragma once

#include <optional>

#include "fcbio/function.hpp"
#include "fcbio/set.hpp"

namespace fcbio {

class FCBIO_EXPORT Problem {
 public:
  /// Refuses mismatched dimensions and a start with numbers that are not finite.  The start is projected on Z, as
  /// far as that takes a fraction of a second; a solve goes on with it.
  Problem(Function upper, Function lower, ConvexSetPtr domain, Vector start);
  /// Starts from the projection of 0.
  Problem(Function upper, Function lower, ConvexSetPtr domain);

  Index dimension() const { return upper_.dimension(); }
  const Function& upper() const { return upper_; }
  const Function& lower() const { return lower_; }
  const Function& function(Level level) const { return level == Level::upper ? upper_ : lower_; }
  const ConvexSet& domain() const { return *domain_; }
  const ConvexSetPtr& domain_pointer() const { return domain_; }
  const Vector& start() const { return start_; }              ///< a point of Z, where start_is_projected()
  const Vector& given_start() const { return given_start_; }  ///< as the caller gave it, before projection
  bool start_is_projected() const { return start_is_projected_; }
  /// Goes on with an unfinished projection of the start for as long as the watch allows.
  void project_start(Watch& watch);

 private:
  Function upper_;
  Function lower_;
  ConvexSetPtr domain_;
  Vector given_start_;
  Vector start_;
  bool start_is_projected_ = true;
};

/// A Hoelder error bound of g over Z, and the steepness of f where it is used.  With X the minimisers of g over Z:
///   (beta/alpha) dist(x, X)^alpha <= g(x) - g*  for x in Z,     |f'| <= gradient_bound on X.
struct HolderBound {
  double alpha = 2.0;           // >= 1
  double beta = 0.0;            // > 0
  double gradient_bound = 0.0;  // M > 0
};

/// What is asked for: f(x) - f* <= upper and g(x) - g* <= lower.
struct Accuracy {
  double upper = 1e-6;  // eps_f
  double lower = 1e-6;  // eps_g
  /// Also f(x) <= v(c) + upper for a c close to g* + lower, where v(c) = min{ f : g <= c }: nearly the lowest f
  /// that the slack in g can buy.
  bool tight = false;
  /// Also f(x) - f* >= -upper.  Possible only under an error bound of g: `holder`, or else one that is computed
  /// where that can be done (g a single least-squares term of full rank).
  bool absolute = false;
  std::optional<HolderBound> holder = {};
};

}  // namespace fcbio
