// How a solve ends: the ledger is proved, and the status and its message follow from what was proved and why the
// method stopped.  Shared by all methods of this room.
#pragma once

#include "core/ledger.hpp"

namespace fcbio {

/// What a method knows about its own end.
struct Ending {
  bool rule_satisfied = false;    ///< the method's own theory says that it is done
  bool can_prove = false;         ///< it was run so that its answer is proved, on a domain where that is possible
  bool out_of_precision = false;  ///< it stopped because rounding left nothing to gain
};

/// Everything but the method's name and options.
Result conclude(Oracle& oracle, Ledger& ledger, const Accuracy& accuracy, const Ending& ending);

/// Proves the candidate as it stands; true when both bounds hold within the accuracy.  Spends proof_cost() passes.
bool is_proved(Oracle& oracle, Ledger& ledger, const Accuracy& accuracy);

}  // namespace fcbio
