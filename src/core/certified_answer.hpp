// The answer of a solve, once there is one that is certified.  Whatever finds other points afterwards (larger
// multipliers, a face, a vertex), this is their one way in: a point takes the place of the answer only if
// everything that is claimed of an answer is proved for it, too, and it is no further below f*.
#pragma once

#include "core/ledger.hpp"

namespace fcbio {

class CertifiedAnswer {
 public:
  /// Takes the ledger's candidate, where it is proved within the accuracy (its proof costs nothing where the ledger
  /// has one).  The work done until now is that of the certificate.
  CertifiedAnswer(Oracle& oracle, Ledger& ledger, const Accuracy& accuracy);

  bool is_certified() const { return certified_; }
  /// Point, values, certificate and witness.
  const Result& result() const { return best_; }
  /// What the certificate took.
  std::int64_t certified_after() const { return passes_; }
  double certified_seconds() const { return seconds_; }

  /// The ledger's candidate becomes the answer where it may.  Costs a proof, Ledger::proof_cost(), unless the
  /// ledger has one of it.  False: it may not; the answer is what it was.
  bool offer_candidate();
  /// The same for any point of Z (to rounding), as it is to the last digit; its values cost their passes.
  bool offer(VectorIn x);

  void archive(Archive& archive) { archive(best_, passes_, seconds_, certified_); }

 private:
  Oracle& oracle_;
  Ledger& ledger_;
  const Accuracy accuracy_;
  Result best_;
  std::int64_t passes_;
  double seconds_;
  bool certified_ = false;
};

}  // namespace fcbio
