// The problem  min f(x)  s.t.  x in argmin over Z of g, as data.
#pragma once

#include "fcbio/function.hpp"
#include "fcbio/set.hpp"

namespace fcbio {

class Problem {
 public:
  /// Refuses mismatched dimensions and a start with numbers that are not finite.  The start is projected on Z.
  Problem(Function upper, Function lower, ConvexSetPtr domain, Vector start);
  /// Starts from the projection of 0.
  Problem(Function upper, Function lower, ConvexSetPtr domain);

  Index dimension() const { return upper_.dimension(); }
  const Function& upper() const { return upper_; }
  const Function& lower() const { return lower_; }
  const Function& function(Level level) const { return level == Level::upper ? upper_ : lower_; }
  const ConvexSet& domain() const { return *domain_; }
  const ConvexSetPtr& domain_pointer() const { return domain_; }
  const Vector& start() const { return start_; }

 private:
  Function upper_;
  Function lower_;
  ConvexSetPtr domain_;
  Vector start_;
};

/// What is asked for: f(x) - f* <= upper and g(x) - g* <= lower.
struct Accuracy {
  double upper = 1e-6;  // eps_f
  double lower = 1e-6;  // eps_g
  /// Also f(x) <= v(c) + upper for a c close to g* + lower, where v(c) = min{ f : g <= c }: nearly the lowest f
  /// that the slack in g can buy.
  bool tight = false;
};

}  // namespace fcbio
