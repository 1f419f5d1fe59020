// Engines do not allocate once warmed up, changes of the multiplier included.
#include "support/allocations.hpp"

#if FCBIO_ALLOCATIONS_COUNTED

#include <gtest/gtest.h>

#include "inner/accelerated_engine.hpp"
#include "inner/newton.hpp"
#include "inner/projected_quasi_newton.hpp"
#include "inner/wide_engine.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

template <class MakeEngine>
void expect_no_allocation(const Problem& problem, const MakeEngine& make_engine) {
  Monitor monitor;
  Oracle oracle(problem, monitor);
  auto engine = make_engine(oracle);
  Iterate at(problem);
  for (Level level : kLevels) {
    oracle.update_images(level, at.point);
    at.values[level] = oracle.value(level, at.point);
  }
  double sum = 0.0;
  const auto steps = [&](const Weights& weights, int count) {
    engine.begin(weights, at);
    for (int k = 0; k < count; ++k) {
      engine.step(weights, at);
      sum += engine.bound(weights, at).gap;
    }
  };
  steps({1.0, 2.0}, 3);
  const long before = test::allocation_count();
  steps({1.0, 2.0}, 30);
  steps({1.0, 20.0}, 200);  // down to where the values are all rounding
  EXPECT_EQ(test::allocation_count() - before, 0) << engine.name();
  EXPECT_GT(sum, 0.0);
}

LinearMapPtr random_data(Index rows, Index n, std::mt19937_64& random) {
  return dense_map(RowMajorMatrix(test::random_matrix(rows, n, random)));
}

Problem classifier(Index rows, const ConvexSetPtr& domain) {
  std::mt19937_64 random(31);
  const Index n = domain->dimension();
  const Vector labels = Vector::NullaryExpr(rows, [&] { return random() % 2 == 0 ? 1.0 : -1.0; });
  return Problem(
      least_squares(random_data(rows, n, random), test::random_vector(rows, random)) +
          squared_norm(Vector::Ones(n)),
      squared_hinge(random_data(rows, n, random), labels) + 0.1 * logistic(random_data(rows, n, random), labels),
      domain);
}

TEST(EngineAllocation, SmoothedAndPrimalDualWithKinks) {
  std::mt19937_64 random(33);
  const Index n = 40, rows = 25;
  const Vector labels = Vector::NullaryExpr(rows, [&] { return random() % 2 == 0 ? 1.0 : -1.0; });
  for (const ConvexSetPtr& domain :
       {ball(Vector::Zero(n), 3.0), box(Vector::Constant(n, -1.0), Vector::Ones(n))}) {
    const Problem problem(
        l1_norm(Vector::Zero(n)) + 0.1 * absolute_deviation(random_data(rows, n, random), labels),
        hinge(random_data(rows, n, random), labels) + 0.1 * squared_norm(Vector::Ones(n)), domain);
    expect_no_allocation(problem, [](Oracle& oracle) { return SmoothedEngine(oracle); });
    expect_no_allocation(problem, [](Oracle& oracle) { return PrimalDualEngine(oracle); });
  }
}

TEST(EngineAllocation, AcceleratedWithAnL1Norm) {
  std::mt19937_64 random(31);
  const Index n = 40;
  const Problem problem(
      least_squares(random_data(30, n, random), test::random_vector(30, random)) + squared_norm(Vector::Zero(n)),
      least_squares(random_data(30, n, random), test::random_vector(30, random)) + 0.2 * l1_norm(Vector::Zero(n)),
      ball(Vector::Zero(n), 2.0));
  expect_no_allocation(problem, [](Oracle& oracle) { return AcceleratedEngine(oracle); });
}

TEST(EngineAllocation, NewtonByRowsAndByColumns) {
  for (Index rows : {40, 150})
    expect_no_allocation(classifier(rows, ball(Vector::Zero(100), 0.5)),
                         [](Oracle& oracle) { return NewtonEngine(oracle); });
}

TEST(EngineAllocation, QuasiNewtonOnEverySet) {
  const Index n = 60;
  for (const ConvexSetPtr& domain :
       {ball(Vector::Zero(n), 0.5), box(Vector::Constant(n, -0.1), Vector::Constant(n, 0.2)), simplex(n),
        l1_ball(Vector::Zero(n), 1.0), whole_space(Vector::Zero(n), 9.0)})
    expect_no_allocation(classifier(40, domain), [](Oracle& oracle) { return ProjectedQuasiNewton(oracle, 12); });
}

}  // namespace
}  // namespace fcbio

#endif
