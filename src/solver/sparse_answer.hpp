// Exact zeros, and coordinates exactly on their bounds.  Where an l1 norm, an l1 ball, a simplex or the sides of a box
// hold coordinates at values that are known (the centre of the norm, the side), a solver ends next to them.  The
// coordinates are put there in the order of their distances, as many as leave the answer an answer: the largest number
// of them is found by bisection, with values alone, and what comes out is proved like any other point.
#pragma once

#include "core/certified_answer.hpp"

namespace fcbio {

class SparseAnswer {
 public:
  explicit SparseAnswer(const Problem& problem);

  /// Whether the problem has such values at all.
  bool applies() const { return applies_; }
  /// Passes that sparsify() spends at most.
  std::int64_t cost() const;
  /// The answer with as many coordinates at their values as the accuracy allows takes the answer's place.
  void sparsify(Oracle& oracle, const Ledger& ledger, const Accuracy& accuracy, CertifiedAnswer& answer) const;

 private:
  struct Move {
    Index coordinate;
    double value;     // where it is put
    double distance;  // from where it is
  };
  std::vector<Move> moves(const Vector& x) const;
  Vector moved(const Vector& x, const std::vector<Move>& moves, std::size_t count) const;

  const Problem& problem_;
  Vector lower_, upper_;              // sides; infinite where there is none
  std::vector<const Vector*> kinks_;  // centres of l1 norms and l1 balls
  double total_ = 0.0;                // of a simplex
  bool applies_ = false;
};

}  // namespace fcbio
