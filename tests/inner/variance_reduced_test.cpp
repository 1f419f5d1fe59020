// The engine behind fcbio-vr: draws, estimates, what is charged, and the rate, which must fail without momentum.
#include <gtest/gtest.h>

#include "inner/variance_reduced_engine.hpp"
#include "support/every_scale.hpp"
#include "support/runs.hpp"

namespace fcbio {
namespace {

TEST(AliasTable, DrawsInProportionToTheWeights) {
  const Vector weights{{3.0, 0.0, 1.0, 1e-3, 2.0}};
  const AliasTable table(weights);
  std::mt19937_64 random(7);
  constexpr int kDraws = 600000;
  Vector counts = Vector::Zero(weights.size());
  for (int k = 0; k < kDraws; ++k) counts[table.draw(random)] += 1.0;
  EXPECT_EQ(counts[1], 0.0);
  for (Index i = 0; i < weights.size(); ++i) {
    const double chance = weights[i] / weights.sum();
    EXPECT_NEAR(counts[i] / kDraws, chance, 5.0 * std::sqrt(chance / kDraws) + 1e-12) << i;
  }
}

/// Rows of very different lengths in three parts over two levels.
Problem uneven_problem() {
  std::mt19937_64 random(3);
  RowMajorMatrix a = test::random_matrix(40, 6, random), c = test::random_matrix(15, 6, random);
  for (Index i = 0; i < a.rows(); ++i) a.row(i) *= static_cast<double>(1 + i % 9);
  const Vector labels = Vector::NullaryExpr(15, [&] { return random() % 2 == 0 ? 1.0 : -1.0; });
  const Function upper = 0.3 * logistic(dense_map(c), labels) + squared_norm(Vector::Ones(6));
  const Function lower = 0.1 * least_squares(dense_map(a), test::random_vector(40, random)) +
                         2.0 * squared_hinge(dense_map(c), labels);
  return Problem(upper, lower, ball(Vector::Zero(6), 2.0));
}

TEST(FiniteSum, EstimatesDifferencesOfGradientsWithoutBiasAndWithTheVarianceOfItsConstants) {
  const Problem problem = uneven_problem();
  Monitor monitor;
  Oracle oracle(problem, monitor);
  FiniteSum sum(oracle);
  const Weights weights{1.0, 0.7};
  std::mt19937_64 random(5);
  Iterate w(problem), x(problem);
  w.point.x = 0.3 * test::random_vector(6, random);
  x.point.x = 0.3 * test::random_vector(6, random);
  for (Iterate* at : {&w, &x}) {
    for (Level level : kLevels) {
      oracle.update_images(level, at->point);
      at->linearize(oracle, level);
    }
  }
  Vector at_w(6), at_x(6);
  w.gradient(weights, at_w);
  x.gradient(weights, at_x);
  const FiniteSum::Constants constants = sum.constants(weights);
  EXPECT_EQ(constants.curvature, 1.0);
  EXPECT_EQ(constants.components, 70.0);
  const Vector moved = x.point.x - w.point.x;
  const Vector difference = at_x - at_w - constants.curvature * moved;  // of h alone
  // h(w) - h(x) - <h'(x), w - x>
  const double bent =
      w.phi(weights) - x.phi(weights) + at_x.dot(moved) - 0.5 * constants.curvature * moved.squaredNorm();

  FiniteSum::Batch batch;
  batch.draws.resize(4);
  constexpr int kBatches = 40000;
  Vector mean = Vector::Zero(6), one(6);
  double variance = 0.0;
  for (int k = 0; k < kBatches; ++k) {
    sum.draw(weights, random, batch);
    one.setZero();
    sum.add_difference(weights, batch, x.point.x, w, 1.0, one);
    mean += one / kBatches;
    variance += (one - difference).squaredNorm() / kBatches;
  }
  EXPECT_LE(variance, 2.0 * constants.total / 4.0 * bent);
  EXPECT_LE((mean - difference).norm(), 5.0 * std::sqrt(variance / kBatches));
}

TEST(FiniteSum, ChargesTheRowsItVisits) {
  const Problem problem = uneven_problem();
  Monitor monitor;
  Oracle oracle(problem, monitor);
  FiniteSum sum(oracle);
  EXPECT_EQ(monitor.work().upper_passes, 1);  // for the norms of the rows
  EXPECT_EQ(monitor.work().lower_passes, 2);
  Iterate at(problem);
  oracle.update_images(Level::lower, at.point);
  at.linearize(oracle, Level::lower);
  const std::int64_t before = monitor.work().lower_passes;
  FiniteSum::Batch batch;
  batch.draws.resize(1000);
  std::mt19937_64 random(5);
  Vector out = Vector::Zero(6);
  sum.draw({0.0, 1.0}, random, batch);
  sum.add_difference({0.0, 1.0}, batch, at.point.x, at, 1.0, out);
  double expected = 0.0;
  for (const auto& draw : batch.draws) expected += 2.0 / (draw.part == 1 ? 40.0 : 15.0);
  EXPECT_NEAR(batch.passes, expected, 1e-9);
  EXPECT_EQ(monitor.work().lower_passes - before, static_cast<std::int64_t>(std::ceil(expected)));
  EXPECT_EQ(monitor.work().upper_passes, 1);
  EXPECT_LE(monitor.work().upper_passes, FiniteSum::cost(problem));
}

/// Component gradients until the gap of g alone is closed to `gap`.
double components(Index rows, double gap, bool momentum) {
  double sum = 0.0;
  for (std::int64_t seed = 1; seed <= 4; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const Problem problem(squared_norm(Vector::Zero(48)), test::mean_of_every_scale(rows, 48, 1e-9, random),
                          ball(Vector::Zero(48), 1.0));
    Monitor monitor;
    Oracle oracle(problem, monitor);
    VarianceReducedEngine engine(oracle, {.seed = seed, .momentum = momentum});
    Iterate at(problem);
    at.point.x = problem.start();
    oracle.update_images(Level::lower, at.point);
    at.linearize(oracle, Level::lower);
    const Weights weights{0.0, 1.0};
    EXPECT_TRUE(engine.begin(weights, at));
    while (engine.bound(weights, at).gap > gap)
      if (!engine.step(weights, at)) ADD_FAILURE() << "stopped";
    EXPECT_LE(at.phi(weights) - engine.bound(weights, at).gap, 0.0);  // the minimum is 0
    sum += 0.5 * static_cast<double>(monitor.work().passes()) * static_cast<double>(rows);
  }
  return sum;
}

double order_in_gap(bool momentum, const std::vector<double>& gaps) {
  std::vector<double> work;
  for (const double gap : gaps) work.push_back(components(128, gap, momentum));
  return test::fitted_order(gaps, work);
}

TEST(VarianceReduced, WorkGrowsLikeTheRootOfOneOverTheGap) {
  EXPECT_NEAR(order_in_gap(true, {1e-3, 1e-4, 1e-5, 1e-6}), 0.5, 0.15);
}

TEST(VarianceReduced, TheTestAboveFailsWithoutMomentum) {
  EXPECT_GT(order_in_gap(false, {1e-3, 1e-4, 1e-5}), 0.65);
}

TEST(VarianceReduced, WorkGrowsLikeTheRootOfTheRows) {
  std::vector<double> rows{128, 256, 512, 1024, 2048}, work;
  for (const double m : rows) work.push_back(components(static_cast<Index>(m), 1e-6, true));
  EXPECT_NEAR(-test::fitted_order(rows, work), 0.5, 0.15);
}

}  // namespace
}  // namespace fcbio
