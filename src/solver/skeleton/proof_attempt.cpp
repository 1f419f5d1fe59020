#include "solver/skeleton/proof_attempt.hpp"

#include "core/conclusion.hpp"

namespace fcbio {

bool ProofAttempt::succeeds() {
  if (!oracle_.monitor().may_spend(Ledger::proof_cost(oracle_.problem()))) return true;
  if (is_proved(oracle_, ledger_, accuracy_)) return true;
  share_ *= shrink_;
  return false;
}

}  // namespace fcbio
