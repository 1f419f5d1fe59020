// Options in C++: structs, with the same meaning, the same refusals and the same bits as their texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "fcbio/method.hpp"
#include "fcbio/threads.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace fcbio {
namespace {

using testing::HasSubstr;

void expect_same(const Result& one, const Result& other) {
  EXPECT_EQ(one.x, other.x);
  EXPECT_EQ(one.engine, other.engine);
  EXPECT_EQ(one.options, other.options);
  EXPECT_EQ(one.work.passes(), other.work.passes());
  EXPECT_EQ(one.certificate.upper_excess, other.certificate.upper_excess);
}

TEST(TypedOptions, MeanWhatTheirTextsMean) {
  const Problem problem = test::toy_polygon().problem;
  for (const EngineKind engine : {EngineKind::automatic, EngineKind::quasi_newton, EngineKind::newton,
                                  EngineKind::accelerated, EngineKind::bundle_level, EngineKind::race,
                                  EngineKind::level, EngineKind::interior_point, EngineKind::low_rank}) {
    SCOPED_TRACE(to_string(engine));
    const SolveOptions typed{.limits = {.iterations = 300}, .certified = {.engine = engine, .memory = 7}};
    const SolveOptions text{.values = {{"engine", std::string(to_string(engine))}, {"memory", "7"}},
                            .limits = {.iterations = 300}};
    const auto refused = [&](const SolveOptions& options) {
      return test::refusal([&] { solve(problem, options); });
    };
    ASSERT_EQ(refused(typed), refused(text));
    if (refused(typed) == "accepted") expect_same(solve(problem, typed), solve(problem, text));
  }
  const FcbioOptions published{.budget = RoundBudget::theory, .early_stop = false, .alpha0 = 0.75};
  expect_same(solve(problem, {.method = "fcbio-sm", .limits = {.iterations = 500}, .published = published}),
              solve(problem, {.method = "fcbio-sm",
                              .values = {{"budget", "theory"}, {"early_stop", "false"}, {"alpha0", "0.75"}},
                              .limits = {.iterations = 500}}));
}

TEST(TypedOptions, AreOverriddenByTexts) {
  const Problem problem = test::toy_polygon().problem;
  const SolveOptions both{.values = {{"engine", "level"}}, .certified = {.engine = EngineKind::bundle_level}};
  EXPECT_EQ(solve(problem, both).engine, "level");
}

TEST(TypedOptions, AreRefusedLikeTexts) {
  const Problem problem = test::toy_polygon().problem;
  const auto refused = [&](const SolveOptions& options) {
    return test::refusal([&] { solve(problem, options); });
  };
  EXPECT_EQ(refused({.certified = {.memory = -1}}),
            "option 'memory': expected an integer in [0, 1000], found '-1'");
  EXPECT_THAT(refused({.certified = {.engine = static_cast<EngineKind>(99)}}), HasSubstr("found 'enumerator 99'"));
  EXPECT_THAT(refused({.certified = {.upper_bound_below = kInfinity}}), HasSubstr("found 'inf'"));
  EXPECT_EQ(refused({.method = "fcbio-sm", .published = {.alpha0 = 0.0}}),
            "option 'alpha0': expected a number in (0, 1], found '0'");
  EXPECT_THAT(refused({.method = "fcbio-lip", .published = {.eta = kInfinity}}), HasSubstr("found 'inf'"));
  EXPECT_THAT(refused({.threads = -1}), HasSubstr("expected 1 to 1024 threads, found -1"));
  EXPECT_THAT(refused({.threads = 1025}), HasSubstr("found 1025"));
}

/// Remembers how many threads products have, as seen from inside of the solve.
struct ThreadWatch final : Observer {
  bool on_progress(const Progress&) override {
    least = std::min(least, thread_count());
    most = std::max(most, thread_count());
    return true;
  }
  int least = 1 << 20, most = 0;
};

TEST(ThreadsOfASolve, AreItsOwn) {
  // Two solves at the same time with different numbers of threads, again and again: each sees its own, the answers
  // are those of one thread to the bit, and the process is left as it was.
  const Problem problem = test::toy_polygon().problem;
  const SolveOptions plain{.method = "fcbio-sm", .limits = {.iterations = 200}};
  const Result alone = solve(problem, plain);
  std::array<std::thread, 2> callers;
  std::array<ThreadWatch, 2> watches;
  std::array<Result, 2> results;
  for (std::size_t i = 0; i < 2; ++i)
    callers[i] = std::thread([&, i] {
      for (int repeat = 0; repeat < 20; ++repeat) {
        SolveOptions options = plain;
        options.threads = static_cast<int>(i) + 2;
        Monitor monitor(options.limits);
        monitor.add_observer(watches[i]);
        results[i] = solve(problem, options, monitor);
      }
    });
  for (std::thread& caller : callers) caller.join();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(watches[i].least, static_cast<int>(i) + 2);
    EXPECT_EQ(watches[i].most, static_cast<int>(i) + 2);
    expect_same(results[i], alone);
  }
  EXPECT_EQ(thread_count(), 1);
}

TEST(ThreadsOfASolve, AreThoseOfTheCallerWithoutANumber) {
  const Problem problem = test::toy_polygon().problem;
  const ThreadScope scope(2);
  ThreadWatch watch;
  Monitor monitor(Limits{.iterations = 50});
  monitor.add_observer(watch);
  solve(problem, {.method = "fcbio-sm"}, monitor);
  EXPECT_EQ(watch.least, 2);
  EXPECT_EQ(watch.most, 2);
}

}  // namespace
}  // namespace fcbio
