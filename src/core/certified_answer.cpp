#include "core/certified_answer.hpp"

#include <cmath>

#include "core/conclusion.hpp"

namespace fcbio {

CertifiedAnswer::CertifiedAnswer(Oracle& oracle, Ledger& ledger, const Accuracy& accuracy)
    : oracle_(oracle),
      ledger_(ledger),
      accuracy_(accuracy),
      passes_(oracle.monitor().work().passes()),
      seconds_(oracle.monitor().seconds()) {
  if (oracle.monitor().is_resuming()) return;  // to be read from a checkpoint
  ledger.prove(oracle, best_);
  certified_ = is_within(best_.certificate, accuracy);
}

// How far a value lies below f* is known by the best bound of f* that the proofs gave.
bool CertifiedAnswer::offer_candidate() {
  Result offered;
  ledger_.prove(oracle_, offered);
  const Certificate& proved = offered.certificate;
  if (!is_within(proved, accuracy_)) return false;
  const double bound = std::max(*proved.upper_lower_bound, *best_.certificate.upper_lower_bound);
  const double before = bound - best_.upper_value, now = bound - offered.upper_value;
  if (!(now <= std::max(before, accuracy_.upper))) return false;
  best_ = std::move(offered);
  return true;
}

bool CertifiedAnswer::offer(VectorIn x) {
  const PassCost f = oracle_.problem().upper().cost(), g = oracle_.problem().lower().cost();
  if (!oracle_.monitor().may_spend(f.image + f.value + g.image + g.value + Ledger::proof_cost(oracle_.problem())))
    return false;
  Point point(oracle_.problem());
  point.x = x;
  for (Level level : kLevels) oracle_.update_images(level, point);
  const double upper = oracle_.value(Level::upper, point), lower = oracle_.value(Level::lower, point);
  if (oracle_.monitor().stopped()) return false;
  ledger_.set_candidate(x, upper, lower, false);
  return offer_candidate();
}

}  // namespace fcbio
