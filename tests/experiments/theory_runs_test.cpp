// The theorems, executed: f does not move within T queries of g', and nobody beats the lower bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiments/bounds.hpp"
#include "experiments/bounds_page.hpp"
#include "experiments/hard.hpp"
#include "fcbio/error.hpp"
#include "theory/chains.hpp"

namespace fcbio::experiments {
namespace {

using theory::Family;

void expect_no_movement(const HardExperiment& experiment) {
  for (const HardAttempt& attempt : experiment.attempts) {
    SCOPED_TRACE(attempt.contestant.label);
    EXPECT_GT(attempt.lower_gradients, 0);
    EXPECT_LE(attempt.lower_gradients, experiment.queries);
    if (attempt.declared_zero_respecting) {
      EXPECT_FALSE(attempt.violation) << "it is not what it says";
    }
    if (!attempt.violation) {
      EXPECT_EQ(attempt.largest_upper_change, 0.0);
    }
  }
}

TEST(Hard, NoMethodMovesFAndTheDeclarationsAreTrue) {
  for (Family family : {Family::smooth, Family::lipschitz}) {
    for (std::int64_t queries : {1, 10, 100}) {
      const HardExperiment experiment = run_hard(family, queries, parse_contestants("all"));
      EXPECT_GE(experiment.attempts.size(), family == Family::smooth ? 15u : 5u);
      EXPECT_EQ(experiment.attempts.size() + experiment.left_out.size(), methods().size());
      expect_no_movement(experiment);
    }
  }
}

// At an accuracy that can be reached within T queries the methods come to their later phases.
TEST(Hard, NorAtALooserAccuracy) {
  for (Family family : {Family::smooth, Family::lipschitz}) {
    HardOptions options;
    options.accuracy = family == Family::smooth ? Accuracy{1e-2, 1e-3} : Accuracy{0.1, 0.1};
    expect_no_movement(run_hard(family, 300, parse_contestants("all"), options));
  }
}

// Methods that need a known f (f = |x|^2/2 here) cannot be run on the instances of the theorems.  f'(x) = x has
// the support of x, so that the gradients of g alone decide.
TEST(Hard, DeclarationsAreTrueWhereFIsTheSquaredNorm) {
  constexpr std::int64_t kQueries = 40;
  std::vector<std::string> watched;
  for (const MethodInfo& method : methods()) {
    SCOPED_TRACE(method.name);
    const Vector start = Vector::Zero(2 * kQueries);
    theory::QueryWatch watch(start, 0.0, kQueries);
    UserFunction chain;
    chain.name = "smooth-chain";
    chain.dimension = start.size();
    chain.evaluate = [chain = theory::SmoothChain(start.size(), 1.0, 0.1)](VectorIn x, Vector* gradient) {
      return chain.evaluate(x, gradient);
    };
    chain.smoothness = chain.lipschitz = 1.1;
    const Problem problem(squared_norm(start), user_function(theory::watched(chain, Level::lower, watch)),
                          ball(start, 1.0), start);
    if (!method.misfit(problem).empty()) continue;
    Monitor monitor(Limits{.iterations = 1000}, watch.stop());
    const Result result = solve(problem, {.method = method.name, .values = {}, .accuracy = {1e-4, 1e-9}}, monitor);
    EXPECT_GT(watch.gradients(Level::lower), 1);
    if (method.zero_respecting) {
      EXPECT_FALSE(watch.violation());
      if (!watch.closed()) {
        EXPECT_TRUE(result.x.tail(kQueries).isZero(0.0));
      }
    }
    watched.push_back(method.name);
  }
  for (const char* name : {"bisec-bio", "mng", "pb-apg-sc", "apb-apg-sc", "big-sam"})
    EXPECT_NE(std::find(watched.begin(), watched.end(), name), watched.end()) << name;
}

TEST(Hard, ThePageSaysWhetherTheTheoremIsConfirmed) {
  HardExperiment experiment = run_hard(Family::smooth, 20, parse_contestants("fcbio-sm,a-irg"));
  report::Report page;
  fill_report(experiment, page);
  ASSERT_TRUE(page.finding);
  EXPECT_TRUE(page.finding->holds);
  EXPECT_EQ(page.finding->headline, "within 20 gradients of g, no zero-respecting method could move f at all.");
  ASSERT_EQ(page.runs.size(), 2u);
  EXPECT_EQ(page.runs[0].columns[0].second, "20");
  EXPECT_EQ(page.runs[0].columns[2].second, "zero-respecting");

  experiment.attempts[1].largest_upper_change = 1e-9;
  EXPECT_TRUE(experiment.attempts[1].contradicts());
  report::Report refuted;
  fill_report(experiment, refuted);
  EXPECT_FALSE(refuted.finding->holds);
  EXPECT_EQ(refuted.finding->headline, "a-irg is zero-respecting and moved f.");

  experiment.attempts[1].violation = {3, 4};  // what is not zero-respecting may move f, unless it is declared
  EXPECT_TRUE(experiment.attempts[1].contradicts());
  experiment.attempts[1].declared_zero_respecting = false;
  EXPECT_FALSE(experiment.attempts[1].contradicts());
}

TEST(Hard, ALargeInstanceToo) {
  const HardExperiment experiment = run_hard(Family::smooth, 1000, parse_contestants("fcbio-sm,a-irg,cg-bio"));
  ASSERT_EQ(experiment.attempts.size(), 3u);
  for (const HardAttempt& attempt : experiment.attempts) {
    EXPECT_EQ(attempt.lower_gradients, 1000);
    EXPECT_EQ(attempt.largest_upper_change, 0.0);
    EXPECT_EQ(attempt.run.result.status, Status::work_limit);
    EXPECT_LT(attempt.run.samples.back().lower_value, attempt.run.samples.front().lower_value);  // g does move
  }
  EXPECT_GE(experiment.upper_optimum, 1.0 / 48.0);
}

TEST(Hard, AnInterruptIsToldEvenIfItEndsTheLastMethod) {
  std::atomic<bool> interrupt{false};
  HardOptions options;
  options.interrupt = &interrupt;
  options.announce = [&](const Contestant&, std::size_t number, std::size_t of) { interrupt = number == of; };
  const HardExperiment experiment = run_hard(Family::smooth, 50, parse_contestants("a-irg,fcbio-sm"), options);
  EXPECT_TRUE(experiment.interrupted);
  ASSERT_EQ(experiment.attempts.size(), 2u);
  EXPECT_EQ(experiment.attempts[0].run.result.status, Status::work_limit);
  EXPECT_EQ(experiment.attempts[1].run.result.status, Status::interrupted);
  EXPECT_LT(experiment.attempts[1].lower_gradients, 50);
}

void expect_bounds(const BoundsExperiment& experiment, std::size_t accuracies, double slack) {
  ASSERT_EQ(experiment.curves.size(), 1u);
  const BoundCurve& curve = experiment.curves[0];
  ASSERT_EQ(curve.points.size(), accuracies);
  for (const BoundPoint& point : curve.points) {
    EXPECT_TRUE(point.in_rounds);
    EXPECT_TRUE(point.complete);
    EXPECT_GE(point.longest_round, point.bound) << point.accuracy;
    ASSERT_TRUE(point.first_weak) << point.accuracy;
    EXPECT_GE(*point.first_weak, point.bound) << point.accuracy;  // nobody is faster than the theorem
    EXPECT_LE(static_cast<double>(point.rounds), 4.0 + std::log2(8.0 / point.accuracy)) << point.accuracy;
  }
  ASSERT_TRUE(curve.exponent);
  EXPECT_NEAR(*curve.exponent, experiment.expected_exponent(), slack);
}

TEST(Bounds, SmoothExponentIsMinusOneHalfOnBothLevels) {
  for (Level chain : {Level::upper, Level::lower}) {
    BoundsOptions options;
    options.accuracies = default_accuracies(Family::smooth);
    expect_bounds(
        run_bounds(Family::smooth, chain, parse_contestants(default_contestants(Family::smooth)), options),
        options.accuracies.size(), 0.15);
  }
}

TEST(Bounds, LipschitzExponentIsMinusTwo) {
  BoundsOptions options;
  options.radius = 0.5;
  options.accuracies = {1e-1, std::pow(10.0, -1.5), 1e-2};  // `fcbio bounds lipschitz` goes on to 10^-2.5
  for (Level chain : {Level::upper, Level::lower})
    expect_bounds(
        run_bounds(Family::lipschitz, chain, parse_contestants(default_contestants(Family::lipschitz)), options),
        3, 0.15);
}

// What the exponent would be without momentum: the test above can fail.
TEST(Bounds, AMethodWithoutAccelerationShowsIt) {
  BoundsOptions options;
  options.accuracies = {1e-2, 1e-3, 1e-4};
  const BoundsExperiment experiment =
      run_bounds(Family::smooth, Level::lower, parse_contestants("bi-pg"), options);
  ASSERT_EQ(experiment.curves.size(), 1u);
  ASSERT_TRUE(experiment.curves[0].exponent);
  EXPECT_LT(*experiment.curves[0].exponent, -0.75);  // about -1: plain gradients
}

TEST(Bounds, NobodyIsFasterThanTheTheorem) {
  for (Family family : {Family::smooth, Family::lipschitz}) {
    for (Level chain : kLevels) {
      BoundsOptions options;
      options.radius = family == Family::smooth ? 1.0 : 0.5;
      options.accuracies =
          family == Family::smooth ? std::vector<double>{1e-2, 1e-3} : std::vector<double>{0.1, 0.03};
      options.iteration_limit = 3000;
      const BoundsExperiment experiment = run_bounds(family, chain, parse_contestants("all"), options);
      EXPECT_EQ(experiment.curves.size() + experiment.left_out.size(), methods().size());
      int reached = 0;
      for (const BoundCurve& curve : experiment.curves) {
        SCOPED_TRACE(curve.contestant.label);
        for (const BoundPoint& point : curve.points) {
          if (point.first_weak) {
            ++reached;
            EXPECT_GE(*point.first_weak, point.bound) << point.accuracy;
          }
          if (point.judged() > 0 && !point.in_rounds) {
            EXPECT_EQ(point.judged(), *point.first_weak);
          }
        }
      }
      EXPECT_GE(reached, 5);
    }
  }
}

TEST(Bounds, AnAccuracyOfTheStartIsRefused) {
  BoundsOptions options;
  options.accuracies = {theory::error_after(Family::smooth, 1.0, 0), 1e-3};
  EXPECT_THROW(run_bounds(Family::smooth, Level::upper, parse_contestants("fcbio-sm"), options), InvalidArgument);
}

TEST(BoundsPage, HoldsWhatWasMeasured) {
  BoundsExperiment experiment;
  EXPECT_TRUE(bounds_report(experiment).bounds->lines.empty());
  BoundPoint in_rounds, other;
  in_rounds.accuracy = 1e-2, in_rounds.bound = 3, in_rounds.complete = true;
  in_rounds.longest_round = 12, in_rounds.rounds = 4;
  other.accuracy = 1e-3, other.bound = 10, other.in_rounds = false;
  experiment.curves.push_back({{"a label", "fcbio-sm", {}}, {in_rounds, other}, -0.5, std::nullopt});
  experiment.left_out.push_back({"a", "needs more"});
  const report::Report page = bounds_report(experiment);
  EXPECT_EQ(page.kind, "bounds");
  EXPECT_EQ(page.left_out.front().why, "needs more");
  const report::BoundLine& line = page.bounds->lines.at(0);
  EXPECT_EQ(line.name, "a label");
  EXPECT_EQ(line.exponent, -0.5);
  EXPECT_EQ(line.samples.at(0).judged, 12);
  EXPECT_EQ(line.samples[0].rounds, 4);
  EXPECT_EQ(line.samples.at(1).judged, 0);  // not reached
  EXPECT_EQ(line.samples[1].rounds, std::nullopt);
  EXPECT_NE(report::to_json(page).find("\"longest_round\":null"), std::string::npos);
  ASSERT_TRUE(page.finding);
  EXPECT_TRUE(page.finding->holds);
  EXPECT_EQ(page.finding->headline,
            "nobody needed fewer gradients than the bound; the nearest came to 4 times it.");
  experiment.curves[0].points[0].longest_round = 2;
  EXPECT_FALSE(bounds_report(experiment).finding->holds);
  experiment.curves[0].points.resize(0);
  EXPECT_FALSE(bounds_report(experiment).finding);  // nobody got anywhere
}

}  // namespace
}  // namespace fcbio::experiments
