// How much work the default method needs, in passes: numbers that a change for the worse would break.  They are
// about one and a half to three times what was measured, because rounding alone moves counts.
#include <gtest/gtest.h>

#include "build/problem.hpp"
#include "catalogue/catalogue.hpp"
#include "fcbio/method.hpp"

namespace fcbio::catalogue {
namespace {

Result certified(const std::string& name, const OptionValues& values, const SolveOptions& options) {
  SCOPED_TRACE(name);
  const Result result = solve(build::make_problem(find_entry(name).make(values, 1).data), options);
  EXPECT_EQ(to_string(result.status), "certified") << result.engine << ": " << result.message;
  return result;
}

Result certified(const std::string& name, const OptionValues& values, double accuracy) {
  return certified(name, values, SolveOptions{.accuracy = {accuracy, accuracy}, .certified = {.refine = 0.0}});
}

TEST(Work, MinimumNorm) {
  EXPECT_LE(certified("min-norm-gaussian", {}, 1e-6).work.passes(), 440);
  EXPECT_LE(certified("min-norm-wikipedia", {}, 1e-6).work.passes(), 1340);
}

TEST(Work, RegressionPairs) {
  for (const char* set : {"box", "simplex", "l1-ball"}) {
    SCOPED_TRACE(set);
    const OptionValues values{{"set", set}, {"training", "400"}, {"validation", "214"}, {"columns", "729"}};
    EXPECT_LE(certified("regression-pair", values, 1e-4).work.passes(), 150);
    EXPECT_LE(certified("regression-pair", values, 1e-6).work.passes(), 600);
  }
}

TEST(Work, LogisticPair) {
  EXPECT_LE(certified("logistic-pair", {}, 1e-3).work.passes(), 300);
  EXPECT_LE(certified("logistic-pair", {}, 1e-6).work.passes(), 700);
}

TEST(Work, Nonsmooth) {
  const OptionValues values{{"rows", "100"}, {"columns", "200"}, {"support", "20"}};
  EXPECT_LE(certified("hinge-l1", values, 1e-2).work.iterations, 1500);
  EXPECT_LE(certified("hinge-l1", values, 1e-3).work.iterations, 3500);
}

// See race() in fcbio/driver.hpp for the three.
TEST(Work, ARaceCostsAtMostThreeTimesTheBetterEngine) {
  for (const char* name : {"nemirovski", "toy-polygon"}) {
    SCOPED_TRACE(name);
    const auto work = [&](const char* engine) {
      const Result result =
          certified(name, {}, SolveOptions{.values = {{"engine", engine}, {"refine", "0"}}, .accuracy = {1e-3, 1e-3}});
      return result.work.passes() + result.work.iterations;
    };
    EXPECT_LE(work("race"), 3 * std::min(work("accelerated"), work("bundle-level")) + 300);
  }
}

// Curvature pairs that survive a change of the multiplier, and a step length that is searched for: without either
// the scale of f would matter.
TEST(Work, TheScaleOfTheUpperLevelDoesNotMatter) {
  data::Problem data = find_entry("logistic-pair").make({}, 1).data;
  std::vector<std::int64_t> passes;
  for (double scale : {0.01, 1.0, 100.0}) {
    data::Problem scaled = data;
    for (auto& term : scaled.upper) term.weight *= scale;
    const Result result = solve(build::make_problem(scaled), {.accuracy = {1e-3 * scale, 1e-3}});
    EXPECT_EQ(to_string(result.status), "certified") << result.message;
    passes.push_back(*result.work.certified_after);
  }
  const auto [least, most] = std::minmax_element(passes.begin(), passes.end());
  EXPECT_LE(*most, 2 * *least);
}

}  // namespace
}  // namespace fcbio::catalogue
