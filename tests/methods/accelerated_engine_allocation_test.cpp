// The accelerated engine does not allocate once warmed up, changes of the multiplier included.
#include "support/allocations.hpp"

#if FCBIO_ALLOCATIONS_COUNTED

#include <gtest/gtest.h>

#include "inner/accelerated_engine.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

TEST(AcceleratedEngineAllocation, DoesNotHappenInSteps) {
  std::mt19937_64 random(31);
  const Index n = 40;
  const auto data = [&] { return dense_map(RowMajorMatrix(test::random_matrix(30, n, random))); };
  const Problem problem(least_squares(data(), test::random_vector(30, random)) + squared_norm(Vector::Zero(n)),
                        least_squares(data(), test::random_vector(30, random)) + 0.2 * l1_norm(Vector::Zero(n)),
                        ball(Vector::Zero(n), 2.0));
  Monitor monitor;
  Oracle oracle(problem, monitor);
  AcceleratedEngine engine(oracle);
  Iterate at(problem);
  for (Level level : kLevels) {
    oracle.update_images(level, at.point);
    at.values[index_of(level)] = oracle.value(level, at.point);
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
  steps({1.0, 2.0}, 50);
  steps({1.0, 20.0}, 400);  // down to where the values are all rounding
  EXPECT_EQ(test::allocation_count() - before, 0);
  EXPECT_GT(sum, 0.0);
}

}  // namespace
}  // namespace fcbio

#endif
