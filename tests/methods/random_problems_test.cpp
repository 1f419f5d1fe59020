// Random least-squares problems, rank-deficient and inconsistent ones included, on every set with room for the
// answer: no bound may be violated, whatever the engine, the accuracy and the mode.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

struct RandomProblem {
  test::KnownProblem known;
  Accuracy accuracy;
};

// f = 1/2|x - c|^2, g = 1/2|Ax - b|^2:  x* = c + A+(b - Ac), inside a set that is up to 3 times as large.
RandomProblem random_problem(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  const auto whole = [&](int low, int high) { return std::uniform_int_distribution<Index>(low, high)(random); };
  const Index n = whole(3, 40), m = whole(2, 60);
  const Index rank = std::min({m, n, whole(1, 30)});
  const Vector scales = Vector::NullaryExpr(rank, [&] { return std::pow(10.0, -2.0 + 2.5 * uniform(random)); });
  const Eigen::MatrixXd a = test::random_matrix(m, rank, random) * scales.asDiagonal() *
                            test::random_matrix(rank, n, random) / std::sqrt(static_cast<double>(n));
  Vector b = a * test::random_vector(n, random);
  if (uniform(random) < 0.5) b += 0.1 * test::random_vector(m, random);
  const Vector centre = uniform(random) < 0.5 ? test::random_vector(n, random) : Vector(Vector::Zero(n));

  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-11);
  decomposition.compute(a);
  const Vector solution = centre + decomposition.solve(b - a * centre);
  const double f = 0.5 * (solution - centre).squaredNorm(), g = 0.5 * (a * solution - b).squaredNorm();

  const double room = 1.05 + 2.0 * uniform(random);
  const double largest = 0.1 + room * solution.cwiseAbs().maxCoeff();
  const std::array<ConvexSetPtr, 5> sets{
      ball(Vector::Zero(n), 0.1 + room * solution.norm()),
      box(Vector::Constant(n, -largest), Vector::Constant(n, largest)),
      l1_ball(Vector::Zero(n), 0.1 + room * solution.lpNorm<1>()),
      whole_space(Vector::Zero(n), 0.1 + room * solution.norm()),
      intersection({ball(Vector::Zero(n), 0.1 + room * solution.norm()),
                    box(Vector::Constant(n, -largest), Vector::Constant(n, largest))})};
  const ConvexSetPtr& domain = sets[seed % sets.size()];
  const Vector start = std::holds_alternative<WholeSpaceShape>(domain->shape()) ? Vector(Vector::Zero(n))
                                                                                : test::random_vector(n, random);
  const Accuracy accuracy{std::pow(10.0, -6.0 + 4.0 * uniform(random)),
                          std::pow(10.0, -7.0 + 5.0 * uniform(random))};
  return {{Problem(squared_norm(centre), least_squares(dense_map(a), b), domain, start), f, g, solution},
          accuracy};
}

void expect_no_violation(const Result& result, const test::KnownProblem& known, const Accuracy& accuracy) {
  const double f = known.upper_optimum, g = known.lower_optimum;
  const Certificate& c = result.certificate;
  if (c.upper_lower_bound) {
    EXPECT_LE(*c.upper_lower_bound, f + 1e-9 * (1.0 + f));
  }
  if (c.lower_lower_bound) {
    EXPECT_LE(*c.lower_lower_bound, g + 1e-10 * (1.0 + g));
  }
  EXPECT_LE(known.problem.domain().violation(result.x), 1e-9 * (1.0 + result.x.norm()));
  if (result.status != Status::certified) return;
  EXPECT_LE(result.upper_value, f + accuracy.upper * (1.0 + 1e-6) + 1e-9 * (1.0 + f));
  EXPECT_LE(result.lower_value, g + accuracy.lower * (1.0 + 1e-6) + 1e-10 * (1.0 + g));
}

TEST(RandomProblems, TheDefaultCertifiesAllAndClaimsNothingFalse) {
  std::int64_t passes = 0;
  int open_on_intersections = 0;  // first-order steps only: the worst conditioned may stay open
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    RandomProblem random = random_problem(seed);
    for (bool tight : {false, true}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << random.known.problem.domain().name()
                                      << (tight ? ", tight" : ""));
      const std::string_view set = random.known.problem.domain().name();
      random.accuracy.tight = tight && set != "intersection" && set != "whole-space";
      const Result result =
          solve(random.known.problem, {.accuracy = random.accuracy, .limits = {.passes = 100'000}});
      if (random.known.problem.domain().name() == "intersection")
        open_on_intersections += result.status == Status::certified ? 0 : 1;
      else
        EXPECT_EQ(to_string(result.status), "certified") << result.engine << ": " << result.message;
      expect_no_violation(result, random.known, random.accuracy);
      passes += result.work.passes();
    }
  }
  EXPECT_LE(open_on_intersections, 2);  // of 60
  RecordProperty("passes", static_cast<int>(passes));
}

TEST(RandomProblems, NoEngineClaimsAnythingFalse) {
  const MethodInfo& method = find_method("fcbio");
  for (const OptionInfo& option : method.options) {
    if (option.name != "engine") continue;
    std::istringstream choices(option.range);
    for (std::string engine; choices >> engine;) {
      if (engine == "|" || engine == "auto") continue;
      int certified = 0, fitting = 0;
      for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE(testing::Message() << engine << ", seed " << seed);
        const RandomProblem random = random_problem(seed);
        Result result;
        try {
          result =
              solve(random.known.problem,
                    {.values = {{"engine", engine}}, .accuracy = random.accuracy, .limits = {.passes = 3000}});
        } catch (const InvalidArgument&) {
          continue;  // does not fit this set
        }
        ++fitting;
        certified += result.status == Status::certified ? 1 : 0;
        expect_no_violation(result, random.known, random.accuracy);
      }
      EXPECT_GT(fitting, 0) << engine;
      EXPECT_GT(certified, 0) << engine;
    }
  }
}

}  // namespace
}  // namespace fcbio
