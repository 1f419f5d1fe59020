// What an earlier answer to the same problem, for whatever accuracy, is worth: its point, and what its witness proves.
// Nothing of it is believed: values are computed and bounds proved afresh, so an answer of another problem costs time and
// no truth.
#pragma once

#include "core/ledger.hpp"

namespace fcbio {

/// The point becomes the candidate, the witness's reference g^, and its duals bounds of g* and f*.  What does not fit
/// the problem (which may be smaller by presolve) is left out.
void take_answer(Oracle& oracle, Ledger& ledger, const EarlierAnswer& answer);

}  // namespace fcbio
