// CG-BiO, AGM-BiO, IRCG, MNG and Bisec-BiO: proved bounds at every step, naive twins of whole runs, known answers,
// stopping rules, what is reported, refusals.
#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>

#include "fcbio/error.hpp"
#include "trajectory.hpp"

namespace fcbio {
namespace {

using test::KnownProblem;
using test::record;
using test::RecordedRun;
using test::value_at;

KnownProblem sample() { return test::minimum_norm(20, 40, 30.0, 5); }

KnownProblem from(const KnownProblem& known, Vector start) {
  return {Problem(known.problem.upper(), known.problem.lower(), known.problem.domain_pointer(), std::move(start)),
          known.upper_optimum, known.lower_optimum, known.solution};
}

double upper_gap(const KnownProblem& known, const Vector& x) {
  return value_at(known.problem, Level::upper, x) - known.upper_optimum;
}
double lower_gap(const KnownProblem& known, const Vector& x) {
  return value_at(known.problem, Level::lower, x) - known.lower_optimum;
}

std::string exact_text(double value) {
  std::ostringstream text;
  text << std::setprecision(17) << value;
  return text.str();
}

// ---- AGM-BiO

// The start is far from x*, and f is centred elsewhere, so that the bound of f is not met trivially.
KnownProblem shifted_sample() {
  const KnownProblem known = sample();
  const Index n = known.problem.dimension();
  std::mt19937_64 random(8);
  // f = 1/2 |x - c|^2 with c = x* + (row space part): then the projection of c on the solutions is x* still.
  const Vector row = test::gradient_at(known.problem, Level::lower, test::random_vector(n, random)).normalized();
  const Vector c = known.solution + 0.8 * row;
  return {Problem(squared_norm(c), known.problem.lower(), known.problem.domain_pointer(),
                  2.0 * test::random_vector(n, random).normalized()),
          0.5 * (known.solution - c).squaredNorm(), 0.0, known.solution};
}

void expect_agm_bounds(const KnownProblem& known, const OptionValues& values, double gamma, std::int64_t steps) {
  const RecordedRun run = record(known.problem, "agm-bio", values, steps);
  ASSERT_EQ(static_cast<std::int64_t>(run.trajectory.points.size()), steps);
  const double l_f = test::smoothness_of(known.problem, Level::upper);
  const double l_g = test::smoothness_of(known.problem, Level::lower);
  const double far = (known.problem.start() - known.solution).squaredNorm();
  const double diameter = *known.problem.domain().diameter();
  bool f_positive = false;
  for (std::int64_t k = 1; k <= steps; ++k) {
    const Vector& x = run.trajectory.points[static_cast<std::size_t>(k) - 1];
    const auto count = static_cast<double>(k);
    EXPECT_LE(upper_gap(known, x), 4.0 * l_f * far / (gamma * count * (count + 1.0)) + 1e-12) << k;
    EXPECT_LE(lower_gap(known, x), 2.0 * l_g * diameter * diameter / (count + 1.0) +
                                       4.0 * l_g * far * (1.0 + std::log(count)) / (count * (count + 1.0)))
        << k;
    f_positive = f_positive || upper_gap(known, x) > 0.0;
  }
  EXPECT_TRUE(f_positive);  // otherwise the first bound says nothing here
}

TEST(AgmBio, KeepsItsTwoBoundsAtEveryStep) {
  expect_agm_bounds(shifted_sample(), {}, 1.0, 500);
  expect_agm_bounds(shifted_sample(), {{"gamma", "0.05"}}, 0.05, 500);
}

TEST(AgmBio, TheRuleForErrorBoundsIsTheFormula) {
  const KnownProblem known = sample();
  const double ratio = test::smoothness_of(known.problem, Level::lower);  // L_f = 1
  const double gamma = 1.0 / (2.0 * ratio * std::pow(300.0, 2.0 / 3.0) + 2.0);
  const RecordedRun by_rule = record(known.problem, "agm-bio", {{"rule", "heb"}, {"iterations", "300"}}, 1000);
  const RecordedRun told =
      record(known.problem, "agm-bio", {{"gamma", exact_text(gamma)}, {"iterations", "300"}}, 1000);
  EXPECT_EQ(by_rule.result.work.iterations, 300);
  EXPECT_NEAR((by_rule.result.x - told.result.x).norm(), 0.0, 1e-10);  // L is rounded up in one of them
}

// With quadratic growth (r = 2) both gaps of the end point fall like T^-4/3; with gamma = 1 that of g falls like
// 1/T.
TEST(AgmBio, TheRuleForErrorBoundsGivesTheFasterRate) {
  const KnownProblem known = from(sample(), 2.0 * Vector::Ones(40).normalized());
  std::vector<double> steps, heb, compact;
  for (double t : {400.0, 800.0, 1600.0, 3200.0, 6400.0}) {
    const auto count = static_cast<std::int64_t>(t);
    const std::string budget = std::to_string(count);
    steps.push_back(t);
    heb.push_back(lower_gap(
        known, record(known.problem, "agm-bio", {{"rule", "heb"}, {"iterations", budget}}, count).result.x));
    compact.push_back(
        lower_gap(known, record(known.problem, "agm-bio", {{"iterations", budget}}, count).result.x));
  }
  EXPECT_GE(test::fitted_order(steps, heb), 1.25);
  EXPECT_LE(test::fitted_order(steps, compact), 1.2);
  EXPECT_GE(test::fitted_order(steps, compact), 0.8);
}

// The naive twin: no cached images, the naive projection on a ball and a halfspace by bisection.
TEST(AgmBio, FollowsItsFormulas) {
  const KnownProblem known = shifted_sample();
  const Problem& problem = known.problem;
  const double l_g = test::smoothness_of(problem, Level::lower);
  Vector x = problem.start(), z = x, p = x, p_before = x, extrapolated = x;
  double sum = 0.0, best = value_at(problem, Level::lower, x), t = 1.0;
  const RecordedRun run = record(problem, "agm-bio", {}, 40);
  for (int k = 0; k < 40; ++k) {
    const double a = 0.25 * (k + 1);
    const Vector y = (sum * x + a * z) / (sum + a);
    const Vector w = test::gradient_at(problem, Level::lower, y);
    const double slack = best - value_at(problem, Level::lower, y);
    const Vector v = z - a * test::gradient_at(problem, Level::upper, y);
    double low = 0.0, high = 1e6;
    if (w.dot(test::projected(problem, v) - y) <= slack) high = 0.0;
    for (int i = 0; i < 200 && high > 0.0; ++i) {
      const double mu = 0.5 * (low + high);
      (w.dot(test::projected(problem, v - mu * w) - y) > slack ? low : high) = mu;
    }
    z = test::projected(problem, v - high * w);
    x = (sum * x + a * z) / (sum + a);
    sum += a;
    p = test::projected(problem, extrapolated - test::gradient_at(problem, Level::lower, extrapolated) / l_g);
    best = std::min(best, value_at(problem, Level::lower, p));
    const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t * t));
    extrapolated = p + ((t - 1.0) / next) * (p - p_before);
    p_before = p;
    t = next;
    EXPECT_NEAR((run.trajectory.points[static_cast<std::size_t>(k)] - x).norm(), 0.0, 1e-7) << k;
  }
}

// ---- IRCG

TEST(Ircg, KeepsItsBoundOfFAtEveryStepAndClosesBothGaps) {
  const KnownProblem known = shifted_sample();
  for (const double p : {0.3, 0.5}) {
    const RecordedRun run = record(known.problem, "ircg", {{"p", std::to_string(p)}, {"sigma0", "2"}}, 4000);
    const double l_f = 1.0, l_g = test::smoothness_of(known.problem, Level::lower);
    const double squared = std::pow(*known.problem.domain().diameter(), 2);
    const auto sigma = [&](double t) { return 2.0 * std::pow(t + 1.0, -p); };
    double constants = 0.0, weights = 0.0;
    for (std::size_t k = 1; k <= run.trajectory.points.size(); ++k) {
      const auto t = static_cast<double>(k);
      constants += sigma(t - 1.0) * l_f + l_g;
      weights += (t + 1.0) * t * (sigma(t - 1.0) - sigma(t));
      const double total = weights + (t + 1.0) * t * sigma(t);
      const Vector& z = run.trajectory.points[k - 1];
      EXPECT_LE(upper_gap(known, z), 2.0 * squared * constants / total) << k;
      EXPECT_LE(known.problem.domain().violation(z), 1e-12);
    }
    const test::Orders orders = test::fitted_orders(known, run.trajectory, 100.0);
    EXPECT_GE(orders.lower, p - 0.05);
    // With p nearer to 1 the gap of g falls faster: the weights do steer the rate.
    EXPECT_LE(orders.lower, 2.0 * p + 0.35);
  }
}

TEST(Ircg, FollowsItsFormulas) {
  const KnownProblem known = shifted_sample();
  const Problem& problem = known.problem;
  const RecordedRun run = record(problem, "ircg", {{"sigma0", "3"}}, 30);
  std::vector<Vector> x{problem.start()};
  const auto sigma = [](std::size_t t) { return 3.0 / std::sqrt(static_cast<double>(t + 1)); };
  for (std::size_t t = 0; t < 30; ++t) {
    const Vector direction =
        sigma(t) * test::gradient_at(problem, Level::upper, x[t]) + test::gradient_at(problem, Level::lower, x[t]);
    Vector v(direction.size());
    problem.domain().minimize_linear(direction, v);
    x.push_back(x[t] + 2.0 / static_cast<double>(t + 2) * (v - x[t]));
    const std::size_t last = t + 1;
    const auto weight = static_cast<double>((last + 1) * last);
    Vector z = weight * sigma(last) * x[last];
    double total = weight * sigma(last);
    for (std::size_t i = 1; i <= last; ++i) {
      const double share = static_cast<double>((i + 1) * i) * (sigma(i - 1) - sigma(i));
      z += share * x[i];
      total += share;
    }
    EXPECT_NEAR((run.trajectory.points[t] - z / total).norm(), 0.0, 1e-12) << t;
  }
}

// ---- CG-BiO

TEST(CgBio, EndsByItsRuleWithAWeakPoint) {
  for (const char* lower_method : {"frank-wolfe", "accelerated"}) {
    const KnownProblem known = test::simplex_face(12, 5, 3);
    const Result result = solve(
        known.problem, {.method = "cg-bio", .values = {{"lower_method", lower_method}}, .accuracy = {1e-3, 1e-3}});
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(result.upper_value - known.upper_optimum, 1e-3);
    EXPECT_LE(result.lower_value - known.lower_optimum, 1e-3);
    EXPECT_LT(result.work.iterations, 20000);
  }
}

// f(x_k) - f* <= 2 L_f D^2 / (k+1) and g(x_k) - g(x_0) <= 2 L_g D^2 / (k+1): the Frank-Wolfe bounds, and the rate.
TEST(CgBio, KeepsTheFrankWolfeBoundsOfBothLevels) {
  const KnownProblem known = shifted_sample();
  const OptionValues values{{"lower_method", "accelerated"}, {"lower_iterations", "1500"}, {"iterations", "5500"}};
  Monitor monitor;
  struct Phases final : Observer {
    std::vector<Vector> lower, step;
    bool on_progress(const Progress& progress) override {
      (progress.phase == "lower" ? lower : step).push_back(*progress.x);
      return true;
    }
  } phases;
  monitor.add_observer(phases);
  solve(known.problem, {.method = "cg-bio", .values = values, .accuracy = {1e-9, 1e-9}}, monitor);
  ASSERT_EQ(phases.lower.size(), 1500U);
  ASSERT_EQ(phases.step.size(), 4000U);
  const double g0 = value_at(known.problem, Level::lower, phases.lower.back());
  const double squared = std::pow(*known.problem.domain().diameter(), 2);
  const double l_g = test::smoothness_of(known.problem, Level::lower);
  std::vector<double> steps, gaps;
  for (std::size_t k = 1; k <= phases.step.size(); ++k) {
    const auto count = static_cast<double>(k);
    const Vector& x = phases.step[k - 1];
    EXPECT_LE(upper_gap(known, x), 2.0 * squared / (count + 1.0)) << k;
    const double rise = value_at(known.problem, Level::lower, x) - g0;
    EXPECT_LE(rise, 2.0 * l_g * squared / (count + 1.0)) << k;
    if (k >= 100 && k % 100 == 0) steps.push_back(count), gaps.push_back(rise);
  }
  EXPECT_GE(test::fitted_order(steps, gaps), 0.85);
}

TEST(CgBio, TheStepRuleIsTheOptionsFormula) {
  const KnownProblem known = sample();
  const OptionValues values{{"lower_iterations", "0"}, {"step", "0.5"}, {"step_offset", "1"}};
  const RecordedRun run = record(known.problem, "cg-bio", values, 3);
  // With no lower phase g(x_0) is that of the start, and the first cut passes through it.
  const Problem& problem = known.problem;
  const Vector x0 = problem.start();
  const Vector direction = test::gradient_at(problem, Level::upper, x0);
  const Vector normal = test::gradient_at(problem, Level::lower, x0);
  const Vector s = (run.trajectory.points[0] - 0.5 * x0) / 0.5;
  EXPECT_LE(problem.domain().violation(s), 1e-12);
  EXPECT_LE(normal.dot(s - x0), 1e-12);
  EXPECT_LE(direction.dot(s - x0), 0.0);
  EXPECT_EQ(run.result.work.iterations, 3);
}

TEST(CgBio, CountsFromTheFirstIndexInBothPhases) {
  const KnownProblem known = from(sample(), Vector::Constant(40, 0.1));
  const Problem& problem = known.problem;
  const Vector x0 = problem.start();
  for (const double first : {0.0, 1.0}) {
    const OptionValues values{{"first_index", std::to_string(static_cast<int>(first))}, {"step_offset", "12"}};
    // The first step of the lower phase goes from x0 towards the minimiser of <g'(x0), .>.
    const Vector lower = record(problem, "cg-bio", values, 1).trajectory.points[0];
    Vector vertex(x0.size());
    problem.domain().minimize_linear(test::gradient_at(problem, Level::lower, x0), vertex);
    EXPECT_LE((lower - x0 - 2.0 / (first + 2.0) * (vertex - x0)).norm(), 1e-12) << first;
    OptionValues no_lower = values;
    no_lower["lower_iterations"] = "0";
    const Vector upper = record(problem, "cg-bio", no_lower, 1).trajectory.points[0];
    const Vector s = x0 + (upper - x0) * (first + 12.0) / 2.0;
    EXPECT_NEAR(s.norm(), 2.0, 1e-9);  // the minimiser of a linear function lies on the sphere
  }
}

TEST(CgBio, ChargesOneImageAndOneGradientPerStep) {
  const KnownProblem known = sample();
  const auto passes = [&](std::int64_t steps) {
    return record(known.problem, "cg-bio", {{"lower_iterations", "4"}}, steps).result.work.passes();
  };
  EXPECT_EQ(passes(4) - passes(3), 2);  // lower phase
  EXPECT_EQ(passes(9) - passes(8), 2);  // f costs nothing
}

// ---- MNG

TEST(Mng, KeepsItsBoundOnTheSmallestLowerGap) {
  const KnownProblem known = shifted_sample();
  const RecordedRun run = record(known.problem, "mng", {}, 2000);
  const double radius_squared = 2.0 * known.upper_optimum;  // R = |x* - c|
  const double m = test::smoothness_of(known.problem, Level::lower);
  double best = kInfinity;
  for (std::size_t k = 1; k <= run.trajectory.points.size(); ++k) {
    best = std::min(best, lower_gap(known, run.trajectory.points[k - 1]));
    EXPECT_LE(best, 4.0 / 3.0 * m * radius_squared / std::sqrt(static_cast<double>(k))) << k;
  }
  EXPECT_LE(best, 1e-2 * lower_gap(known, run.trajectory.points[0]));
}

TEST(Mng, FindsTheMinimumNormSolution) {
  const KnownProblem known = test::minimum_norm(5, 10, 2.0, 4);
  const Result result = solve(known.problem, {.method = "mng", .values = {{"iterations", "3000"}}});
  EXPECT_NEAR(result.upper_value, 0.5, 1e-3);
  EXPECT_LE(result.lower_value, 1e-6);
  EXPECT_EQ(result.work.upper_passes, 0);
}

// The optimum of f over Z is not where g is smallest, so y (in Z) and x (not in Z) differ.
TEST(Mng, ReportsAPointOfZ) {
  const KnownProblem known = test::cut_off_minimum_norm(10, 20, 10.0, 0.6, 3);
  const RecordedRun run = record(known.problem, "mng", {}, 500);
  for (const Vector& y : run.trajectory.points) EXPECT_LE(known.problem.domain().violation(y), 1e-12);
  EXPECT_LE(run.result.lower_value - known.lower_optimum, 0.05 * known.lower_optimum + 1e-3);
}

TEST(Mng, RefusesOtherUpperFunctionsWithTheReason) {
  const KnownProblem known = sample();
  const Problem problem(known.problem.lower(), known.problem.lower(), known.problem.domain_pointer());
  EXPECT_EQ(
      find_method("mng").misfit(problem),
      "the upper function is not of the form weight/2 |x - c|^2 (it is least-squares), and only for that is its "
      "minimum over two halfspaces known");
  EXPECT_THROW(solve(problem, {.method = "mng"}), InvalidArgument);
}

// ---- Bisec-BiO

TEST(BisecBio, EndsWeakOnTheMinimumNormProblem) {
  const KnownProblem known = sample();
  const Accuracy accuracy{1e-5, 1e-6};
  const Result result = solve(known.problem, {.method = "bisec-bio", .accuracy = accuracy});
  EXPECT_LE(result.upper_value - known.upper_optimum, accuracy.upper);
  EXPECT_LE(result.lower_value - known.lower_optimum, accuracy.lower);
  // It uses the slack it has in g, as v(g* + eps_g / 2) < f* says.
  EXPECT_GE(result.lower_value - known.lower_optimum, 0.4 * accuracy.lower);
  EXPECT_LT(result.upper_value, known.upper_optimum - 1e-4);
}

TEST(BisecBio, TheNumberOfRoundsIsThatOfTheBisection) {
  const KnownProblem known = sample();
  const RecordedRun run =
      record(known.problem, "bisec-bio", {{"upper_slack", "3"}, {"lower_bound", "0.01"}}, 1000000);
  // record() asks for 1e-6 in f: one round at the lower end, log2((f(x_g) + 3 - 0.01) / 1e-6) halvings, and the
  // last.
  const double x_g = 0.5;
  const auto halvings = static_cast<std::int64_t>(std::ceil(std::log2((x_g + 2.99) / 1e-6)));
  EXPECT_EQ(run.trajectory.rounds.front(), 0);
  EXPECT_EQ(run.trajectory.rounds.back(), halvings + 2);
}

// Against the certified solver in its tight mode at the slack that Bisec-BiO leaves, eps_g / 2, on a ball that
// holds the solution.
TEST(BisecBio, SolvesTheElasticNetInTheWholeSpace) {
  const KnownProblem known = sample();
  const Index n = known.problem.dimension();
  const Function net = l1_norm(Vector::Zero(n)) + 0.5 * squared_norm(Vector::Zero(n));
  const Accuracy accuracy{1e-4, 1e-6};
  const Result tight = solve(Problem(net, known.problem.lower(), ball(Vector::Zero(n), 3.0)),
                             {.accuracy = {1e-5, 0.5 * accuracy.lower, true}});
  ASSERT_EQ(tight.status, Status::certified) << tight.message;
  const Result result = solve(Problem(net, known.problem.lower(), whole_space(Vector::Zero(n), std::nullopt)),
                              {.method = "bisec-bio", .accuracy = accuracy});
  EXPECT_LE(result.lower_value, accuracy.lower);
  EXPECT_NEAR(result.upper_value, tight.upper_value, 5e-4);
  EXPECT_LE(result.upper_value, *tight.certificate.upper_lower_bound + *tight.certificate.upper_excess + 5e-4);
}

TEST(BisecBio, AnswersWhereTheLevelSetsMissTheDomain) {
  // On [1, 2]^2 f is at least 1; a told bound far below that costs rounds without a point, and nothing else.
  const Problem problem(squared_norm(Vector::Zero(2)), squared_norm(Vector::Constant(2, 1.5)),
                        box(Vector::Ones(2), Vector::Constant(2, 2.0)));
  const Result result =
      solve(problem, {.method = "bisec-bio", .values = {{"lower_bound", "-100"}}, .accuracy = {1e-6, 1e-8}});
  EXPECT_NEAR(result.upper_value, 2.25, 1e-3);
  EXPECT_LE(result.lower_value, 1e-8);
}

// While it runs, what it would return has a g that was accepted, whatever round it is in.
TEST(BisecBio, ReportsAcceptedPoints) {
  const KnownProblem known = sample();
  const RecordedRun run = record(known.problem, "bisec-bio", {}, 100000);
  double largest = 0.0;
  for (std::size_t k = 0; k < run.trajectory.points.size(); ++k)
    if (run.trajectory.rounds[k] > 0) largest = std::max(largest, lower_gap(known, run.trajectory.points[k]));
  EXPECT_LE(largest, 2e-6);
}

TEST(BisecBio, RefusesOtherUpperFunctionsWithTheReason) {
  const KnownProblem known = sample();
  const Problem problem(known.problem.lower(), known.problem.lower(), known.problem.domain_pointer());
  EXPECT_EQ(find_method("bisec-bio").misfit(problem),
            "the upper function is not of the form weight/2 |x - c|^2, with or without an l1 norm (it is "
            "least-squares), and only on level sets of that a projection is known");
}

// ---- refusals they share

TEST(CutMethods, RefuseWhatTheyCannotUse) {
  const Vector zero = Vector::Zero(2);
  const Problem open(squared_norm(zero), squared_norm(zero), box(zero, Vector::Constant(2, kInfinity)));
  const Problem kinked(squared_norm(zero), l1_norm(zero), ball(zero, 1.0));
  for (const char* name : {"cg-bio", "ircg"})
    EXPECT_EQ(find_method(name).misfit(open), "the domain is unbounded and no radius was told") << name;
  for (const char* name : {"cg-bio", "ircg", "agm-bio", "mng", "bisec-bio"})
    EXPECT_EQ(find_method(name).misfit(kinked), "the lower function is not smooth (term 'l1-norm')") << name;
  const Problem crossed(squared_norm(zero), squared_norm(zero), intersection({ball(zero, 1.0), simplex(2, 1.0)}));
  EXPECT_EQ(find_method("cg-bio").misfit(crossed),
            "linear functions cannot be minimised over the domain 'intersection'");
  EXPECT_EQ(find_method("agm-bio").misfit(crossed),
            "the projection on the domain 'intersection' is iterative, and too slow for points as far away as its "
            "growing steps lead");
  EXPECT_EQ(find_method("bisec-bio").misfit(crossed), "");
}

}  // namespace
}  // namespace fcbio
