// The problem  min f(x)  s.t.  x in argmin over Z of g, as data.
#pragma once

#include "fcbio/accuracy.hpp"
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

}  // namespace fcbio
