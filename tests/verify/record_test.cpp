// What a result says about itself, line by line.
#include "record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "known_problems.hpp"

namespace fcbio::verify {
namespace {

using known::Known;

Known recorded() {
  Known known = known::mitsos_barton_31();
  known.problem.accuracy.upper = known.claims.upper_accuracy;
  known.problem.accuracy.lower = known.claims.lower_accuracy;
  known.claims.record =
      Record{known.problem.dimension, "a", {"b", "a"}, "problem", "0123456789abcdef", "0123456789abcdef",
             {"seed", "work"}};
  return known;
}

/// The outcome of a line after a change.
template <class Change>
Outcome outcome(const std::string& line, Change change) {
  Known known = recorded();
  change(known);
  const VerifyReport report = verify(known.problem, known.claims, known::kFingerprint);
  const Line* found = report.find(line);
  EXPECT_NE(found, nullptr) << line;
  EXPECT_EQ(report.all_hold, found != nullptr && found->outcome != Outcome::failed) << to_text(report);
  return found == nullptr ? Outcome::assumed : found->outcome;
}

TEST(Record, HonestOneHolds) {
  const auto same = [](Known&) {};
  for (const char* line : {"digest", "dimension", "method", "accuracy"})
    EXPECT_EQ(outcome(line, same), Outcome::ok) << line;
  EXPECT_EQ(outcome("other fields", same), Outcome::not_checked);
}

TEST(Record, ThereIsNoLineWithoutIt) {
  Known known = recorded();
  known.claims.record.reset();
  const VerifyReport report = verify(known.problem, known.claims, known::kFingerprint);
  for (const char* line : {"digest", "dimension", "method", "accuracy", "other fields"})
    EXPECT_EQ(report.find(line), nullptr) << line;
}

TEST(Record, EveryLieIsFoundInItsLine) {
  EXPECT_EQ(outcome("digest", [](Known& k) { k.claims.record->digest_stored = "0123456789abcdee"; }),
            Outcome::failed);
  EXPECT_EQ(outcome("digest", [](Known& k) { k.claims.record->digest_stored = ""; }), Outcome::failed);
  EXPECT_EQ(outcome("digest", [](Known& k) { k.claims.record->digest_stored.reset(); }), Outcome::not_claimed);
  EXPECT_EQ(outcome("dimension", [](Known& k) { ++k.claims.record->dimension; }), Outcome::failed);
  EXPECT_EQ(outcome("method", [](Known& k) { k.claims.record->method = "c"; }), Outcome::failed);
  EXPECT_EQ(outcome("method", [](Known& k) { k.claims.record->method = ""; }), Outcome::failed);
}

TEST(Record, AccuracyIsThatOfTheProblemUnlessTheCommandLineGaveIt) {
  const auto looser = [](Known& k) { k.problem.accuracy.upper /= 2; };
  EXPECT_EQ(outcome("accuracy", looser), Outcome::failed);
  EXPECT_EQ(outcome("accuracy", [](Known& k) { k.problem.accuracy.lower /= 2; }), Outcome::failed);
  EXPECT_EQ(outcome("accuracy", [](Known& k) { k.problem.accuracy.tight = true; }), Outcome::failed);
  EXPECT_EQ(outcome("accuracy", [](Known& k) { k.problem.accuracy.absolute = true; }), Outcome::failed);
  EXPECT_EQ(outcome("accuracy", [](Known& k) { k.claims.record->accuracy_from = "elsewhere"; }), Outcome::failed);
  EXPECT_EQ(outcome("accuracy",
                    [&](Known& k) {
                      looser(k);
                      k.claims.record->accuracy_from = "command line";
                    }),
            Outcome::ok);
}

TEST(Record, ReportCountsWhatWasChecked) {
  const Known known = recorded();
  VerifyReport report = verify(known.problem, known.claims, known::kFingerprint);
  const std::string with = to_text(report);
  EXPECT_THAT(with, testing::HasSubstr("not checked: seed, work\n"));
  report.lines.erase(std::remove_if(report.lines.begin(), report.lines.end(),
                                    [](const Line& line) { return line.outcome == Outcome::not_checked; }),
                     report.lines.end());
  const auto verdict = [](const std::string& text) { return text.substr(text.find("\nverified")); };
  EXPECT_EQ(verdict(to_text(report)), verdict(with));
}

}  // namespace
}  // namespace fcbio::verify
