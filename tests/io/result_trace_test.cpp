#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "io/trace.hpp"
#include "problem_support.hpp"

namespace fcbio::io {
namespace {

using Json = nlohmann::json;

// Tells `iterations` iterations, as a Monitor does.
void run(TraceWriter& trace, std::int64_t iterations) {
  Work work;
  for (std::int64_t k = 1; k <= iterations; ++k) {
    work.iterations = k;
    work.upper_passes = 2 * k;
    work.lower_passes = 3 * k;
    Progress progress;
    const std::string phase = k <= 2 ? "lower" : "round";  // gone when the observer returns
    progress.phase = phase;
    progress.round = k / 10;
    progress.work = &work;
    progress.seconds = 0.5 * static_cast<double>(k);
    progress.upper_value = 1.0 / static_cast<double>(k);
    progress.lower_value = 0.1;
    progress.level = k == 1 ? std::nan("") : 2.0;
    progress.bracket_low = -kInfinity;
    progress.bracket_high = 3.0;
    progress.upper_excess = 1e-3;
    progress.lower_gap = std::nan("");
    ASSERT_TRUE(trace.on_progress(progress));
  }
}

std::vector<Json> lines(const std::string& text) {
  std::vector<Json> parsed;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) parsed.push_back(Json::parse(line));
  return parsed;
}

TEST(Trace, EveryLineIsJsonWithEveryField) {
  ProblemDirectory directory;
  TraceWriter trace(directory.path() / "trace.jsonl");
  run(trace, 3);
  trace.finish();
  const std::vector<Json> written = lines(directory.contents("trace.jsonl"));
  ASSERT_EQ(written.size(), 3U);
  EXPECT_EQ(written[0], Json::parse(R"({"iteration": 1, "phase": "lower", "round": 0, "upper_passes": 2,
    "lower_passes": 3, "seconds": 0.5, "upper_value": 1.0, "lower_value": 0.1, "level": null, "bracket_low": null,
    "bracket_high": 3.0, "upper_excess": 0.001, "lower_gap": null})"));
  EXPECT_EQ(written[2]["phase"], "round");
  EXPECT_EQ(written[2]["level"], 2.0);
  EXPECT_EQ(written[2]["upper_value"].get<double>(), 1.0 / 3.0);
  EXPECT_EQ(directory.contents("trace.jsonl").back(), '\n');
}

TEST(Trace, ThinnedByTheIterationNumber) {
  ProblemDirectory directory;
  TraceWriter trace(directory.path() / "trace.jsonl");
  run(trace, 10123);
  trace.finish();
  const std::vector<Json> written = lines(directory.contents("trace.jsonl"));
  // 1 .. 1000, 1010 .. 10000 by tens, 10100, and the last.
  ASSERT_EQ(written.size(), 1000U + 900U + 1U + 1U);
  EXPECT_EQ(written[999]["iteration"], 1000);
  EXPECT_EQ(written[1000]["iteration"], 1010);
  EXPECT_EQ(written[1899]["iteration"], 10000);
  EXPECT_EQ(written[1900]["iteration"], 10100);
  EXPECT_EQ(written[1901]["iteration"], 10123);
}

TEST(Trace, BelongsByDecades) {
  EXPECT_TRUE(belongs_to_trace(999, 0));
  EXPECT_TRUE(belongs_to_trace(1000, 0));
  EXPECT_FALSE(belongs_to_trace(1001, 0));
  EXPECT_FALSE(belongs_to_trace(10010, 0));
  EXPECT_TRUE(belongs_to_trace(100000, 0));
  EXPECT_FALSE(belongs_to_trace(100100, 0));
  EXPECT_TRUE(belongs_to_trace(101000, 0));
  EXPECT_TRUE(belongs_to_trace(6, 3));
  EXPECT_FALSE(belongs_to_trace(7, 3));
}

TEST(Trace, EveryThird) {
  ProblemDirectory directory;
  TraceWriter trace(directory.path() / "trace.jsonl", 3);
  run(trace, 9);
  trace.finish();
  const std::vector<Json> written = lines(directory.contents("trace.jsonl"));
  ASSERT_EQ(written.size(), 3U);  // 9 is the last and belongs: not written twice
  EXPECT_EQ(written[2]["iteration"], 9);
}

TEST(Trace, CanBeFollowedLineByLine) {
  ProblemDirectory directory;
  directory.write("trace.jsonl", "older\n");
  TraceWriter trace(directory.path() / "trace.jsonl", 0, nullptr, std::chrono::milliseconds(0));
  EXPECT_EQ(directory.contents("trace.jsonl"), "older\n");
  run(trace, 1);
  const std::string first = directory.contents("trace.jsonl");
  EXPECT_EQ(lines(first).size(), 1U);
  EXPECT_EQ(first.back(), '\n');
  run(trace, 1);
  EXPECT_EQ(directory.contents("trace.jsonl"), first + first);
  trace.finish();
  EXPECT_EQ(directory.contents("trace.jsonl"), first + first);
}

TEST(Trace, WhatDidNotAppearYetIsGoneWithoutAnEnd) {
  ProblemDirectory directory;
  directory.write("trace.jsonl", "older\n");
  {
    TraceWriter trace(directory.path() / "trace.jsonl", 0, nullptr, std::chrono::hours(1));
    run(trace, 500);
    EXPECT_EQ(directory.contents("trace.jsonl"), "older\n");
  }
  EXPECT_EQ(directory.contents("trace.jsonl"), "older\n");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) files += entry.exists() ? 1 : 0;
  EXPECT_EQ(files, 1U);
}

TEST(Trace, NothingToldIsAnEmptyFile) {
  ProblemDirectory directory;
  TraceWriter trace(directory.path() / "trace.jsonl");
  trace.finish();
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "trace.jsonl"));
  EXPECT_EQ(directory.contents("trace.jsonl"), "");
}

TEST(Trace, AFileThatCannotBeMade) {
  ProblemDirectory directory;
  EXPECT_THROW(TraceWriter(directory.path() / "absent/trace.jsonl"), InputError);
}

}  // namespace
}  // namespace fcbio::io
