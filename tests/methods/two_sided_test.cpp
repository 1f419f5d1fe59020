// The gain of deciding rounds from both sides, on the Gaussian minimum-norm problem (400 x 729, ball 2, 1e-6).
#include <gtest/gtest.h>

#include "fcbio/method.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

struct RoundCounter final : Observer {
  std::int64_t in_rounds = 0;
  bool on_progress(const Progress& progress) override {
    if (progress.phase == "round") ++in_rounds;
    return true;
  }
};

TEST(TwoSided, NeedsATwentiethOfTheInnerIterationsOfThePublishedLoop) {
  const test::KnownProblem known = test::gaussian_minimum_norm(100);
  const Accuracy accuracy{1e-6, 1e-6};
  Monitor monitor;
  RoundCounter two_sided;
  monitor.add_observer(two_sided);
  const Result result = solve(known.problem, {.values = {{"engine", "level"}}, .accuracy = accuracy}, monitor);
  ASSERT_EQ(result.status, Status::certified) << result.message;
  EXPECT_LE(result.upper_value, known.upper_optimum + accuracy.upper);
  EXPECT_LE(result.lower_value, known.lower_optimum + accuracy.lower);
  RecordProperty("two_sided_inner_iterations", static_cast<int>(two_sided.in_rounds));

  // The published loop, allowed 20 times as many: it must still be running.  Its lower phase gets as many steps as
  // the certified one took, so that only the rounds differ.
  const std::int64_t lower_steps = result.work.iterations - two_sided.in_rounds;
  Monitor limited(Limits{.iterations = lower_steps + 20 * two_sided.in_rounds});
  const Result published = solve(
      known.problem,
      {.method = "fcbio-sm", .values = {{"lower_iterations", std::to_string(lower_steps)}}, .accuracy = accuracy},
      limited);
  EXPECT_EQ(published.status, Status::iteration_limit) << published.message;
}

}  // namespace
}  // namespace fcbio
