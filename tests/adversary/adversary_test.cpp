// The short run of the enemy: hostile problems with known truth, and forged results.
#include <gtest/gtest.h>

#include "forgery.hpp"
#include "run.hpp"

namespace fcbio::adversary {
namespace {

TEST(Adversary, NoFalseClaimAndEveryCertifiedResultVerifies) {
  const auto tallies = run_many({.count = FCBIO_ADVERSARY_PROBLEMS, .seed = 20261117});
  for (const auto& [kind, tally] : tallies) {
    EXPECT_EQ(tally.with_false_claims, 0) << kind;
    EXPECT_EQ(tally.certified_but_rejected, 0) << kind;
    EXPECT_EQ(tally.broken, 0) << kind;
  }
  std::printf("%s", table(tallies).c_str());
}

TEST(Adversary, EveryForgedResultIsCaught) {
  const ForgeryCount count = forge_many(FCBIO_ADVERSARY_FORGERIES, 20261117, "");
  EXPECT_GT(4 * count.lies, count.tried);
  EXPECT_EQ(count.accepted, 0);
  for (const std::string& name : count.accepted_names) ADD_FAILURE() << "accepted: " << name;
}

}  // namespace
}  // namespace fcbio::adversary
