// Bundle-level on both levels: certified on problems with known answers, within counts of subgradients, with every
// bound on the right side of the truth on the way.
#include "solver/bundle_level.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/conclusion.hpp"
#include "support/allocations.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

/// Checks what is claimed after every step, and notes allocations.
struct Referee final : Observer {
  double upper_optimum = kInfinity, lower_optimum = kInfinity;
  std::int64_t lower_steps = 0, upper_steps = 0, wrong = 0;
  long allocations_at_warm = 0, allocations_at_last = 0;
  std::int64_t warm_after = 0;
  bool on_progress(const Progress& progress) override {
    ++(progress.phase == "lower" ? lower_steps : upper_steps);
    if (progress.phase != "lower" && progress.phase != "bundle") ++wrong;
    const double slack = 1e-9 * (1.0 + std::abs(upper_optimum));
    if (progress.bracket_low > upper_optimum + slack) ++wrong;  // false while NaN
    if (lower_optimum < kInfinity && progress.lower_value < lower_optimum - 1e-9) ++wrong;
#if FCBIO_ALLOCATIONS_COUNTED
    if (upper_steps == warm_after) allocations_at_warm = test::allocation_count();
    allocations_at_last = test::allocation_count();
#endif
    return true;
  }
};

struct Outcome {
  bool certified = false;
  Result result;
  Referee referee;
  std::int64_t steps() const { return referee.lower_steps + referee.upper_steps; }
};

Outcome solve_with_bundle(const Problem& problem, const Accuracy& accuracy, const BundleOptions& options = {},
                          const Limits& limits = {}, double upper_optimum = kInfinity,
                          double lower_optimum = kInfinity, std::int64_t warm_after = 0) {
  Outcome done;
  done.referee.upper_optimum = upper_optimum;
  done.referee.lower_optimum = lower_optimum;
  done.referee.warm_after = warm_after;
  Monitor monitor(limits);
  monitor.add_observer(done.referee);
  Oracle oracle(problem, monitor);
  Ledger ledger(problem);
  const Monitor::Reservation for_the_end(monitor, Ledger::proof_cost(problem));
  done.certified = BundleLevel(problem, accuracy, oracle, ledger, options).run();
  done.result = conclude(oracle, ledger, accuracy, {.rule_satisfied = done.certified, .can_prove = true});
  return done;
}

void expect_solved(const test::KnownProblem& known, const Accuracy& accuracy, const BundleOptions& options = {}) {
  const Outcome done = solve_with_bundle(known.problem, accuracy, options, {.iterations = 20000},
                                         known.upper_optimum, known.lower_optimum);
  EXPECT_TRUE(done.certified);
  EXPECT_EQ(done.result.status, Status::certified) << done.result.message;
  EXPECT_EQ(done.referee.wrong, 0);
  EXPECT_LE(done.result.upper_value, known.upper_optimum + accuracy.upper);
  EXPECT_LE(done.result.lower_value, known.lower_optimum + accuracy.lower);
  EXPECT_LE(*done.result.certificate.upper_lower_bound, known.upper_optimum + 1e-9);
  EXPECT_LE(*done.result.certificate.lower_lower_bound, known.lower_optimum + 1e-9);
}

enum class Loss { hinge, absolute };

/// f = |x|_1 over the minimisers (g* = 0) of the mean hinge loss or absolute residual, 100 x 200.
Problem nonsmooth_problem(Loss loss, std::uint64_t seed, Index rows = 100, Index cols = 200) {
  std::mt19937_64 random(seed);
  const Eigen::MatrixXd data =
      3.0 / std::sqrt(static_cast<double>(cols)) * test::random_matrix(rows, cols, random);
  Vector planted = Vector::Zero(cols);
  for (Index k = 0; k < 10; ++k) planted[(k * 37) % cols] = 2.0 * test::random_vector(1, random)[0];
  Vector target = data * planted;
  if (loss == Loss::hinge) target = target.unaryExpr([](double u) { return u >= 0.0 ? 1.0 : -1.0; });
  const auto map = dense_map(data);
  const Function g = (1.0 / static_cast<double>(rows)) *
                     (loss == Loss::hinge ? hinge(map, target) : absolute_deviation(map, target));
  return Problem(l1_norm(Vector::Zero(cols)), g, ball(Vector::Zero(cols), 12.0));
}

TEST(BundleLevel, NonsmoothProblemsWithinTheirCountsOfSubgradients) {
  struct Bar {
    Loss loss;
    double accuracy;
    std::int64_t most;
  };
  for (const Bar& bar : {Bar{Loss::hinge, 1e-2, 1500}, Bar{Loss::hinge, 1e-3, 3500},
                         Bar{Loss::absolute, 1e-2, 700}, Bar{Loss::absolute, 1e-3, 900}}) {
    const Outcome done = solve_with_bundle(nonsmooth_problem(bar.loss, 1), {bar.accuracy, bar.accuracy}, {},
                                           {.iterations = bar.most});
    EXPECT_TRUE(done.certified) << done.result.message;
    EXPECT_EQ(done.result.status, Status::certified);
    EXPECT_EQ(done.referee.wrong, 0);
    EXPECT_LE(done.steps(), bar.most);
  }
}

TEST(BundleLevel, AFewCutsSufficeBecauseMixedCutsRemember) {
  const Problem problem = nonsmooth_problem(Loss::absolute, 2);
  const Outcome done = solve_with_bundle(problem, {1e-2, 1e-2}, {.cuts = 20}, {.iterations = 2000});
  EXPECT_TRUE(done.certified) << done.result.message;
}

TEST(BundleLevel, TheFormWithAFixedCentreCertifiesToo) {
  const Outcome done = solve_with_bundle(nonsmooth_problem(Loss::absolute, 3), {1e-2, 1e-2},
                                         {.fixed_centre = true}, {.iterations = 3000});
  EXPECT_TRUE(done.certified) << done.result.message;
  expect_solved(test::gaussian_minimum_norm(100), {1e-4, 1e-4}, {.fixed_centre = true});
}

TEST(BundleLevel, AnImpatientRunChangesItsFormAndStillEnds) {
  const Outcome done = solve_with_bundle(nonsmooth_problem(Loss::absolute, 3), {1e-2, 1e-2}, {.patience = 30},
                                         {.iterations = 5000});
  // Both forms in turn, or no progress in 30 + 60 + 120 turns: either way it ends by itself.
  EXPECT_NE(done.result.status, Status::iteration_limit);
}

TEST(BundleLevel, GaussianMinimumNormNeedsAThirdOfTheAcceleratedCount) {
  const test::KnownProblem known = test::gaussian_minimum_norm(100);
  const Outcome done = solve_with_bundle(known.problem, {1e-6, 1e-6}, {}, {.passes = 440}, known.upper_optimum,
                                         known.lower_optimum);
  EXPECT_TRUE(done.certified) << done.result.message;
  EXPECT_EQ(done.result.status, Status::certified) << done.result.message;
  EXPECT_EQ(done.referee.wrong, 0);
}

TEST(BundleLevel, SolvesKnownProblemsOnEverySet) {
  const Accuracy accuracy{1e-6, 1e-6};
  expect_solved(test::minimum_norm(15, 30, 50.0, 3), accuracy);
  expect_solved(test::cut_off_minimum_norm(20, 12, 30.0, 0.7, 4), accuracy);
  expect_solved(test::simplex_face(40, 7, 5), accuracy);
  expect_solved(test::box_face(30, 6), accuracy);
  expect_solved(test::toy_polygon(), accuracy);
  expect_solved(test::franke_5_11(), accuracy);
  expect_solved(test::franke_5_3(), accuracy);
  expect_solved(test::mitsos_barton_3_1(), accuracy);
}

TEST(BundleLevel, AccuraciesFarApart) {
  expect_solved(test::box_face(10, 1), {1e-1, 1e-8});
  expect_solved(test::box_face(10, 1), {1e-8, 1e-1});
  expect_solved(test::simplex_face(20, 4, 2), {1e-7, 1e-3});
}

// Z = [-1, 1]^n with the separable f and g that random coefficients give: g = sum |c_j x_j - d_j|, f = sum a_j
// |x_j - b_j|, whose lower solutions are single points or intervals known in closed form.
RC_GTEST_PROP(BundleLevel, BoundsOfRandomProblemsAreBelowTheTruth, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  const Index n = *rc::gen::inRange<Index>(1, 8);
  Eigen::MatrixXd data = Eigen::MatrixXd::Zero(n, n);
  Vector target(n), wish = test::random_vector(n, random);
  double upper_optimum = 0.0, lower_optimum = 0.0;
  for (Index j = 0; j < n; ++j) {
    const double kind = test::random_vector(1, random)[0];
    const double slope = kind > 0.5 ? 0.0 : 1.0 + std::abs(kind);  // 0: g does not see x_j
    data(j, j) = slope;
    target[j] = test::random_vector(1, random)[0];
    double x = std::clamp(wish[j], -1.0, 1.0);
    if (slope > 0.0) x = std::clamp(target[j] / slope, -1.0, 1.0);
    lower_optimum += std::abs(slope * x - target[j]);
    upper_optimum += std::abs(x - wish[j]);
  }
  const Problem problem(l1_norm(wish), absolute_deviation(dense_map(data), target),
                        box(Vector::Constant(n, -1.0), Vector::Constant(n, 1.0)));
  const Accuracy accuracy{1e-4, 1e-4};
  const Outcome done =
      solve_with_bundle(problem, accuracy, {}, {.iterations = 3000}, upper_optimum, lower_optimum);
  RC_ASSERT(done.referee.wrong == 0);
  RC_ASSERT(done.result.status == Status::certified);
  RC_ASSERT(done.result.upper_value <= upper_optimum + accuracy.upper);
  RC_ASSERT(done.result.lower_value <= lower_optimum + accuracy.lower);
  RC_ASSERT(*done.result.certificate.upper_lower_bound <= upper_optimum + 1e-9);
}

TEST(BundleLevel, DegenerateProblems) {
  const Accuracy accuracy{1e-6, 1e-6};
  const Index n = 4;
  const Vector zero = Vector::Zero(n), one = Vector::Ones(n);
  const auto unit_ball = ball(zero, 1.0);
  struct Case {
    std::string name;
    Problem problem;
    double upper_optimum;
  };
  const std::vector<Case> cases{
      {"g constant", Problem(squared_norm(2.0 * one), 0.0 * squared_norm(zero), unit_ball), 0.5 * 9.0},
      {"f constant", Problem(0.0 * l1_norm(zero), l1_norm(one), unit_ball), 0.0},
      {"f = g", Problem(squared_norm(one), squared_norm(one), unit_ball), 0.5},
      {"a single point", Problem(l1_norm(zero), squared_norm(0.25 * one), unit_ball), 1.0},
      {"n = 1", Problem(linear(Vector::Ones(1)), l1_norm(Vector::Zero(1)), box(-Vector::Ones(1), Vector::Ones(1))),
       0.0},
      {"Z a single point", Problem(squared_norm(one), l1_norm(zero), ball(zero, 0.0)), 2.0},
      {"tiny data", Problem(1e-6 * squared_norm(one), 1e-6 * l1_norm(zero), unit_ball), 2e-6},
      {"a product", Problem(squared_norm(one), linear(one), product({simplex(2), box(zero.head(2), one.head(2))})),
       1.25},
  };
  for (const Case& each : cases) {
    const Accuracy asked = each.name == "tiny data" ? Accuracy{1e-9, 1e-9} : accuracy;
    const Outcome done = solve_with_bundle(each.problem, asked, {}, {.iterations = 2000}, each.upper_optimum);
    EXPECT_EQ(done.result.status, Status::certified) << each.name << ": " << done.result.message;
    EXPECT_LE(done.result.upper_value, each.upper_optimum + asked.upper) << each.name;
    EXPECT_EQ(done.referee.wrong, 0) << each.name;
  }
}

TEST(BundleLevel, WholeSpaceIsSolvedInTheBallTheCallerVouchesForAndNotWithoutOne) {
  const Vector start = Vector::Zero(3), target = Vector::Ones(3);
  const Problem known(l1_norm(target), squared_norm(target), whole_space(start, 5.0));
  EXPECT_EQ(solve_with_bundle(known, {1e-6, 1e-6}).result.status, Status::certified);
  const Problem unknown(linear(target), linear(target), whole_space(start, std::nullopt));
  const Outcome done = solve_with_bundle(unknown, {1e-6, 1e-6}, {}, {.iterations = 1000});
  EXPECT_FALSE(done.certified);
  EXPECT_NE(done.result.status, Status::certified);
}

TEST(BundleLevel, UserFunctionsWithoutImages) {
  UserFunction distance{.name = "distance",
                        .dimension = 3,
                        .evaluate =
                            [](VectorIn x, Vector* gradient) {
                              const Vector offset = x - Vector::Ones(3);
                              if (gradient != nullptr) *gradient = offset.array().sign();
                              return offset.lpNorm<1>();
                            },
                        .smoothness = {},
                        .lipschitz = 2.0};
  const Problem problem(user_function(distance), l1_norm(Vector::Constant(3, 0.5)),
                        box(Vector::Zero(3), Vector::Ones(3)));
  const Outcome done = solve_with_bundle(problem, {1e-4, 1e-4}, {}, {.iterations = 2000}, 1.5, 0.0);
  EXPECT_EQ(done.result.status, Status::certified) << done.result.message;
  EXPECT_EQ(done.referee.wrong, 0);
}

TEST(BundleLevel, LimitsAreHonoured) {
  const Problem problem = nonsmooth_problem(Loss::hinge, 1);
  const Accuracy accuracy{1e-6, 1e-6};
  const Outcome few = solve_with_bundle(problem, accuracy, {}, {.iterations = 37});
  EXPECT_FALSE(few.certified);
  EXPECT_EQ(few.result.status, Status::iteration_limit);
  EXPECT_EQ(few.steps(), 37);
  const Outcome cheap = solve_with_bundle(problem, accuracy, {}, {.passes = 101});
  EXPECT_EQ(cheap.result.status, Status::work_limit);
  EXPECT_LE(cheap.result.work.passes(), 101);
  ASSERT_TRUE(cheap.result.certificate.upper_excess.has_value());  // what was found is proved all the same
}

TEST(BundleLevel, GoesOnFromWhatTheLedgerKnows) {
  const test::KnownProblem known = test::gaussian_minimum_norm(100);
  const Accuracy rough{1e-2, 1e-2}, fine{1e-5, 1e-5};
  Monitor monitor;
  Oracle oracle(known.problem, monitor);
  Ledger ledger(known.problem);
  ASSERT_TRUE(BundleLevel(known.problem, rough, oracle, ledger).run());
  const double reference = ledger.reference_value(), bound = ledger.upper_lower_bound();
  ASSERT_TRUE(BundleLevel(known.problem, fine, oracle, ledger).run());
  EXPECT_LE(ledger.reference_value(), reference);
  EXPECT_GE(ledger.upper_lower_bound(), bound);
  EXPECT_TRUE(is_proved(oracle, ledger, fine));
}

TEST(BundleLevel, KeepsABetterCandidateOfAnotherEngine) {
  const test::KnownProblem known = test::box_face(8, 3);
  Monitor monitor;
  Oracle oracle(known.problem, monitor);
  Ledger ledger(known.problem);
  Point solution(known.problem);
  solution.x = known.solution;
  for (Level level : kLevels) oracle.update_images(level, solution);
  const double f = oracle.value(Level::upper, solution), g = oracle.value(Level::lower, solution);
  ledger.offer_reference(solution.x, g);
  ledger.set_candidate(solution.x, f, g);
  const Accuracy accuracy{1e-6, 1e-6};
  ASSERT_TRUE(BundleLevel(known.problem, accuracy, oracle, ledger).run());
  EXPECT_LE(ledger.candidate_upper(), f + 1e-12);
}

TEST(BundleLevel, SameInputSameBits) {
  const Problem problem = nonsmooth_problem(Loss::absolute, 5);
  const Outcome first = solve_with_bundle(problem, {1e-2, 1e-2}),
                second = solve_with_bundle(problem, {1e-2, 1e-2});
  EXPECT_EQ(first.result.x, second.result.x);
  EXPECT_EQ(first.result.work.passes(), second.result.work.passes());
}

#if FCBIO_ALLOCATIONS_COUNTED
TEST(BundleLevel, AllocatesNothingOnceWarm) {
  // Long enough for bundles to fill, be aggregated and dropped, too short for a proof, which allocates.
  const Problem on_ball = nonsmooth_problem(Loss::hinge, 1);
  std::mt19937_64 random(3);
  const auto map = dense_map(test::random_matrix(30, 20, random));
  const Function f = squared_norm(Vector::Ones(20)), g = least_squares(map, test::random_vector(30, random));
  const Problem on_box(f, g, box(Vector::Constant(20, -0.1), Vector::Constant(20, 0.1)));
  const Problem on_l1_ball(f, g, l1_ball(Vector::Zero(20), 0.3));
  const Problem on_product(f, g, product({simplex(10, 0.5), ball(Vector::Zero(10), 0.2)}));
  for (const Problem* problem : {&on_ball, &on_box, &on_l1_ball, &on_product}) {
    const Outcome done = solve_with_bundle(*problem, {1e-13, 1e-7}, {.cuts = 12}, {.iterations = 130}, kInfinity,
                                           kInfinity, /*warm_after=*/8);
    ASSERT_GT(done.referee.upper_steps, 20) << problem->domain().name();
    EXPECT_EQ(done.referee.allocations_at_last, done.referee.allocations_at_warm) << problem->domain().name();
  }
}
#endif

}  // namespace
}  // namespace fcbio
