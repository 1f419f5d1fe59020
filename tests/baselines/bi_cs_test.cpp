// Bi-CS: its pieces against naive twins, the proved bounds of mode RL at every step, rates of all modes, refusals.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "baselines/follow_the_leader.hpp"
#include "baselines/step_window.hpp"
#include "fcbio/error.hpp"
#include "nonsmooth_problems.hpp"
#include "support/runs.hpp"

namespace fcbio {
namespace {

TEST(FollowTheLeader, KeepsItsRegretBoundAgainstEveryPoint) {
  std::mt19937_64 random(3);
  const Index n = 6;
  const double radius = 1.5, diameter = 2.0 * radius;
  const Problem problem(squared_norm(Vector::Zero(n)), squared_norm(Vector::Zero(n)),
                        ball(Vector::Zero(n), radius));
  Monitor monitor;
  Oracle oracle(problem, monitor);
  FollowTheLeader leader(oracle, problem.start(), std::sqrt(5.5) / diameter);
  Vector sum = Vector::Zero(n);
  double loss = 0.0, squares = 0.0, largest = 0.0;
  for (int t = 1; t <= 400; ++t) {
    // An adversary that pushes where the leader stands, with sizes from 1e-3 to 1e3.
    Vector gradient = test::random_vector(n, random) + leader.point();
    gradient *= std::pow(10.0, 3.0 * std::sin(t));
    loss += gradient.dot(leader.point());
    sum += gradient;
    squares += gradient.squaredNorm();
    largest = std::max(largest, gradient.norm());
    leader.follow(gradient);
    const double regret = loss + radius * sum.norm();  // against the best point of the ball
    EXPECT_LE(regret, std::sqrt(5.5) * diameter * std::sqrt(squares) + 3.5 * diameter * largest) << t;
    EXPECT_LE(leader.point().norm(), radius * (1.0 + 1e-12));
  }
}

// Without the square root this fails: the points would shrink with the scale.
TEST(FollowTheLeader, DoesNotNoticeTheScaleOfTheGradients) {
  std::mt19937_64 random(4);
  const Problem problem(squared_norm(Vector::Zero(3)), squared_norm(Vector::Zero(3)), ball(Vector::Zero(3), 1.0));
  Monitor monitor;
  Oracle oracle(problem, monitor);
  FollowTheLeader plain(oracle, problem.start(), 1.0), scaled(oracle, problem.start(), 1.0);
  for (int t = 0; t < 50; ++t) {
    const Vector gradient = test::random_vector(3, random);
    plain.follow(gradient);
    scaled.follow(1e6 * gradient);
    EXPECT_NEAR((plain.point() - scaled.point()).norm(), 0.0, 1e-12);
  }
}

struct NaiveStep {
  bool f_step;
  double f;
  Vector x, v;
};

RC_GTEST_PROP(StepWindow, AgreesWithTheWholeHistory, ()) {
  const auto steps = *rc::gen::inRange(1, 60);
  const auto room = *rc::gen::element<Index>(4, 8, 64);
  const Index n = 3;
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  StepWindow window(n, room, true);
  std::vector<NaiveStep> history(1);
  for (std::int64_t t = 1; t <= steps; ++t) {
    NaiveStep step{random() % 3 != 0, static_cast<double>(random() % 5), test::random_vector(n, random),
                   test::random_vector(n, random)};
    window.advance(t);
    window.add(step.f_step, step.f, step.x, step.v);
    history.push_back(step);

    const std::int64_t begin = window.first();
    RC_ASSERT(begin <= (t + 1) / 2 && begin >= 1);
    if (room == 64) RC_ASSERT(begin == (t + 1) / 2);       // the rule itself
    RC_ASSERT((t + 1) / 2 - begin <= 2 * (t / room) + 1);  // and close to it when blocks were merged
    Vector sum = Vector::Zero(n);
    double product = 0.0;
    const NaiveStep* best = nullptr;
    for (std::int64_t s = begin; s <= t; ++s) {
      const NaiveStep& at = history[static_cast<std::size_t>(s)];
      sum += at.v;
      product += at.v.dot(at.x);
      if (at.f_step && (best == nullptr || at.f <= best->f)) best = &at;
    }
    RC_ASSERT((window.direction_sum() - sum).norm() < 1e-12);
    RC_ASSERT(std::abs(window.product_sum() - product) < 1e-12);
    RC_ASSERT(window.has_candidate() == (best != nullptr));
    if (best != nullptr) RC_ASSERT(window.best() == best->x);
  }
}

SolveOptions bi_cs(std::string mode, std::int64_t iterations) {
  return {.method = "bi-cs",
          .values = {{"mode", std::move(mode)}, {"iterations", std::to_string(iterations)}},
          .accuracy = {1e-2, 1e-2}};
}

TEST(BiCs, ModeRlKeepsItsProvedBoundsAtEveryStep) {
  const test::KnownProblem known = test::rotated_absolute(20, 6, 5);
  const double diameter = *known.problem.domain().diameter();
  const Vector centre = Vector::Zero(20);
  const double constant = std::max(*known.problem.upper().lipschitz(centre, diameter).value,
                                   *known.problem.lower().lipschitz(centre, diameter).value);
  const test::ObservedRun run = test::observed(known, bi_cs("RL", 3000));
  ASSERT_EQ(run.gaps.size(), 3000u);
  for (std::size_t k = 0; k < run.gaps.size(); ++k) {
    const auto t = static_cast<double>(k + 1), half = std::ceil(0.5 * t);
    const double leader = diameter * constant * (std::sqrt(5.5 / half) + 3.5 / half);
    EXPECT_LE(run.gaps[k].upper, 3.0 * diameter * constant / std::sqrt(t));
    EXPECT_LE(run.gaps[k].lower, 3.0 * diameter * constant / std::sqrt(half) + leader);
  }
}

// Gaps of both signs count: f may lie below f*.  The whole distance to the answer falls like 1/sqrt t.
TEST(BiCs, ModesThatNeedNoAccuracyFallLikeOneOverTheRoot) {
  const test::KnownProblem known = test::rotated_absolute(20, 6, 5);
  for (const char* mode : {"RL", "R", "N"}) {
    SolveOptions options = bi_cs(mode, 1 << 15);
    options.values["beta"] = "0.05";  // about |v|^2 here, so that mode R is soon in its regime
    const test::ObservedRun run = test::observed(known, options);
    std::vector<double> steps, lower, upper;
    for (std::size_t t = 1024; t <= run.gaps.size(); t *= 2) {
      steps.push_back(static_cast<double>(t));
      lower.push_back(run.gaps[t - 1].lower);
      upper.push_back(std::abs(run.gaps[t - 1].upper));
    }
    EXPECT_GT(test::fitted_order(steps, lower), 0.4) << mode;
    EXPECT_GT(test::fitted_order(steps, upper), 0.4) << mode;
    EXPECT_LT(lower.back(), 0.3) << mode;
  }
}

TEST(BiCs, ModeErReachesTheAccuracyItIsTold) {
  const test::KnownProblem known = test::rotated_absolute(20, 6, 5);
  for (double epsilon : {0.2, 0.05}) {
    SolveOptions options = bi_cs("ER", epsilon == 0.2 ? 1 << 13 : 1 << 16);
    options.values["epsilon"] = std::to_string(epsilon);
    const test::Gaps gaps = test::gaps_at(known, solve(known.problem, options).x);
    EXPECT_LE(gaps.upper, 0.5 * epsilon);
    EXPECT_LE(gaps.lower, epsilon);
  }
}

TEST(BiCs, PaysForGradientsOfTheUpperLevelOnlyWhereItNeedsThem) {
  const test::KnownProblem known = test::rotated_absolute(20, 6, 5);
  SolveOptions options = bi_cs("RL", 3000);
  options.values["lipschitz"] = "0.5";  // then no constant is paid for
  const Work rl = solve(known.problem, options).work;
  // y: two passes of g; x: one to see g there, then the gradient of the level it steps on.
  const std::int64_t f_steps = rl.upper_passes / 2, g_steps = rl.lower_passes - 3 * 3000;
  EXPECT_EQ(f_steps + g_steps, 3000);
  EXPECT_GT(f_steps, 100);
  EXPECT_GT(g_steps, 100);
  EXPECT_EQ(solve(known.problem, bi_cs("R", 500)).work.upper_passes, 2 * 500);  // its bound needs f' in every step
}

TEST(BiCs, RefusesWhatItCannotSolve) {
  const MethodInfo& method = find_method("bi-cs");
  const Problem unbounded(l1_norm(Vector::Ones(2)), l1_norm(Vector::Zero(2)),
                          whole_space(Vector::Zero(2), std::nullopt));
  EXPECT_EQ(method.misfit(unbounded), "the domain is unbounded and no radius was told");
  const test::KnownProblem known = test::rotated_absolute(4, 2, 5);
  EXPECT_THROW(
      {
        try {
          solve(known.problem, bi_cs("X", 5));
        } catch (const InvalidArgument& error) {
          EXPECT_STREQ(error.what(), "option 'mode': expected RL | R | N | ER, found 'X'");
          throw;
        }
      },
      InvalidArgument);
}

}  // namespace
}  // namespace fcbio
