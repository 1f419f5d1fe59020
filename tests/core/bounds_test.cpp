// Bounds from averages of linearisations, and their proofs: never above the truth, and tight where they must be.
#include <gtest/gtest.h>

#include "core/ledger.hpp"
#include "core/proof.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

struct Session {
  Problem problem;
  Monitor monitor;
  Oracle oracle;
  explicit Session(Problem p) : problem(std::move(p)), oracle(problem, monitor) {}
};

Problem random_problem(std::mt19937_64& random, int kind) {
  const Index n = 6, m = 9;
  const auto map = [&] { return dense_map(RowMajorMatrix(test::random_matrix(m, n, random))); };
  const auto labels = [&]() -> Vector { return test::random_vector(m, random).cwiseSign(); };
  std::vector<Function> functions{
      least_squares(map(), test::random_vector(m, random)),
      logistic(map(), labels()),
      hinge(map(), labels()),
      huber(map(), test::random_vector(m, random), 0.5),
      squared_hinge(map(), labels()),
      log_sum_exp(map(), test::random_vector(m, random)),
      max_affine(map(), test::random_vector(m, random)),
      0.3 * quantile(map(), test::random_vector(m, random), 0.2) +
          2.0 * squared_norm(test::random_vector(n, random)),
      l1_norm(test::random_vector(n, random)) + linear(test::random_vector(n, random))};
  const RowMajorMatrix root = test::random_matrix(n, n, random);
  functions.push_back(quadratic(RowMajorMatrix(root.transpose() * root), test::random_vector(n, random)));
  std::vector<ConvexSetPtr> sets{ball(test::random_vector(n, random), 1.5),
                                 box(Vector::Constant(n, -1.0), Vector::Constant(n, 0.5)), simplex(n, 2.0),
                                 l1_ball(Vector::Zero(n), 1.0)};
  const auto pick = static_cast<std::size_t>(kind);
  return Problem(functions[pick % functions.size()], functions[(3 * pick + 1) % functions.size()],
                 sets[pick % sets.size()]);
}

Vector random_member(const Problem& problem, std::mt19937_64& random) {
  Vector z = 2.0 * test::random_vector(problem.dimension(), random);
  Scratch scratch;
  problem.domain().project(z, scratch);
  return z;
}

double value_at(Session& session, Level level, const Vector& x) {
  Point point(session.problem);
  point.x = x;
  session.oracle.update_images(level, point);
  return session.oracle.value(level, point);
}

TEST(Bounds, AveragesOfLinearisationsStayBelow) {
  std::mt19937_64 random(31);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    Session session(random_problem(random, trial));
    const auto of = [&](Level level) -> const Function& { return session.problem.function(level); };
    PerLevel averages = per_level([&](Level level) { return MinorantAverage(of(level)); });
    PerLevel at = per_level([&](Level level) { return Linearization(of(level)); });
    Point y(session.problem);
    for (int k = 0; k < 8; ++k) {
      y.x = test::random_vector(session.problem.dimension(), random);  // also outside Z
      const double share = uniform(random);
      for (Level level : kLevels) {
        session.oracle.update_images(level, y);
        session.oracle.linearize(level, y, at[level]);
        averages[level].blend(1.0 - share, share * uniform(random), at[level], y.x);
      }
    }
    const double mu = 5.0 * uniform(random);
    MinorantBounds bounds(session.problem);
    const double low = bounds.lagrangian(session.oracle, averages.upper, mu, averages.lower);
    const double g_low = bounds.minimum(session.oracle, averages.lower);
    BoundWitness witness, g_witness;
    const PartVectors f_duals = averages.upper.duals(), g_duals = averages.lower.duals();
    const double proved =
        prove_minimum(session.oracle, {{Level::upper, 1.0, &f_duals}, {Level::lower, mu, &g_duals}}, witness);
    const double g_proved = prove_minimum(session.oracle, {{Level::lower, 1.0, &g_duals}}, g_witness);
    EXPECT_LE(proved, low + 1e-9 * (1.0 + std::abs(low)));
    EXPECT_NEAR(proved, low, 1e-8 * (1.0 + std::abs(low)));  // the allowances are small
    for (int sample = 0; sample < 60; ++sample) {
      const Vector z = random_member(session.problem, random);
      const double f = value_at(session, Level::upper, z), g = value_at(session, Level::lower, z);
      ASSERT_LE(low, f + mu * g + 1e-10);
      ASSERT_LE(proved, f + mu * g);
      ASSERT_LE(g_low, g + 1e-10);
      ASSERT_LE(g_proved, g);
    }
  }
}

TEST(Bounds, ASquaredNormIsKeptExactly) {
  // min over the ball of 1/2|x - c|^2 is known; one linearisation anywhere must give it.
  const Vector centre{{3.0, 4.0}};
  Session session(Problem(squared_norm(centre), linear(Vector::Ones(2)), ball(Vector::Zero(2), 1.0)));
  MinorantAverage average(session.problem.upper());
  Linearization at(session.problem.upper());
  Point y(session.problem);
  y.x = Vector{{-0.3, 0.8}};
  session.oracle.linearize(Level::upper, y, at);
  average.blend(0.0, 0.7, at, y.x);
  MinorantBounds bounds(session.problem);
  EXPECT_NEAR(bounds.minimum(session.oracle, average), 0.5 * 16.0, 1e-12);
}

TEST(Bounds, AnUnboundedDomainProvesNothing) {
  Session session(
      Problem(squared_norm(Vector::Ones(2)), linear(Vector::Ones(2)), whole_space(Vector::Zero(2), std::nullopt)));
  const PartVectors duals = session.problem.upper().make_duals();
  BoundWitness witness;
  EXPECT_EQ(prove_minimum(session.oracle, {{Level::upper, 1.0, &duals}}, witness), -kInfinity);
}

TEST(Bounds, RoundingIsOnTheSafeSide) {
  // Badly scaled least squares: the computed value and the exact one (long double) differ by no more than claimed.
  std::mt19937_64 random(32);
  for (int trial = 0; trial < 50; ++trial) {
    RowMajorMatrix a = test::random_matrix(40, 30, random);
    for (Index j = 0; j < 30; ++j) a.col(j) *= std::pow(10.0, static_cast<double>(j % 9) - 4.0);
    const Vector x = test::random_vector(30, random).cwiseProduct(Vector::LinSpaced(30, 1e-3, 1e3));
    const Vector b = a * x + 1e-9 * test::random_vector(40, random);  // nearly all cancels
    Session session(
        Problem(squared_norm(Vector::Zero(30)), least_squares(dense_map(a), b), ball(Vector::Zero(30), 1e5)));
    long double exact = 0.0L;
    for (Index i = 0; i < 40; ++i) {
      long double residual = -static_cast<long double>(b[i]);
      for (Index j = 0; j < 30; ++j)
        residual += static_cast<long double>(a(i, j)) * static_cast<long double>(x[j]);
      exact += 0.5L * residual * residual;
    }
    Point point(session.problem);
    point.x = x;
    const CheckedValue checked = checked_value(session.oracle, Level::lower, point);
    EXPECT_LE(std::abs(static_cast<double>(static_cast<long double>(checked.value) - exact)), checked.rounding);
    EXPECT_GE(excess(checked, 0.0), static_cast<double>(exact));
  }
}

TEST(Ledger, KeepsTheBestBoundsAndProvesThem) {
  const test::KnownProblem known = test::minimum_norm(10, 20, 3.0, 4);
  Session session(known.problem);
  Ledger ledger(session.problem);
  EXPECT_EQ(ledger.lower_lower_bound(), 0.0);  // sums of squares are nonnegative
  ledger.set_candidate(known.solution, 0.5, 0.0);
  ledger.offer_reference(known.solution, 1e-30);
  ledger.offer_reference(session.problem.start(), 1.0);  // worse: ignored
  EXPECT_EQ(ledger.reference_value(), 1e-30);

  Result result;
  ledger.prove(session.oracle, result);
  EXPECT_EQ(result.witness.lower_bound.kind, "known");
  ASSERT_TRUE(result.certificate.lower_gap.has_value());
  EXPECT_LT(*result.certificate.lower_gap, 1e-20);
  EXPECT_GE(*result.certificate.upper_excess, 0.5);  // only f >= 0 is known
  EXPECT_LE(session.monitor.work().passes(), Ledger::proof_cost(session.problem));
}

}  // namespace
}  // namespace fcbio
