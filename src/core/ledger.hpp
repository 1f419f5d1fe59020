// What a solve knows so far: the best point, a point whose g bounds g* from above, and the best proofs of lower
// bounds of g* and f*.  Methods write into it while they run; at the end prove() turns it into the certificate of
// the result, evaluated afresh with allowances for rounding.
#pragma once

#include "core/minorant.hpp"
#include "core/proof.hpp"
#include "core/state.hpp"
#include "fcbio/result.hpp"

namespace fcbio {

class Ledger {
 public:
  explicit Ledger(const Problem& problem);

  /// The point to return.  The caller decides what is better.  `settles`: prove() may move it by rounding, into Z;
  /// not so where some of its coordinates are meant to the last digit.
  void set_candidate(VectorIn x, double f, double g, bool settles = true);
  /// A point of Z with g(x) = g: kept when it improves g^.
  void offer_reference(VectorIn x, double g);
  /// bound <= g*, described by the duals of one minorant, and by a hint where the caller has one.
  void offer_lower_bound(double bound, const PartVectors& duals, const BoundHint* hint = nullptr);
  /// low <= min over Z of f + mu g; gives f* >= low - mu g^.  What rounding may have added to a running bound is
  /// taken off first, so that noise times a large multiplier is not taken for knowledge.
  void offer_cut(double mu, double low, const PartVectors& upper_duals, const PartVectors& lower_duals,
                 const BoundHint* hint = nullptr);

  /// The multiplier with which rounding takes `loss` off a cut, at most: no larger one can be proved as well as that.
  double quiet_multiplier(double loss) const;

  /// Tight mode: cuts are judged, and upper_lower_bound() taken, at v(c) for this c >= g^ instead of v(g^).  Since
  /// v(c) <= v(g^) <= f*, all bounds stay bounds of f*.
  void meet_value_function_at(double c) {
    tight_level_ = c;
    proved_.reset();
  }
  /// The c at which cuts are judged.
  double cut_level() const { return std::max(reference_value_, tight_level_); }

  const Vector& candidate() const { return candidate_; }
  double candidate_upper() const { return candidate_upper_; }
  double candidate_lower() const { return candidate_lower_; }
  bool has_candidate_upper() const { return candidate_upper_ < kInfinity; }
  const Vector& reference() const { return reference_; }
  double reference_value() const { return reference_value_; }  // g^
  // The best lower bounds known, the functions' own included; -infinity: none.
  double upper_lower_bound() const { return upper_lower_bound_; }  ///< of f*
  double lower_lower_bound() const { return lower_lower_bound_; }  ///< of g*

  /// Values, certificate and witness of the candidate into `result`.  Charges proof_cost() passes at most, and none
  /// where nothing has changed since the last proof.
  void prove(Oracle& oracle, Result& result);
  static std::int64_t proof_cost(const Problem& problem);

  void archive(Archive& archive);

 private:
  struct Proof {
    double multiplier = 0.0;
    PartVectors upper_duals, lower_duals;
    std::optional<BoundHint> hint = {};
    double bound = -kInfinity;  // what it gave while running; -infinity: none yet
    void archive(Archive& archive) { archive(multiplier, upper_duals, lower_duals, hint, bound); }
  };
  void prove_afresh(Oracle& oracle, Result& result) const;
  double noise_unit() const { return kEpsilon * static_cast<double>(problem_.dimension() + 64); }

  const Problem& problem_;
  std::optional<Result> proved_;  // what prove() wrote last; empty where the ledger has changed
  Vector candidate_, reference_;
  bool candidate_settles_ = true;
  double candidate_upper_ = kInfinity, candidate_lower_ = kInfinity, reference_value_ = kInfinity;
  double upper_lower_bound_, lower_lower_bound_;
  double tight_level_ = -kInfinity;
  Proof lower_proof_;
  /// Of f*: from f alone, and with a multiplier.  Both are kept, because a large multiplier loses more to
  /// rounding.
  Proof plain_proof_, lagrangian_proof_;
};

}  // namespace fcbio
