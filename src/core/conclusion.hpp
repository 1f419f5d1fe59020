// How a solve ends: the ledger is proved, and the status and its message follow from what was proved and why the
// method stopped.  Shared by all methods.
#pragma once

#include "core/certified_answer.hpp"

namespace fcbio {

/// What a method knows about its own end.
struct Ending {
  bool rule_satisfied = false;    ///< the method's own theory says that it is done
  bool can_prove = false;         ///< it was run so that its answer is proved, on a domain where that is possible
  bool out_of_precision = false;  ///< it stopped because rounding left nothing to gain
  /// For a method that ended by its own budget: what the user can do.
  std::string_view remedy = "raise lower_iterations (0: until certified) or accuracy.lower";
};

/// Whether all that is asked for is proved.
bool is_within(const Certificate& certificate, const Accuracy& accuracy);

/// "lower gap 1e-9 (asked 1e-6), upper excess ...", with the upper deficit where accuracy.absolute asks for it.
std::string bounds_in_words(const Certificate& certificate, const Accuracy& accuracy);

/// "proved", or "proved if ..." with the premises of the certificate.
std::string proved_in_words(const Certificate& certificate);

/// Before an answer is concluded: where it is about to be certified, the caller's functions are probed once more.
void probe_if_certified(Oracle& oracle, const Accuracy& accuracy, const Result& result);

/// Status, message and work.certified_after, from the certificate in `result` and from why `monitor` stopped.
void decide_status(const Problem& problem, const Accuracy& accuracy, const Monitor& monitor, const Ending& ending,
                   Result& result);

/// Everything but the method's name and options.
Result conclude(Oracle& oracle, Ledger& ledger, const Accuracy& accuracy, const Ending& ending);
/// The same with an answer that is certified.
Result conclude(Oracle& oracle, const CertifiedAnswer& answer, const Accuracy& accuracy, const Ending& ending);

/// Proves the candidate as it stands; true when both bounds hold within the accuracy.  Spends proof_cost() passes.
bool is_proved(Oracle& oracle, Ledger& ledger, const Accuracy& accuracy);

}  // namespace fcbio
