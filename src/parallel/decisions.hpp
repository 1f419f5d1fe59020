// Clock and interrupt of a job of many ranks.  Ranks that looked at clocks of their own would stop at different
// iterations and wait for each other for ever; so they look together.
#pragma once

#include "parallel/communicator.hpp"

namespace fcbio::parallel {

/// What a rank sees when it asks whether to go on.
struct Look {
  double seconds = 0.0;
  bool interrupted = false;
};

/// While it lives, the monitors of the thread that made it see the clock of rank 0 and the interrupt of any rank: every
/// look is a collective call.  As ThreadScope does, it reaches all monitors of a solve, those of its parts too, without
/// being handed down.
class SharedDecisions {
 public:
  explicit SharedDecisions(Communicator& ranks);
  ~SharedDecisions();
  SharedDecisions(const SharedDecisions&) = delete;
  SharedDecisions& operator=(const SharedDecisions&) = delete;

 private:
  Communicator* before_;
};

/// What all ranks go by; `mine` where no decisions are shared.
Look agreed(const Look& mine);
bool decisions_are_shared();
/// The flags (bits) that any rank raises, in one collective call; `mine` where no decisions are shared.
std::uint8_t raised_by_any(std::uint8_t mine);

}  // namespace fcbio::parallel
