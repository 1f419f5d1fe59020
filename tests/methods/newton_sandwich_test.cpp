// The sandwich with Newton's method, and with the engine that switches to it: random least-squares problems,
// rank-deficient and inconsistent ones included, certified without a false claim.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/conclusion.hpp"
#include "inner/switching_engine.hpp"
#include "solver/sandwich.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

// f = 1/2|x - c|^2, g = 1/2|Ax - b|^2:  x* = c + A+(b - Ac).
test::KnownProblem random_problem(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  const auto whole = [&](int low, int high) { return std::uniform_int_distribution<Index>(low, high)(random); };
  const Index n = whole(3, 40), m = whole(2, 60), rank = std::min({m, n, whole(1, 30)});
  const Vector scales = Vector::NullaryExpr(rank, [&] { return std::pow(10.0, -2.0 + 2.5 * uniform(random)); });
  const Eigen::MatrixXd a = test::random_matrix(m, rank, random) * scales.asDiagonal() *
                            test::random_matrix(rank, n, random) / std::sqrt(static_cast<double>(n));
  Vector b = a * test::random_vector(n, random);
  if (seed % 2 == 0) b += 0.1 * test::random_vector(m, random);
  const Vector centre = seed % 3 == 0 ? Vector(Vector::Zero(n)) : test::random_vector(n, random);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-11);
  decomposition.compute(a);
  const Vector solution = centre + decomposition.solve(b - a * centre);
  const double radius = 0.1 + (1.05 + 2.0 * uniform(random)) * solution.norm();
  const ConvexSetPtr domain = seed % 4 == 0 ? whole_space(Vector::Zero(n), radius) : ball(Vector::Zero(n), radius);
  return {Problem(squared_norm(centre), least_squares(dense_map(a), b), domain),
          0.5 * (solution - centre).squaredNorm(), 0.5 * (a * solution - b).squaredNorm(), solution};
}

template <class MakeEngine>
Result run_sandwich(const Problem& problem, const Accuracy& accuracy, Monitor& monitor, const MakeEngine& make) {
  Oracle oracle(problem, monitor);
  Ledger ledger(problem);
  const Monitor::Reservation for_the_end(monitor, Ledger::proof_cost(problem));
  const std::unique_ptr<Engine> engine = make(oracle);
  Sandwich(problem, accuracy, oracle, ledger, *engine).run();
  return conclude(oracle, ledger, accuracy, {.can_prove = true});
}

std::unique_ptr<Engine> newton(Oracle& oracle) { return std::make_unique<NewtonEngine>(oracle); }
std::unique_ptr<Engine> low_rank(Oracle& oracle) {
  return std::make_unique<NewtonEngine>(oracle, NewtonEngine::Form::low_rank);
}
std::unique_ptr<Engine> switching(Oracle& oracle) { return std::make_unique<SwitchingEngine>(oracle, 10); }

TEST(NewtonSandwich, CertifiesRandomProblemsAndClaimsNothingFalse) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const test::KnownProblem known = random_problem(seed);
    ASSERT_EQ(NewtonEngine::misfit(known.problem), "");
    for (bool tight : {false, true}) {
      for (const auto make : {newton, low_rank, switching}) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << (tight ? ", tight" : "")
                                        << (make == newton     ? ", newton"
                                            : make == low_rank ? ", low-rank"
                                                               : ", switching"));
        const Accuracy accuracy{1e-5, 1e-6, tight};
        Monitor monitor(Limits{.passes = 5000});
        const Result result = run_sandwich(known.problem, accuracy, monitor, make);
        const double f = known.upper_optimum, g = known.lower_optimum;
        EXPECT_EQ(to_string(result.status), "certified") << result.message;
        EXPECT_LE(*result.certificate.upper_lower_bound, f + 1e-9 * (1.0 + f));
        EXPECT_LE(*result.certificate.lower_lower_bound, g + 1e-10 * (1.0 + g));
        EXPECT_LE(result.upper_value, f + accuracy.upper + 1e-9 * (1.0 + f));
        EXPECT_LE(result.lower_value, g + accuracy.lower + 1e-10 * (1.0 + g));
      }
    }
  }
}

TEST(NewtonSandwich, NeedsFewStepsWhateverTheCondition) {
  for (double condition : {1e2, 1e3, 1e4, 1e5}) {
    const test::KnownProblem known = test::minimum_norm(40, 100, condition, 3);
    Monitor monitor;
    const Result result = run_sandwich(known.problem, {1e-6, 1e-6}, monitor, newton);
    EXPECT_EQ(to_string(result.status), "certified") << condition;
    EXPECT_LE(result.work.iterations, 8) << condition;
    EXPECT_LE(result.work.passes(), 100) << condition;
  }
}

}  // namespace
}  // namespace fcbio
