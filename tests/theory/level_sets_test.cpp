// psi*(t) = min over Z of max{ f - t, g - g^ }, computed here by a naive solver: what the paper proves about it
// (Lemmas 5.1 to 5.3, Corollary 5.1), and that the published methods keep to it.
#include <gtest/gtest.h>

#include <map>

#include "fcbio/method.hpp"
#include "inner/accelerated.hpp"
#include "plane.hpp"
#include "support/runs.hpp"

namespace fcbio {
namespace {

using test::PlaneProblem;
using test::random_plane_problem;
using test::Surface;

constexpr double kNaive = 1e-8;  // error of the naive solver

Surface relaxed(const PlaneProblem& plane, double reference) {
  return [g = plane.g, reference](double x, double y) { return g(x, y) - reference; };
}

double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

TEST(LevelSets, PsiIsDecreasingConvexAndOneLipschitz) {
  std::mt19937_64 random(1);
  double steepest = 0.0, flattest = 1.0, bend = 0.0;
  for (int trial = 0; trial < 40; ++trial) {
    const PlaneProblem plane = random_plane_problem(random, trial % 2 == 0);
    const Surface g = relaxed(plane, uniform(random, 0.0, 0.2));
    const double width = uniform(random, 0.01, 2.0), first = plane.upper_optimum + uniform(random, -2.0, 1.0);
    double psi[3];
    for (int i = 0; i < 3; ++i) psi[i] = plane.disc.psi(plane.f, g, first + i * width);
    for (int i = 0; i < 2; ++i) {
      EXPECT_LE(psi[i + 1], psi[i] + kNaive);
      EXPECT_LE(psi[i] - psi[i + 1], width + kNaive);
      steepest = std::max(steepest, (psi[i] - psi[i + 1]) / width);
      flattest = std::min(flattest, (psi[i] - psi[i + 1]) / width);
    }
    EXPECT_LE(psi[1], 0.5 * (psi[0] + psi[2]) + kNaive);
    bend = std::max(bend, 0.5 * (psi[0] + psi[2]) - psi[1]);
  }
  EXPECT_GT(steepest, 0.9);  // the three are not met by flat functions only
  EXPECT_LT(flattest, 0.1);
  EXPECT_GT(bend, 0.01);
}

// f^ = min{ f : g <= g^ } is the smallest root.  With a point x of g(x) = g^ - s, f + mu (g - g^) >= f^ on Z for a
// mu <= (f(x) - f^)/s, so that psi*(t) >= (f^ - t)/(1 + mu) below f^: how far above 0 is known, too.
TEST(LevelSets, TheSmallestRootIsTheValueOfTheRelaxedProblem) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 30; ++trial) {
    const PlaneProblem plane = random_plane_problem(random, trial % 2 == 0);
    const double slack = uniform(random, 0.02, 0.3);
    const Surface g = relaxed(plane, slack);
    const double root = plane.disc.constrained_minimum(plane.f, g);
    EXPECT_LE(root, plane.upper_optimum + kNaive);
    const double multiplier = (plane.upper_optimum - root) / slack;  // the point of f* has g = g^ - slack
    EXPECT_NEAR(plane.disc.psi(plane.f, g, root), 0.0, 1e-7);
    for (double below : {1e-3, 0.1, 1.0}) {
      EXPECT_GE(plane.disc.psi(plane.f, g, root - below), below / (1.0 + multiplier) - 1e-7);
      EXPECT_LE(plane.disc.psi(plane.f, g, root + below), 1e-7);
    }
  }
}

// Lemma 5.1: g* <= g^ <= g* + eps_g/2, f(x) <= f^ + eps_f and g(x) - g^ <= eps_g/2 make x (eps_f, eps_g)-weak.
TEST(LevelSets, AWeakSolutionOfTheRelaxedProblemIsOneOfTheProblem) {
  std::mt19937_64 random(3);
  int met = 0, beyond = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const PlaneProblem plane = random_plane_problem(random, trial % 2 == 0);
    const double upper = uniform(random, 0.05, 0.5), lower = uniform(random, 0.05, 0.5);
    const double reference = uniform(random, 0.1, 1.0) * 0.5 * lower;
    const double root = plane.disc.constrained_minimum(plane.f, relaxed(plane, reference));
    for (int sample = 0; sample < 400; ++sample) {
      const double x = plane.disc.radius() * uniform(random, -1.0, 1.0);
      const double y = plane.disc.half_width(x) * uniform(random, -1.0, 1.0);
      const double f = plane.f(x, y), g = plane.g(x, y);
      const bool weak = f <= plane.upper_optimum + upper + kNaive && g <= lower + kNaive;
      if (f <= root + upper && g - reference <= 0.5 * lower) {
        ++met;
        EXPECT_TRUE(weak);
      }
      // with g^ = g* + eps_g, twice what the lemma allows, the same premises do not do
      if (g - lower <= 0.5 * lower && f <= root + upper && !weak) ++beyond;
    }
  }
  EXPECT_GT(met, 300);
  EXPECT_GT(beyond, 10);
}

// Lemma 5.3, one step at a time: psi*(l) > 0, u - l <= eps/2 and psi(u, x) <= eps/2 make x (eps, eps/2)-weak for
// the relaxed problem.  u may lie below f^.
TEST(LevelSets, ABracketOfHalfTheAccuracyIsEnough) {
  std::mt19937_64 random(4);
  int met = 0, below = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const PlaneProblem plane = random_plane_problem(random, trial % 2 == 0);
    const double accuracy = uniform(random, 0.1, 0.5);
    const Surface g = relaxed(plane, uniform(random, 0.1, 1.0) * 0.5 * accuracy);
    const double root = plane.disc.constrained_minimum(plane.f, g);
    const double low = root - uniform(random, 0.01, 0.4) * accuracy, high = low + 0.5 * accuracy;
    ASSERT_GT(plane.disc.psi(plane.f, g, low), 0.0);
    for (int sample = 0; sample < 400; ++sample) {
      const double x = plane.disc.radius() * uniform(random, -1.0, 1.0);
      const double y = plane.disc.half_width(x) * uniform(random, -1.0, 1.0);
      if (std::max(plane.f(x, y) - high, g(x, y)) > 0.5 * accuracy) continue;
      ++met;
      EXPECT_LE(plane.f(x, y), root + accuracy + kNaive);
      EXPECT_LE(g(x, y), 0.5 * accuracy);
      if (plane.f(x, y) < root) ++below;
    }
  }
  EXPECT_GT(met, 300);
  EXPECT_GT(below, 10);
}

/// g^ and the brackets of every round, as the method tells them.
class BracketObserver : public Observer {
 public:
  bool on_progress(const Progress& progress) override {
    if (progress.phase == "lower") reference = std::min(reference, progress.lower_value);
    if (progress.phase == "round") brackets[progress.round] = {progress.bracket_low, progress.bracket_high};
    return true;
  }
  double reference = kInfinity;
  std::map<std::int64_t, std::pair<double, double>> brackets;
};

void expect_brackets_hold(bool smooth, double accuracy, const OptionValues& values, int trials) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < trials; ++trial) {
    const PlaneProblem plane = random_plane_problem(random, smooth);
    BracketObserver seen;
    Monitor monitor;
    monitor.add_observer(seen);
    const Result result =
        solve(plane.problem,
              {.method = smooth ? "fcbio-sm" : "fcbio-lip", .values = values, .accuracy = {accuracy, accuracy}},
              monitor);
    ASSERT_TRUE(result.status == Status::converged || result.status == Status::certified) << result.message;
    EXPECT_GE(seen.reference, 0.0);
    EXPECT_LE(seen.reference, 0.5 * accuracy);
    const Surface g = relaxed(plane, seen.reference);
    double width = kInfinity;
    for (const auto& [round, bracket] : seen.brackets) {
      EXPECT_GE(plane.disc.psi(plane.f, g, bracket.first), -1e-7) << "round " << round;  // l <= f^
      EXPECT_LE(plane.disc.psi(plane.f, g, bracket.second), 0.5 * accuracy + 1e-7) << "round " << round;
      if (width < kInfinity) {
        EXPECT_NEAR(bracket.second - bracket.first, 0.5 * width, 1e-12);
      }
      width = bracket.second - bracket.first;
    }
    EXPECT_LE(result.upper_value, plane.upper_optimum + accuracy + kNaive);
    EXPECT_LE(result.lower_value, accuracy);
  }
}

TEST(LevelSets, TheSmoothMethodKeepsItsBracketAroundTheRoot) {
  expect_brackets_hold(true, 1e-3, {{"budget", "theory"}, {"alpha0", "1"}}, 12);
}
TEST(LevelSets, TheLipschitzMethodKeepsItsBracketAroundTheRoot) {
  expect_brackets_hold(false, 0.05, {{"budget", "theory"}}, 6);
}

/// Every point that a run shows.
class PathObserver : public Observer {
 public:
  bool on_progress(const Progress& progress) override {
    points.push_back(*progress.x);
    return true;
  }
  std::vector<Vector> points;
};

// Corollary 5.1: (f, g) with (eps_f, eps_g) is (f, eps_f/eps_g g) with eps_f for both.
void expect_same_path(double upper, double lower, double tolerance, bool smooth, const OptionValues& values) {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 4; ++trial) {
    const Index rows = 4, cols = 9;
    const Vector a = test::random_vector(6, random), b = test::random_vector(rows, random);
    const LinearMapPtr f_map = dense_map(RowMajorMatrix(test::random_matrix(6, cols, random)));
    const LinearMapPtr g_map = dense_map(RowMajorMatrix(test::random_matrix(rows, cols, random)));
    const Function f = smooth ? least_squares(f_map, a) : absolute_deviation(f_map, a);
    const Function g = smooth ? least_squares(g_map, b) : absolute_deviation(g_map, b);
    const ConvexSetPtr domain = ball(Vector::Zero(cols), 1.0);
    const std::string method = smooth ? "fcbio-sm" : "fcbio-lip";
    PathObserver own, scaled;
    Monitor own_monitor(Limits{.iterations = 3000}), scaled_monitor(Limits{.iterations = 3000});
    own_monitor.add_observer(own);
    scaled_monitor.add_observer(scaled);
    const Result first = solve(Problem(f, g, domain),
                               {.method = method, .values = values, .accuracy = {upper, lower}}, own_monitor);
    const Result second = solve(Problem(f, (upper / lower) * g, domain),
                                {.method = method, .values = values, .accuracy = {upper, upper}}, scaled_monitor);
    ASSERT_GT(own.points.size(), 100u);
    ASSERT_EQ(own.points.size(), scaled.points.size());
    double apart = (first.x - second.x).lpNorm<Eigen::Infinity>();
    for (std::size_t k = 0; k < own.points.size(); ++k)
      apart = std::max(apart, (own.points[k] - scaled.points[k]).lpNorm<Eigen::Infinity>());
    EXPECT_LE(apart, tolerance);
  }
}

TEST(ScalingCorollary, APowerOfTwoGivesTheSameBits) {
  const double upper = std::ldexp(1.0, -8);
  for (int power : {-6, 5}) {
    expect_same_path(upper, std::ldexp(upper, power), 0.0, true, {});
    expect_same_path(upper, std::ldexp(upper, power), 0.0, true, {{"budget", "theory"}, {"alpha0", "1"}});
    expect_same_path(upper, std::ldexp(upper, power), 0.0, false, {{"cap", "500"}});
  }
}

TEST(ScalingCorollary, AnyRatioGivesTheSamePathToRounding) {
  expect_same_path(1e-3, 1e-2, 1e-9, true, {});
  expect_same_path(1e-2, 3e-4, 1e-9, true, {{"budget", "theory"}});
}

}  // namespace
}  // namespace fcbio
