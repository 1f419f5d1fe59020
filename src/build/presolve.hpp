// Variables that neither function depends on are left out of a solve and put back into its result.  In text they
// are often half of all: columns without a number.
//
//   Let r be a resting point of Z (ConvexSet::resting_point) and let every term be at its least in the idle
//   variables with these at rest (Term::mark_used).  Moving the idle variables of a point of Z to rest leaves it
//   in Z, does not change g, and does not raise f: so g* and f* are those of the smaller problem, over the section
//   of Z, which for the sets taken here is a set of the same kind.  A minorant of the smaller problem is one of
//   the whole, with slope zero in the idle variables, and its minimum over Z is the same: so every claim about the
//   smaller problem holds for the whole one, with the same witness.
#pragma once

#include "fcbio/problem.hpp"
#include "fcbio/result.hpp"

namespace fcbio::build {

class Presolved {
 public:
  /// Leaves out what is idle where that is at least an eighth of all variables.  Nothing where an absolute
  /// accuracy is asked for: whether g has an error bound is a question about the whole problem.
  Presolved(const Problem& problem, const Accuracy& accuracy);

  /// The problem to solve: the whole one where nothing was left out.
  const Problem& problem() const { return smaller_ ? *smaller_ : whole_; }
  /// How many variables were left out.
  Index idle() const { return smaller_ ? whole_.dimension() - smaller_->dimension() : 0; }
  /// For the user; empty where nothing was left out.
  std::string note() const;
  /// Makes a result of problem() one of the whole problem.
  void restore(Result& result) const;
  /// whole <- a point of problem() with the idle variables at rest; whole has the whole dimension.
  void restore(VectorIn point, VectorOut whole) const;

 private:
  void restore(Vector& point) const;
  void restore(BoundWitness& witness) const;

  const Problem& whole_;
  std::optional<Problem> smaller_;
  std::vector<Index> used_;  // the other variables, ascending
  Vector rest_;
};

}  // namespace fcbio::build
