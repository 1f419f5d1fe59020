// Variables that neither function depends on: columns without a number in all sparse data.  In text they are often
// half of all columns.  They are taken out before a problem is built, so that nothing is spent on them, and put
// back into the result, which is then one of the whole problem:
//
//   f and g do not depend on them, so the smaller problem is that over the projection of Z on the other variables.
//   For the sets taken here that is the same kind of set, and with the idle variables at the centre (or the point
//   closest to the start, where the set has none) every point of it is a point of Z.  Values, minorants and their
//   minima over Z are the same, slopes are zero in the idle variables: so every claim about the smaller problem
//   holds for the whole one.
#pragma once

#include "fcbio/result.hpp"
#include "io/problem_data.hpp"

namespace fcbio::io {

class IdleVariables {
 public:
  /// None.
  IdleVariables() = default;

  Index count() const { return whole_.size() - static_cast<Index>(used_.size()); }
  /// For the user; empty where there are none.
  std::string note() const;
  /// Makes the result of the smaller problem one of the whole problem.
  void put_back(Result& result) const;

 private:
  friend IdleVariables take_out_idle_variables(ProblemData& data);
  void put_back(Vector& point) const;

  std::vector<Index> used_;  // the other variables, ascending
  Vector whole_;             // the idle ones at their values
};

/// Makes the problem smaller where at least an eighth of its variables is idle, all data is sparse, and the domain
/// is a ball, l1 ball, nonnegative ball, box or the whole space; otherwise leaves it alone and finds none.  Not
/// where an absolute accuracy is asked for: whether g has an error bound is a question about the whole problem.
IdleVariables take_out_idle_variables(ProblemData& data);

}  // namespace fcbio::io
