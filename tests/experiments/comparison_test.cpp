// Reference values against known answers; what a comparison promises: same start, same limits, honest accounts.
#include "experiments/comparison.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "build/problem.hpp"
#include "catalogue/catalogue.hpp"
#include "support/problems.hpp"

namespace fcbio::experiments {
namespace {

TEST(Reference, HoldsTheKnownAnswer) {
  for (unsigned seed : {1u, 2u, 3u}) {
    const auto known = test::minimum_norm(30, 60, 100.0, seed);
    const Reference reference = find_reference(known.problem, {1e-5, 1e-5}, {});
    ASSERT_TRUE(reference.upper_optimum && reference.lower_optimum) << reference.how;
    EXPECT_LE(reference.lower_optimum->low, known.lower_optimum);
    EXPECT_GE(reference.lower_optimum->high, known.lower_optimum);
    EXPECT_LE(reference.upper_optimum->low, known.upper_optimum);
    // The estimate of the upper end is exact for quadratic growth, up to the change of curvature along the way.
    EXPECT_GE(reference.upper_optimum->high, known.upper_optimum - 1e-9);
    EXPECT_LT(reference.upper_optimum->high - reference.upper_optimum->low, 1e-3);
  }
}

// Also where the value function is not smooth, and where nothing but an estimate can be had.
TEST(Reference, HoldsTheKnownAnswersOfTheCatalogue) {
  for (const char* name : {"min-norm", "nemirovski", "toy-polygon", "simplex-face", "box-face", "franke-5.11",
                           "franke-5.3", "mitsos-barton-3.1", "hard-smooth", "logistic-repeated"}) {
    SCOPED_TRACE(name);
    const catalogue::Instance known = catalogue::find_entry(name).make({}, 1);
    ASSERT_TRUE(known.upper_optimum && known.lower_optimum);
    const Reference reference =
        find_reference(build::make_problem(known.data), known.data.accuracy, {.seconds = 20.0});
    ASSERT_TRUE(reference.upper_optimum && reference.lower_optimum) << reference.how;
    const double rounding = 1e-12 * (1.0 + std::abs(*known.upper_optimum));
    EXPECT_LE(reference.upper_optimum->low, *known.upper_optimum + rounding);
    EXPECT_GE(reference.upper_optimum->high, *known.upper_optimum - rounding);
    EXPECT_LE(reference.lower_optimum->low, *known.lower_optimum + rounding);
    EXPECT_GE(reference.lower_optimum->high, *known.lower_optimum - rounding);
  }
}

TEST(Reference, ProvesTheUpperEndWhereAnErrorBoundCanBeComputed) {
  const auto known = test::minimum_norm(30, 60, 100.0, 4);
  const Reference reference = find_reference(known.problem, {1e-5, 1e-5}, {});
  EXPECT_TRUE(reference.upper_end_proved) << reference.how;
  EXPECT_LE(reference.upper_optimum->high - reference.upper_optimum->low, 2.1e-5);
}

TEST(Reference, SaysWhyNothingIsKnown) {
  // Nothing is known of f from below, and without a radius nothing can be proved.
  const Problem unbounded(
      log_sum_exp(dense_map(RowMajorMatrix{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}), Vector::Zero(2)),
      least_squares(dense_map(RowMajorMatrix{{1.0, 1.0, 1.0}}), Vector{{1.0}}),
      whole_space(Vector::Zero(3), std::nullopt));
  const Reference reference = find_reference(unbounded, {1e-3, 1e-3}, {.seconds = 1.0});
  EXPECT_FALSE(reference.upper_optimum);
  EXPECT_NE(reference.how.find("not known"), std::string::npos) << reference.how;
}

class ComparisonOfThree : public testing::Test {
 protected:
  const test::KnownProblem known = test::minimum_norm(30, 60, 30.0, 5);
  Comparison run(Limits limits, const std::string& methods = "fcbio,fcbio-sm,a-irg") {
    ComparisonOptions options;
    options.accuracy = {1e-4, 1e-4};
    options.limits = limits;
    return compare(known.problem, parse_contestants(methods), find_reference(known.problem, options.accuracy, {}),
                   options);
  }
};

TEST_F(ComparisonOfThree, StartsAllAtTheSamePointAndEndsWithWhatIsReturned) {
  const Comparison comparison = run({.iterations = 500});
  ASSERT_EQ(comparison.attempts.size(), 3u);
  for (const Attempt& attempt : comparison.attempts) {
    EXPECT_EQ(attempt.samples.front().upper_value, comparison.attempts[0].samples.front().upper_value);
    EXPECT_EQ(attempt.samples.front().lower_value, comparison.attempts[0].samples.front().lower_value);
    EXPECT_EQ(attempt.samples.front().work.passes(), 0);
    EXPECT_EQ(attempt.samples.back().upper_value, attempt.result.upper_value);
    EXPECT_EQ(attempt.samples.back().work.passes(), attempt.result.work.passes());
    EXPECT_LE(attempt.result.work.iterations, 500);
    std::int64_t before = -1;
    for (const report::Sample& sample : attempt.samples) {
      EXPECT_GE(sample.work.iterations, before);
      before = sample.work.iterations;
      EXPECT_TRUE(std::isfinite(sample.lower_value));  // also where the method did not compute it
    }
  }
}

TEST_F(ComparisonOfThree, MonitoringIsNotCharged) {
  const Comparison comparison = run({.iterations = 300}, "a-irg");
  const Result alone =
      solve(known.problem, {.method = "a-irg", .accuracy = {1e-4, 1e-4}, .limits = {.iterations = 300}});
  EXPECT_EQ(comparison.attempts[0].result.work.passes(), alone.work.passes());
  EXPECT_EQ(comparison.attempts[0].result.work.projections, alone.work.projections);
  EXPECT_EQ(comparison.attempts[0].result.x, alone.x);
}

TEST_F(ComparisonOfThree, OnlyTheCommonLimitEndsAMethodWithABudgetOfItsOwn) {
  const Comparison comparison = run({.iterations = 21000}, "a-irg,a-irg:iterations=40");
  EXPECT_EQ(comparison.attempts[0].result.work.iterations, 21000);  // its default would be 20000
  EXPECT_EQ(comparison.attempts[0].result.status, Status::iteration_limit);
  EXPECT_EQ(comparison.attempts[1].result.work.iterations, 40);  // the user's own word
  EXPECT_EQ(comparison.attempts[1].result.status, Status::stalled);
}

TEST_F(ComparisonOfThree, TheFirstWeakPointIsTrulyWeak) {
  const Comparison comparison = run({.passes = 200000});
  ASSERT_TRUE(comparison.attempts[0].first_weak);
  ASSERT_TRUE(comparison.attempts[1].first_weak);
  for (const Attempt& attempt : comparison.attempts) {
    if (!attempt.first_weak) continue;
    EXPECT_LE(attempt.first_weak->sample.upper_value, known.upper_optimum + 1e-4);
    EXPECT_LE(attempt.first_weak->sample.lower_value, known.lower_optimum + 1e-4);
    EXPECT_LE(attempt.first_weak->sample.work.passes(), attempt.result.work.passes());
  }
  EXPECT_LT(comparison.attempts[0].first_weak->sample.work.passes(),
            comparison.attempts[1].first_weak->sample.work.passes());
}

TEST_F(ComparisonOfThree, ProofsOfTheRunsSharpenTheReference) {
  ComparisonOptions options;
  options.accuracy = {1e-4, 1e-4};
  const Reference poor{report::Interval{-10.0, 10.0}, false, report::Interval{-10.0, 10.0}, "by hand"};
  const Comparison comparison = compare(known.problem, parse_contestants("fcbio"), poor, options);
  const Result& result = comparison.attempts[0].result;
  ASSERT_EQ(result.status, Status::certified);
  EXPECT_EQ(comparison.reference.upper_optimum->low, *result.certificate.upper_lower_bound);
  EXPECT_EQ(comparison.reference.upper_optimum->high, 10.0);  // f of a weak solution bounds f* from no side
  EXPECT_EQ(comparison.reference.lower_optimum->low, *result.certificate.lower_lower_bound);
  EXPECT_EQ(comparison.reference.lower_optimum->high, result.lower_value);
  // What a run has proved is weak optimal, however poor the reference was.
  ASSERT_TRUE(comparison.attempts[0].first_weak);
  EXPECT_TRUE(comparison.attempts[0].first_weak->returned);
}

TEST_F(ComparisonOfThree, AnInterruptKeepsWhatIsFinished) {
  std::atomic<bool> interrupt{false};
  ComparisonOptions options;
  options.accuracy = {1e-4, 1e-4};
  options.limits = {.iterations = 200};
  options.interrupt = &interrupt;
  options.announce = [&](const Contestant&, std::size_t number, std::size_t) { interrupt = number == 2; };
  const Comparison comparison = compare(known.problem, parse_contestants("fcbio,fcbio-sm,a-irg"), {}, options);
  EXPECT_TRUE(comparison.interrupted);
  ASSERT_EQ(comparison.attempts.size(), 2u);
  EXPECT_EQ(comparison.attempts[0].result.status, Status::certified);
  EXPECT_EQ(comparison.attempts[1].result.status, Status::interrupted);
}

TEST_F(ComparisonOfThree, JsonTellsEveryRunAndNullsWhatIsNotKnown) {
  Comparison comparison = run({.iterations = 50});
  comparison.left_out.push_back({"bisec-bio", "needs \"something\""});
  const nlohmann::json json = nlohmann::json::parse(to_json(comparison, "0123456789abcdef", 60));
  EXPECT_EQ(json["schema"], 2);
  EXPECT_EQ(json["problem"]["fingerprint"], "0123456789abcdef");
  EXPECT_EQ(json["limits"]["iterations"], 50);
  EXPECT_TRUE(json["limits"]["seconds"].is_null());
  EXPECT_EQ(json["reference"]["upper_optimum"]["low_is"], "proved");
  ASSERT_EQ(json["runs"].size(), 3u);
  const nlohmann::json& last = json["runs"][2];
  EXPECT_EQ(last["name"], "a-irg");
  EXPECT_EQ(last["status"], "iteration_limit");
  EXPECT_TRUE(last["first_weak"].is_null());
  EXPECT_TRUE(last["certificate"]["upper_excess"].is_number());  // f >= 0 is known of a squared norm
  EXPECT_EQ(last["trace"]["passes"].size(), last["trace"]["upper_value"].size());
  const double difference = last["upper_value"].get<double>() - known.upper_optimum;
  EXPECT_LE(last["upper_difference"]["low"].get<double>(), difference);
  EXPECT_GE(last["upper_difference"]["high"].get<double>(), difference);
  EXPECT_NEAR(last["upper_difference"]["high"].get<double>(), difference, 1e-3);
  EXPECT_EQ(json["left_out"][0]["why"], "needs \"something\"");
}

}  // namespace
}  // namespace fcbio::experiments
