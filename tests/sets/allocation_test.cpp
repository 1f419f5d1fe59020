// Once its scratch has been used, no set allocates in what a solver calls in its loop.
#include "support/allocations.hpp"

#if FCBIO_ALLOCATIONS_COUNTED

#include <gtest/gtest.h>

#include "sets/support.hpp"

namespace fcbio::test {
namespace {

TEST(Allocation, TheCounterCounts) {
  const long before = allocation_count();
  const Vector x = Vector::Ones(1000);
  EXPECT_GT(allocation_count(), before);
  EXPECT_EQ(x.sum(), 1000.0);
}

TEST(Allocation, NoneOnceWarmedUp) {
  for (const Example& example : examples()) {
    const ConvexSet& set = *example.set;
    Random random(3);
    const Vector far = random.vector(set.dimension(), 10.0);
    const Vector direction = random.vector(set.dimension());
    Vector x = far;
    Vector out(set.dimension());
    Scratch scratch;
    double sum = 0.0;
    long counted = 0;
    for (int round = 0; round < 2; ++round) {
      const long before = allocation_count();
      x = far;
      set.project(x, scratch);
      const double bound = set.linear_lower_bound(direction, scratch);
      sum += set.minimize_linear(direction, out) ? 1.0 : 0.0;
      sum += set.violation(far) + set.enclosing_ball(out).value_or(0.0) + set.diameter().value_or(0.0);
      sum += std::isfinite(bound) ? bound : 0.0;
      counted = allocation_count() - before;
    }
    EXPECT_EQ(counted, 0) << example.label;
    EXPECT_TRUE(std::isfinite(sum)) << example.label;
  }
}

}  // namespace
}  // namespace fcbio::test

#endif
