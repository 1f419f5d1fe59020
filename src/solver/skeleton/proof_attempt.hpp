// From "the running bounds say it is done" to "it is proved".  The proof evaluates everything afresh and subtracts
// an allowance for rounding, so it may fail where the running bounds are within the accuracy by a hair.  Then they
// are asked for more: the share of eps_f that they may use up shrinks, and the run goes on.
#pragma once

#include "core/ledger.hpp"

namespace fcbio {

class ProofAttempt {
 public:
  /// `shrink`: what a failure does to the share.
  ProofAttempt(const Accuracy& accuracy, Oracle& oracle, Ledger& ledger, double shrink)
      : accuracy_(accuracy), oracle_(oracle), ledger_(ledger), shrink_(shrink) {}

  /// Of eps_f, for the running bounds; the rest is for the allowances of the proof.
  double share() const { return share_; }
  /// Whether f of the candidate is near enough to the running bound of f*.
  bool upper_is_ready() const {
    return ledger_.candidate_upper() - ledger_.upper_lower_bound() <= share_ * accuracy_.upper;
  }
  /// True: the candidate is proved, or no passes are left for any proof but the one at the end.  False: rounding
  /// ate too much, and the share is smaller now.
  bool succeeds();
  /// So much is lost to rounding that going on makes no sense.
  bool is_hopeless() const { return share_ < kLeastShare; }
  /// What was lost belonged to cuts that are no longer looked at: the share is what it was at first.
  void start_again() { share_ = kFirstShare; }

  void archive(Archive& archive) { archive(share_); }

 private:
  static constexpr double kFirstShare = 0.999, kLeastShare = 0.5;
  const Accuracy accuracy_;
  Oracle& oracle_;
  Ledger& ledger_;
  const double shrink_;
  double share_ = kFirstShare;
};

}  // namespace fcbio
