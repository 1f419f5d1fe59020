// After the certificate: f comes near to f* within the work allowed, zeros become exact, and nothing that is claimed
// becomes false.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fcbio/method.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace fcbio {
namespace {

using test::KnownProblem;
using testing::HasSubstr;

constexpr Accuracy kAccuracy{1e-6, 1e-6};

/// 1/2 |x|^2 over the one solution of a system of two equations.
KnownProblem invertible_system() {
  const RowMajorMatrix matrix{{2.0, 1.0}, {1.0, 3.0}};
  const Vector solution{{-1.0, 2.0}};
  return {Problem(squared_norm(Vector::Zero(2)), least_squares(dense_map(matrix), matrix * solution),
                  ball(Vector::Zero(2), 10.0)),
          2.5, 0.0, solution};
}

/// The l1 norm over the solutions of Ax = b, b made of five columns.
KnownProblem basis_pursuit(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const RowMajorMatrix matrix = test::random_matrix(40, 80, random);
  Vector solution = Vector::Zero(80);
  for (const Index j : {3, 17, 30, 42, 71}) solution[j] = j % 2 == 0 ? 1.5 : -1.0;
  return {Problem(l1_norm(Vector::Zero(80)), least_squares(dense_map(matrix), matrix * solution),
                  ball(Vector::Zero(80), 10.0)),
          solution.lpNorm<1>(), 0.0, solution};
}

void expect_true_claims(const Result& result, const KnownProblem& known) {
  EXPECT_EQ(to_string(result.status), "certified") << result.message;
  const double slack = 1e-12 * (1.0 + std::abs(known.upper_optimum) + std::abs(known.lower_optimum));
  const Certificate& c = result.certificate;
  EXPECT_LE(*c.upper_excess, result.accuracy.upper);
  EXPECT_LE(*c.lower_gap, result.accuracy.lower);
  EXPECT_GE(*c.upper_excess, result.upper_value - known.upper_optimum - slack);
  EXPECT_GE(*c.lower_gap, result.lower_value - known.lower_optimum - slack);
  EXPECT_GE(*c.shortfall, 0.0);
  EXPECT_LE(*c.shortfall, std::max(0.0, known.upper_optimum - result.upper_value) + slack);
}

TEST(Near, ComesNearToTheSolutionWithinTwiceTheWork) {
  const std::vector<std::pair<std::string, KnownProblem>> problems = {
      {"minimum norm, condition 10", test::minimum_norm(40, 100, 10.0, 7)},
      {"minimum norm, condition 100", test::minimum_norm(40, 100, 100.0, 8)},
      {"cut off by the ball", test::cut_off_minimum_norm(20, 50, 10.0, 0.7, 3)},
      {"an invertible system", invertible_system()},
      {"a face of the simplex", test::simplex_face(12, 5, 1)},
      {"a polygon", test::toy_polygon()},
  };
  for (const auto& [name, known] : problems) {
    SCOPED_TRACE(name);
    const Result first = solve(known.problem, {.accuracy = kAccuracy, .certified = {.refine = 0.0}});
    const Result near = solve(known.problem, {.accuracy = kAccuracy});
    expect_true_claims(first, known);
    expect_true_claims(near, known);
    EXPECT_EQ(first.work.certified_after, first.work.passes());
    EXPECT_EQ(near.work.certified_after, first.work.certified_after);
    EXPECT_LE(near.work.passes(), 2 * first.work.passes());
    EXPECT_GE(near.upper_value, known.upper_optimum - 10.0 * kAccuracy.upper);
    EXPECT_GE(near.upper_value, std::min(first.upper_value, known.upper_optimum) - kAccuracy.upper);
  }
}

TEST(Near, GoesToTheEndWhereThatIsAskedFor) {
  const KnownProblem known = test::minimum_norm(40, 100, 1000.0, 7);
  const Result first = solve(known.problem, {.accuracy = kAccuracy, .certified = {.refine = 0.0}});
  const Result near = solve(known.problem, {.values = {{"refine", "inf"}}, .accuracy = kAccuracy});
  expect_true_claims(near, known);
  EXPECT_LT(first.upper_value, known.upper_optimum - 10.0 * kAccuracy.upper);
  EXPECT_GE(near.upper_value, known.upper_optimum - 2.0 * kAccuracy.upper);
  EXPECT_EQ(near.work.certified_after, first.work.passes());
}

TEST(Near, EveryEngineThatGoesOnStaysRight) {
  const KnownProblem smooth = test::minimum_norm(20, 40, 10.0, 5), kinked = basis_pursuit(1);
  for (const EngineKind engine : {EngineKind::quasi_newton, EngineKind::newton, EngineKind::accelerated,
                                  EngineKind::bundle_level, EngineKind::race, EngineKind::interior_point}) {
    SCOPED_TRACE(to_string(engine));
    const Result first =
        solve(smooth.problem, {.accuracy = {1e-4, 1e-4}, .certified = {.engine = engine, .refine = 0.0}});
    const Result near = solve(smooth.problem, {.accuracy = {1e-4, 1e-4}, .certified = {.engine = engine}});
    expect_true_claims(near, smooth);
    EXPECT_EQ(near.work.certified_after, first.work.certified_after);
    EXPECT_GE(near.upper_value, first.upper_value - 1e-4);
    if (engine == EngineKind::interior_point)
      expect_true_claims(solve(kinked.problem, {.accuracy = {1e-3, 1e-5}, .certified = {.engine = engine}}),
                         kinked);
  }
}

TEST(Near, LimitsAndInterruptsLeaveTheCertifiedAnswer) {
  class StopsWhenNear : public Observer {
   public:
    bool on_progress(const Progress& progress) override {
      seen_ = seen_ || progress.phase == "near";
      return !seen_;
    }
    bool seen_ = false;
  };
  const KnownProblem known = test::minimum_norm(40, 100, 100.0, 8);
  const std::int64_t after = *solve(known.problem, {.accuracy = kAccuracy}).work.certified_after;
  for (const std::int64_t more : {0, 1, 5, 12, 40}) {
    SCOPED_TRACE(more);
    const Result result = solve(known.problem, {.accuracy = kAccuracy, .limits = {.passes = after + more}});
    if (result.status == Status::certified) expect_true_claims(result, known);
    EXPECT_LE(result.work.passes(), after + more);
    if (more <= 10) continue;
    EXPECT_EQ(to_string(result.status), "certified");
  }
  Monitor monitor;
  StopsWhenNear stops;
  monitor.add_observer(stops);
  expect_true_claims(solve(known.problem, {.accuracy = kAccuracy}, monitor), known);
  EXPECT_TRUE(stops.seen_);
}

TEST(Near, TheFactorIsANumberThatIsNotNegative) {
  const Problem problem = invertible_system().problem;
  const auto refused = [&](const SolveOptions& options) {
    return test::refusal([&] { solve(problem, options); });
  };
  EXPECT_EQ(refused({.values = {{"refine", "-1"}}}), "option 'refine': expected a number >= 0 or inf, found '-1'");
  EXPECT_THAT(refused({.values = {{"refine", "nan"}}}), HasSubstr("option 'refine'"));
  EXPECT_THAT(refused({.certified = {.refine = kUnknown}}), HasSubstr("option 'refine'"));
  EXPECT_EQ(refused({.certified = {.refine = kInfinity}}), "accepted");
  EXPECT_EQ(refused({.values = {{"refine", "0.5"}}}), "accepted");
}

Index nonzeros(const Vector& x) { return (x.array() != 0.0).count(); }

TEST(Sparse, BasisPursuitFindsItsFiveColumns) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const KnownProblem known = basis_pursuit(seed);
    const Result result = solve(known.problem, {.accuracy = {1e-6, 1e-10}});
    expect_true_claims(result, known);
    EXPECT_EQ(nonzeros(result.x), 5);
    for (Index j = 0; j < result.x.size(); ++j) EXPECT_EQ(result.x[j] != 0.0, known.solution[j] != 0.0) << j;
  }
}

TEST(Sparse, CoordinatesLieOnTheFaceOfTheSimplexAndOnTheSidesOfTheBox) {
  const KnownProblem simplex = test::simplex_face(12, 5, 1), box = test::box_face(15, 2);
  const Result on_face = solve(simplex.problem, {.accuracy = kAccuracy});
  expect_true_claims(on_face, simplex);
  for (Index j = 5; j < 12; ++j) EXPECT_EQ(on_face.x[j], 0.0) << j;
  EXPECT_NEAR(on_face.x.sum(), 1.0, 1e-15);
  const Result on_sides = solve(box.problem, {.accuracy = kAccuracy});
  expect_true_claims(on_sides, box);
  for (Index j = 0; j < 15; ++j) {
    if (std::abs(box.solution[j]) != 1.0) continue;
    EXPECT_EQ(on_sides.x[j], box.solution[j]) << j;
  }
}

TEST(Sparse, NothingIsDoneWhereNothingHoldsCoordinates) {
  const KnownProblem known = test::minimum_norm(20, 40, 10.0, 5);
  EXPECT_EQ(nonzeros(solve(known.problem, {.accuracy = kAccuracy}).x), 40);
}

TEST(Relative, AccuracyInUnitsOfTheAnswer) {
  // f* = 1/2 and g* > 0, scaled by a million and by a millionth.
  const KnownProblem plain = test::cut_off_minimum_norm(20, 50, 10.0, 0.7, 3);
  for (const double scale : {1e-6, 1.0, 1e6}) {
    SCOPED_TRACE(scale);
    const KnownProblem known{
        Problem(scale * plain.problem.upper(), scale * plain.problem.lower(), ball(Vector::Zero(50), 0.7)),
        scale * plain.upper_optimum, scale * plain.lower_optimum, plain.solution};
    Accuracy accuracy{0.0, 0.0};
    accuracy.upper_relative = 1e-4;
    accuracy.lower_relative = 1e-5;
    const Result result = solve(known.problem, {.accuracy = accuracy});
    EXPECT_EQ(to_string(result.status), "certified") << result.message;
    EXPECT_LE(*result.certificate.upper_excess, 1e-4 * known.upper_optimum * 1.001);
    EXPECT_LE(*result.certificate.lower_gap, 1e-5 * known.lower_optimum * 1.001);
    EXPECT_LE(result.lower_value - known.lower_optimum, 1e-5 * known.lower_optimum * 1.001);
  }
}

TEST(Relative, AValueOfZeroHasNone) {
  const KnownProblem known = test::minimum_norm(20, 40, 10.0, 5);  // g* = 0
  Accuracy accuracy{1e-6, 0.0};
  accuracy.lower_relative = 1e-4;
  const Result stalled = solve(known.problem, {.accuracy = accuracy});
  EXPECT_EQ(to_string(stalled.status), "stalled");
  EXPECT_THAT(stalled.message, HasSubstr("give accuracy.upper and accuracy.lower, too"));
  accuracy.lower = 1e-8;
  EXPECT_EQ(to_string(solve(known.problem, {.accuracy = accuracy}).status), "certified");
}

TEST(Relative, IsRefusedWhereItMakesNoSense) {
  const Problem problem = invertible_system().problem;
  const auto refused = [&](const SolveOptions& options) {
    return test::refusal([&] { solve(problem, options); });
  };
  Accuracy accuracy{0.0, 1e-6};
  EXPECT_THAT(refused({.accuracy = accuracy}), HasSubstr("accuracy.upper: expected a finite number > 0"));
  accuracy.upper_relative = 1.0;
  EXPECT_THAT(refused({.accuracy = accuracy}), HasSubstr("below 1"));
  accuracy.upper_relative = 1e-3;
  EXPECT_EQ(refused({.accuracy = accuracy}), "accepted");
  EXPECT_THAT(refused({.method = "fcbio-sm", .accuracy = accuracy}),
              HasSubstr("offered by the method 'fcbio' only"));
  accuracy.tight = true;
  EXPECT_THAT(refused({.accuracy = accuracy}), HasSubstr("accuracy.tight needs accuracies that are numbers"));
}

}  // namespace
}  // namespace fcbio
