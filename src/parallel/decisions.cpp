#include "parallel/decisions.hpp"

#include <algorithm>

namespace fcbio::parallel {
namespace {

thread_local Communicator* deciders = nullptr;

}  // namespace

SharedDecisions::SharedDecisions(Communicator& ranks) : before_(deciders) {
  deciders = ranks.ranks() > 1 ? &ranks : nullptr;
}

SharedDecisions::~SharedDecisions() { deciders = before_; }

bool decisions_are_shared() { return deciders != nullptr; }

Look agreed(const Look& mine) {
  if (deciders == nullptr) return mine;
  const std::vector<Look> all = said_by_all(*deciders, mine);
  return {all[0].seconds, std::any_of(all.begin(), all.end(), [](const Look& look) { return look.interrupted; })};
}

std::uint8_t raised_by_any(std::uint8_t mine) {
  if (deciders == nullptr) return mine;
  unsigned raised = 0;
  for (const std::uint8_t flags : said_by_all(*deciders, mine)) raised |= flags;
  return static_cast<std::uint8_t>(raised);
}

}  // namespace fcbio::parallel
