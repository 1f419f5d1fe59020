#include "solver/fcbio_options.hpp"

namespace fcbio {
namespace {

using Entry = OptionEntry<FcbioOptions>;

std::vector<Entry> common_entries() {
  return {
      {"budget",
       &FcbioOptions::budget,
       {},
       {"theory", "cap"},
       "inner steps per round: 'theory' takes the number that the convergence lemma asks for, 'cap' takes `cap`"},
      {"cap", &FcbioOptions::cap, {1, 1e15}, {}, "most inner steps per round with budget = cap"},
      {"early_stop", &FcbioOptions::early_stop, {}, {}, "end a round as soon as psi(t, x) <= eps/2"},
      {"warm_start",
       &FcbioOptions::warm_start,
       {},
       {},
       "start a round from the last point of the round before; otherwise from the start of the problem"},
      {"lower_iterations",
       &FcbioOptions::lower_iterations,
       {0, 1e15},
       {},
       "steps of the lower-level phase with budget = cap; 0: until its gap is certified, at 0.4 eps_g"},
      {"two_sided",
       &FcbioOptions::two_sided,
       {},
       {},
       "also end a round when a lower bound proves psi*(t) > 0, and stop when the certificate is complete"},
  };
}

Entry bound_below_entry() {
  return {"upper_bound_below",
          &FcbioOptions::upper_bound_below,
          {},
          {},
          "a known lower bound of f over Z, the first end of the bracket; unset: what the function knows, else by "
          "minimising f"};
}

}  // namespace

const OptionTable<FcbioOptions>& smooth_option_table() {
  static const OptionTable<FcbioOptions> table = [] {
    std::vector<Entry> entries = common_entries();
    entries.push_back({"alpha0",
                       &FcbioOptions::alpha0,
                       {0.0, 1.0, true},
                       {},
                       "first momentum weight: 1/2 in the paper; 1 is the choice with a complete proof"});
    entries.push_back(bound_below_entry());
    return OptionTable<FcbioOptions>(std::move(entries));
  }();
  return table;
}

const OptionTable<FcbioOptions>& lipschitz_option_table() {
  static const OptionTable<FcbioOptions> table = [] {
    std::vector<Entry> entries = common_entries();
    entries.push_back(
        {"eta", &FcbioOptions::eta, {0.0, kInfinity}, {}, "step length; 0: D / (C sqrt K) from the constants"});
    entries.push_back(bound_below_entry());
    return OptionTable<FcbioOptions>(std::move(entries));
  }();
  return table;
}

}  // namespace fcbio
